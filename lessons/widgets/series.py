"""The parts of a plot: series of numbers, how each one looks, and the axes that they share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

LINES = ("solid line", "dashed line", "dotted line")
COLORS = {
    "solid line": "#2f55a4",
    "dashed line": "#a8500d",
    "dotted line": "#3f7a3a",
    "points": "#566076",
}
DASHES = {"solid line": "", "dashed line": "7 4", "dotted line": "2 4"}
"""How lines differ apart from colour."""

ROOM = 0.05


@dataclass(frozen=True, eq=False)
class Series:
    """Numbers y over numbers x; `look` is "points", one of LINES, or empty before `named`."""

    x: np.ndarray
    y: np.ndarray
    look: str = ""
    name: str = ""

    def named(self, name: str, place: int) -> Series:
        """Return the series under its name; a line gets its look from its place among the lines."""
        return replace(self, name=name, look=self.look or LINES[place % len(LINES)])


@dataclass(frozen=True, eq=False)
class Panel:
    """One pair of axes with the series drawn over it."""

    title: str
    series: tuple[Series, ...]


def line(*numbers: Any) -> Series:
    """Return a curve: `line(y)` over 0, 1, 2, … or `line(x, y)`; tensors, arrays or lists.

    ValueError when x and y differ in length, or there is nothing to draw.
    """
    y = _row(numbers[-1])
    x = _row(numbers[0]) if len(numbers) > 1 else np.arange(len(y), dtype=float)
    if len(x) != len(y) or not len(y):
        raise ValueError(f"a curve needs as many x as y, but got {len(x)} and {len(y)}")
    return Series(x, y)


def points(x: Any, y: Any) -> Series:
    """Return points that are not joined by a line."""
    return replace(line(x, y), look="points")


def limits(panels: Sequence[Panel]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return where the axes begin and end, so that every series fits with some room."""
    every = [series for panel in panels for series in panel.series]
    return _span([each.x for each in every]), _span([each.y for each in every])


def ticks(low: float, high: float, wanted: int = 4) -> list[float]:
    """Return round numbers between `low` and `high`: multiples of 1, 2 or 5 times a power of ten.

    About `wanted` of them, and never more than twice as many.
    """
    rough = (high - low) / wanted
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(each * power for each in (1, 2, 5, 10) if each * power >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(place * step, 12) + 0.0 for place in range(first, last + 1)]


def _row(numbers: Any) -> np.ndarray:
    if hasattr(numbers, "detach"):
        numbers = numbers.tolist()
    return np.asarray(numbers, dtype=float).reshape(-1)


def _span(rows: list[np.ndarray]) -> tuple[float, float]:
    numbers = np.concatenate(rows)
    finite = numbers[np.isfinite(numbers)]
    low, high = (finite.min(), finite.max()) if len(finite) else (0.0, 1.0)
    room = ROOM * (high - low) or 1.0
    return float(low - room), float(high + room)
