"""Numbers as the stepper shows them: as PyTorch prints them, and short enough for a box."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

# What fits into a box, and into the label of an edge.
BOX, CHIP = 30, 16
CELLS = 6
NOT_KEPT = "not kept"


def text(value: Any, room: int = BOX) -> str:
    """Return NumPy data as text of at most `room` characters; None is "None".

    Four decimals as PyTorch prints them; where there is no room for all of them two, and then only
    the first elements.
    """
    if value is None:
        return "None"
    array = np.asarray(value)
    if not array.ndim:
        return _lone(array.item())
    for decimals in (4, 2):
        whole = _nested(array, decimals)
        if len(whole) <= room:
            return whole
    flat = array.ravel()
    shape = "\u00d7".join(str(length) for length in array.shape)
    for count in range(min(len(flat), CELLS), 0, -1):
        begin = f"{'[' * array.ndim}{', '.join(_row(flat[:count], 2))}, …{']' * array.ndim}"
        if len(begin) <= room:
            return begin
    return f"{shape} numbers"


def cells(value: np.ndarray) -> tuple[list[str], int]:
    """Return the elements in memory order as texts, at most `CELLS`, and how many are left out."""
    flat = np.asarray(value).ravel(order="K")
    shown = flat if len(flat) <= CELLS + 1 else flat[:CELLS]
    return _row(shown, 4), len(flat) - len(shown)


def shape_text(shape: Sequence[int]) -> str:
    """Return a shape as Python writes it."""
    return str(tuple(shape))


def factor(text: str) -> str:
    """Return a number as it stands in a sum or product: negative ones in brackets."""
    return f"({text})" if text.startswith("-") else text


def _lone(value: Any) -> str:
    return _row([value], 4)[0]


def _nested(array: np.ndarray, decimals: int) -> str:
    if array.size > 64:
        return "…" * 100
    numbers = iter(_row(array.ravel(), decimals))

    def write(part: np.ndarray) -> str:
        if part.ndim == 0:
            return next(numbers)
        return "[" + ", ".join(write(each) for each in part) + "]"

    return write(array)


def _row(values: Any, decimals: int) -> list[str]:
    """Write numbers alike: whole ones with a point, as PyTorch does, very large ones with e."""
    values = [value.item() if hasattr(value, "item") else value for value in values]
    if not all(isinstance(value, float) for value in values):
        return [str(value) for value in values]
    finite = [value for value in values if math.isfinite(value)]
    if all(value == int(value) and abs(value) < 1e6 for value in finite):
        return [f"{int(value)}." if math.isfinite(value) else str(value) for value in values]
    sizes = [abs(value) for value in finite if value]
    small = decimals == 4 and sizes and min(sizes) < 1e-4
    if sizes and (max(sizes) >= 1e6 or small):
        return [f"{value:.{decimals}e}" for value in values]
    return [f"{value:.{decimals}f}" for value in values]
