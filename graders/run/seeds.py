"""Seeds: which inputs a submission is checked on.

Every submission has a seed of its own, which nobody can know before its run, and draws inputs of
its own for every check whose outcome depends on them: what was observed of any other submission is
of no use. A check of statements, in which a right solution is seen to do the same on all inputs,
picks one of a few draws of the run, for which the judge remembers what the reference does.
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
from graders.exercise import Check, Exercise
from graders.gradebook import Entry

DRAWS = 4
"""Of inputs for a check of statements in one run."""

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

    Those on which it depends what is right no other submission has. Written answers are the same on
    all inputs, and so all have those of the run.
    """
    run = seed >> OWN_BITS
    if exercise.written:
        return all_from(exercise, _shared(run, exercise.id))
    return {check.name: _draw(run, seed, exercise.id, check) for check in exercise.checks}


def _draw(run: int, seed: int, exercise: str, check: Check) -> Draw:
    if not check.statements:
        return Draw(_number("own inputs", seed, exercise, check.name), own=True)
    place = _number("place", seed, exercise, check.name) % DRAWS
    return Draw(_shared(run, exercise, check.name, place))


@functools.lru_cache(maxsize=4_096)
def _shared(run: int, *of: str | int) -> int:
    return _number("inputs", run, *of)


def _number(*parts: str | int) -> int:
    return int.from_bytes(sha256(json.dumps(parts).encode()).digest()[:6])
