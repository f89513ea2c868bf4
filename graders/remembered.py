"""What was read and judged before: the same bytes, seen in the same check, are not looked at twice.

Where inputs are the same for many, most of a class does most things alike, and to the last bit:
answers that are written down, and checks of statements. Both memories are bounded, in number and in
the size of what they take in, so that no submission can make the grader grow.
"""

from __future__ import annotations

from collections.abc import Hashable
from hashlib import sha256
from typing import Generic, TypeVar

from graders.draws import Draws
from graders.exercise import Exercise
from graders.isolation.events import plain
from graders.judging.judge import judge
from graders.judging.whereabouts import without_folders
from graders.observation import Observation, Observations
from graders.observe.codec import CodecError
from graders.verdict import Verdict

MAX_BYTES = 16 * 1024
MAX_OUTPUT = 4 * 1024

Kept = TypeVar("Kept")


class _Memory(Generic[Kept]):
    """The values of the last keys that were new."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[Hashable, Kept] = {}

    def get(self, key: Hashable) -> Kept | None:
        return self._kept.get(key)

    def keep(self, key: Hashable, value: Kept) -> None:
        if len(self._kept) >= self._most:
            del self._kept[next(iter(self._kept))]
        self._kept[key] = value


_observations: _Memory[Observation] = _Memory(1024)
_verdicts: _Memory[Verdict] = _Memory(4096)


def observation_in(raw: object) -> Observation:
    """Return the observation that `raw`, bytes from a worker, tells; CodecError when there is none.

    Equal bytes may lead to the same object, which nobody may change.
    """
    if not isinstance(raw, bytes):
        raise CodecError("nothing was seen")
    digest = sha256(raw).digest()
    known = _observations.get(digest)
    if known is not None:
        return known
    data = plain(raw)
    if not isinstance(data, dict):
        raise CodecError("what was seen is no JSON object")
    if len(raw) > MAX_BYTES:
        return Observation.from_json(data)
    seen = Observation.from_json(data, digest)
    _observations.keep(digest, seen)
    return seen


def verdict_on(exercise: Exercise, observations: Observations, draws: Draws) -> Verdict:
    """Return what `judge` says, which is the same for the same observations, as it may be kept."""
    checks = observations.checks
    alone = any(draw.own for draw in draws.values())
    if (
        alone
        or len(observations.output) > MAX_OUTPUT
        or not all(each.digest for each in checks.values())
    ):
        return without_folders(judge(exercise, observations, draws))
    key = (
        exercise,
        tuple(draws.values()),
        observations.found,
        observations.fingerprint,
        observations.error,
        observations.stopped,
        observations.output,
        observations.instead,
        observations.missed,
        tuple((name, each.digest) for name, each in checks.items()),
    )
    known = _verdicts.get(key)
    if known is None:
        known = without_folders(judge(exercise, observations, draws))
        _verdicts.keep(key, known)
    return known
