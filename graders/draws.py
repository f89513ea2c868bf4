"""Which inputs a solution is checked on: a seed for each check of an exercise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from graders.exercise import Exercise


class Draw(NamedTuple):
    """The seed of one check's inputs; `own` when no other submission is checked on them."""

    seed: int
    own: bool = False


Draws = Mapping[str, Draw]
"""One draw for each check, by the check's name."""


def all_from(exercise: Exercise, seed: int) -> Draws:
    """The inputs of each check of `exercise` drawn from the same `seed`."""
    return dict.fromkeys((check.name for check in exercise.checks), Draw(seed))
