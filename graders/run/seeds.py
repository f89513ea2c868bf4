"""Seeds: which inputs a submission is checked on.

A run draws a pool of them, and a submission gets one of the pool. There are few, so that the judge
works out once what the reference does on each; and they are new in every run, so that nobody has
seen the inputs of a run before it has ended.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Container
from dataclasses import dataclass
from hashlib import sha256
from typing import Self

from graders.gradebook import Entry

POOL = 8
LARGEST = 2**31 - 1
"""The largest seed of a run; those of submissions have 48 bits."""


@dataclass(frozen=True)
class Seeds:
    """The seeds of one run, which follow from `run` alone."""

    run: int

    @classmethod
    def fresh(cls, used: Container[int]) -> Self:
        """Seeds that nobody can know, and none of which is among those `used` before."""
        while True:
            drawn = cls(secrets.randbelow(LARGEST + 1))
            if not any(seed in used for seed in drawn.pool):
                return drawn

    @property
    def pool(self) -> tuple[int, ...]:
        """The seeds that submissions get."""
        return tuple(_number("inputs", self.run, place) for place in range(POOL))

    def seed_of(self, entry: Entry) -> int:
        """The seed of one submission, by its student, lesson and content.

        It does not depend on whether a run was interrupted, nor on the order in which it went; and
        which one it is cannot be told from the submission alone.
        """
        place = _number("place", self.run, entry.student, entry.lesson, entry.digest) % POOL
        return _number("inputs", self.run, place)


def _number(*parts: str | int) -> int:
    return int.from_bytes(sha256(json.dumps(parts).encode()).digest()[:6])
