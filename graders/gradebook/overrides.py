"""Overrides: points that an instructor set by hand, which survive every regrading."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from graders.verdict import ByHand, Verdict


class OverrideError(Exception):
    """Points cannot be set as asked; the message says why and what to do."""


@dataclass(frozen=True, order=True)
class Override:
    """The points that `student` has in `exercise`, whatever grading finds, and the reason why."""

    student: str
    exercise: str
    points: float
    reason: str
    made_at: str = ""


Overrides = Mapping[tuple[str, str], Override]
"""Overrides by student and exercise."""


def overridden(verdict: Verdict, override: Override | None) -> Verdict:
    """`verdict` with the points of `override`, if there is one, and a note of the graded points."""
    if override is None:
        return verdict
    by_hand = ByHand(override.reason, verdict.points)
    return replace(verdict, points=override.points, by_hand=by_hand)


def check_points(points: float, most: float, extra: bool) -> None:
    """Raise OverrideError unless `points` may be given in an exercise that is worth `most`."""
    if not math.isfinite(points):
        raise OverrideError(f"{points} is not a number of points.")
    if not extra and not 0 <= points <= most:
        raise OverrideError(
            f"{points:g} points are not between 0 and {most:g}, which the exercise is worth."
            " Use --extra if you mean it."
        )
