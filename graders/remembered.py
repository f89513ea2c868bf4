"""Caches of what was read and judged: the same bytes of the same check are not looked at twice.

Written answers and checks of statements have the same inputs for many students, so most of a class
sends the same bytes. Both caches are bounded, in the number and in the size of their entries, so
that no submission can make the grader grow.
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
    """A cache that keeps the values of the newest keys."""

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
    """Return the observation encoded in `raw`, bytes from a worker; CodecError when there is none.

    Equal bytes may give the same object, so it must not be changed.
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
    """Return the verdict of `judge`, without paths of this machine; a repeated one is cached."""
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
