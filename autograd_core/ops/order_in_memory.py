"""How a result lies in memory: its dimensions in the order of those of the operands."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import ndarray


def in_order_of(data: Any, *operands: Any) -> Any:
    """Return NumPy `data` laid as PyTorch lays what an operator makes of these operands.

    Of two dimensions the one whose step is smaller in the first operand that has both is the inner
    one; NumPy prefers the order of indices where operands disagree.
    """
    for each in operands:
        if type(each) is ndarray and not each.flags.c_contiguous:
            return _reordered(data, [each for each in operands if type(each) is ndarray])
    return data


def _reordered(data: Any, arrays: list[ndarray]) -> Any:
    inner_first = _inner_first(data.shape, [_steps(each, data.shape) for each in arrays])
    laid = np.empty([data.shape[dim] for dim in reversed(inner_first)], data.dtype)
    laid = laid.transpose([data.ndim - 1 - inner_first.index(dim) for dim in range(data.ndim)])
    if laid.strides == data.strides:
        return data
    laid[...] = data
    return laid


def _steps(operand: ndarray, shape: tuple[int, ...]) -> list[int]:
    """Return an operand's steps in the dimensions of the result, 0 where it was broadcast."""
    added = len(shape) - operand.ndim
    return [0] * added + [
        0 if length == 1 != shape[dim] else step
        for dim, (length, step) in enumerate(
            zip(operand.shape, operand.strides, strict=True), start=added
        )
    ]


def _inner_first(shape: tuple[int, ...], all_steps: list[list[int]]) -> list[int]:
    """Return the dimensions in their order in memory, by insertion: not all can be compared."""
    order = list(range(len(shape)))[::-1]
    for end in range(1, len(order)):
        at = end
        for before in reversed(range(end)):
            compared = _compared(order[before], order[at], shape, all_steps)
            if compared < 0:
                break
            if compared > 0:
                order[before], order[at] = order[at], order[before]
                at = before
    return order


def _compared(one: int, other: int, shape: tuple[int, ...], all_steps: list[list[int]]) -> int:
    """Return a negative number if dimension `one` is the inner one, 0 if nobody can tell."""
    for steps in all_steps:
        if steps[one] and steps[other]:
            if steps[one] != steps[other]:
                return steps[one] - steps[other]
            if shape[one] > shape[other]:
                return 1
    return 0
