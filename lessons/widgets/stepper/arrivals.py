"""The gradients that arrive at each place during one walk, and how their growing sum is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from lessons.widgets.stepper.acts import Act, Spot, Start, Visit
from lessons.widgets.stepper.replay import Way
from lessons.widgets.stepper.values import CHIP, factor, text


class Arrivals:
    """The gradients that have arrived at each place, in order, and how many are expected."""

    def __init__(self, way: Way) -> None:
        self._way = way
        self._arrived: dict[Spot, list[np.ndarray]] = {}
        self._expected: Counter[Spot] = Counter()

    def begin(self, start: Start, acts: Sequence[Act]) -> None:
        """Begin a walk with the gradient of its root; `acts` are those that follow."""
        self._arrived = {start.spot: [start.grad]}
        self._expected = _expected(acts)

    def add(self, spot: Spot, gradient: np.ndarray) -> None:
        """Let a gradient arrive."""
        self._arrived.setdefault(spot, []).append(gradient)

    def forget(self, spot: Spot) -> None:
        """Begin anew at a place."""
        self._arrived.pop(spot, None)

    def count(self, spot: Spot) -> int:
        """Return how many have arrived at a place."""
        return len(self._arrived.get(spot, ()))

    def told(self, spot: Spot, whole: bool = False) -> str:
        """Return what has arrived so far, and, unless this is the `whole`, that more is to come."""
        arrived = self._arrived[spot]
        parts = [text(each, CHIP) for each in arrived]
        to_come = max(self._expected[spot] - len(arrived), 0)
        if self._way == "overwrite" and len(parts) > 1:
            return f"{parts[-1]} ({', '.join(parts[:-1])} is lost)"
        if arrived[0].ndim:
            total = text(sum(arrived[1:], arrived[0]))
            return f"{total}" + (f", {to_come} to come" if to_come and not whole else "")
        words = " + ".join([parts[0], *map(factor, parts[1:])])
        if to_come and not whole and self._way == "true":
            return f"{words} + …"
        return words if len(parts) == 1 else f"{words} = {text(sum(arrived[1:], arrived[0]))}"


def _expected(acts: Sequence[Act]) -> Counter[Spot]:
    expected: Counter[Spot] = Counter()
    for act in acts:
        if isinstance(act, Start):
            break
        if isinstance(act, Visit):
            expected.update(sent.link.source for sent in act.sent if sent.contribution is not None)
    return expected
