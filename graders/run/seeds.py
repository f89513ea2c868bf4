"""Seeds: which inputs a submission is checked on.

Every submission has a seed of its own, which nobody can know before its run. For each exercise it
picks one of a few draws of inputs, which are new in every run, too: for the judge has to work out
what the reference does on each, which takes as long as many submissions do. So two students share
inputs in an exercise now and then, and in a whole lesson hardly ever.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Self

from graders.gradebook import Entry

DRAWS = 4
"""Of inputs for an exercise in one run."""

LARGEST = 2**31 - 1
"""The largest seed of a run."""

OWN_BITS = 17
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


def draw(seed: int, exercise: str) -> int:
    """The seed of the inputs on which `exercise` is checked in the submission of `seed`.

    There are DRAWS of them in a run, and the exercises of a submission pick theirs independently.
    """
    place = _number("place", seed, exercise) % DRAWS
    return _number("inputs", seed >> OWN_BITS, exercise, place)


def _number(*parts: str | int) -> int:
    return int.from_bytes(sha256(json.dumps(parts).encode()).digest()[:6])
