"""Seeds: which inputs a submission is checked on.

Every submission has a seed of its own, which nobody can know before the run. From this it draws its
own inputs for every check whose outcome depends on them, so that what was observed of another
submission is of no use. A check of statements, which observes the same of a right solution on all
inputs, picks one of a few draws of the run; for these the judge caches what the reference does.
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
"""How many draws of inputs a check of statements has in one run."""

LARGEST = 2**31 - 1
"""The largest seed of a run."""

OWN_BITS = 32
"""The low bits of a submission's seed, which are its own; the bits above are the run's seed."""


@dataclass(frozen=True)
class Seeds:
    """The seeds of one run, all derived from `run`."""

    run: int

    @classmethod
    def fresh(cls, used: Iterable[int]) -> Self:
        """Unpredictable seeds, different from all that were `used` in earlier runs."""
        while True:
            drawn = cls(secrets.randbelow(LARGEST + 1))
            if drawn.run not in {seed >> OWN_BITS for seed in used}:
                return drawn

    def seed_of(self, entry: Entry) -> int:
        """The seed of one submission, by its student, lesson and content.

        It depends neither on the order of grading nor on interruptions of the run, and it cannot be
        derived from the submission alone.
        """
        own = _number("own", self.run, entry.student, entry.lesson, entry.digest)
        return (self.run << OWN_BITS) + own % 2**OWN_BITS


@functools.lru_cache(maxsize=64)
def draws(seed: int, exercise: Exercise) -> Draws:
    """The inputs on which `exercise` is checked in the submission of `seed`.

    No other submission has these inputs, except in checks of statements. Written answers are the
    same on all inputs, so for these all submissions share one draw.
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
