"""Seeds: which inputs a submission is checked on.

Every submission has a seed of its own, which nobody can know before its run. In every exercise it
draws new inputs for two checks, nobody knows which: what was observed of any other submission is of
no use there. The other checks pick, each for itself, one of a few draws of the run: for the judge
has to work out what the reference does on each, which takes as long as the submission itself.
"""

from __future__ import annotations

import functools
import json
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Self

from graders.draws import Draw, Draws, all_from
from graders.exercise import Exercise
from graders.gradebook import Entry

DRAWS = 4
"""Of inputs for a check in one run."""

OWN_CHECKS = 2
"""Of an exercise, with inputs of a submission's own; where there are fewer, all."""

LARGEST = 2**31 - 1
"""The largest seed of a run."""

OWN_BITS = 32
"""Of a submission's seed, in front of which the run's stands."""


@dataclass(frozen=True)
class Seeds:
    """The seeds of one run, which follow from `run` alone."""

    run: int

    @classmethod
    def fresh(cls, used: Iterable[int]) -> Self:
        """Seeds that nobody can know, of a run of which none is among those `used` before."""
        while True:
            drawn = cls(secrets.randbelow(LARGEST + 1))
            if drawn.run not in {seed >> OWN_BITS for seed in used}:
                return drawn

    def seed_of(self, entry: Entry) -> int:
        """The seed of one submission, by its student, lesson and content.

        It does not depend on whether a run was interrupted, nor on the order in which it went; and
        it cannot be told from the submission alone.
        """
        own = _number("own", self.run, entry.student, entry.lesson, entry.digest)
        return (self.run << OWN_BITS) + own % 2**OWN_BITS


@functools.lru_cache(maxsize=64)
def draws(seed: int, exercise: Exercise) -> Draws:
    """The inputs on which `exercise` is checked in the submission of `seed`.

    Those of two checks, on which what is right depends, no other submission has. Written answers
    are the same on all inputs, and so all have those of the run.
    """
    run = seed >> OWN_BITS
    telling = [check.name for check in exercise.checks if not check.statements]
    if exercise.written or not telling:
        return all_from(exercise, _shared(run, exercise.id))
    first = _number("check", seed, exercise.id) % len(telling)
    chosen = (telling[first:] + telling[:first])[:OWN_CHECKS]
    drawn = {}
    for name in (check.name for check in exercise.checks):
        if name in chosen:
            drawn[name] = Draw(_number("own inputs", seed, exercise.id, name), own=True)
        else:
            place = _number("place", seed, exercise.id, name) % DRAWS
            drawn[name] = Draw(_shared(run, exercise.id, name, place))
    return drawn


@functools.lru_cache(maxsize=4_096)
def _shared(run: int, *of: str | int) -> int:
    return _number("inputs", run, *of)


def _number(*parts: str | int) -> int:
    return int.from_bytes(sha256(json.dumps(parts).encode()).digest()[:6])
