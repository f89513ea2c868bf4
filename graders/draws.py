"""Which inputs a solution is checked on: for each check of an exercise a seed that draws them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from graders.exercise import Exercise


class Draw(NamedTuple):
    """The inputs of one check. `own`: no other submission is checked on them."""

    seed: int
    own: bool = False


Draws = Mapping[str, Draw]
"""By the name of the check."""


def all_from(exercise: Exercise, seed: int) -> Draws:
    """The inputs of each check of `exercise` drawn from the same `seed`."""
    return dict.fromkeys((check.name for check in exercise.checks), Draw(seed))
