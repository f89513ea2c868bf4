"""The memory layout of results: their dimensions are in the order of the operands' dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy import ndarray

from autograd_core.rules import alignment

# The ways to name one dtype.
_HALVES = {np.float16, np.dtype(np.float16)}


def in_order_of(data: Any, *operands: Any) -> Any:
    """Return NumPy `data` in the memory layout of PyTorch's result for these operands.

    If operands disagree, NumPy prefers a contiguous result.
    """
    for each in operands:
        # An operand that is one number everywhere has no order.
        if type(each) is ndarray and not each.flags.c_contiguous and any(each.strides):
            break
    else:
        return data
    arrays = [each for each in operands if type(each) is ndarray]
    first = next(each for each in arrays if any(each.strides))
    if first.shape == data.shape and first.strides == data.strides:
        return data
    return laid(data, [steps_in(each, data.shape) for each in arrays])


def laid(data: Any, operands: Sequence[Sequence[int]]) -> Any:
    """Return `data` in the memory layout of `_laid_out`."""
    result = _laid_out(data.shape, data.dtype, operands)
    if result.strides == data.strides:
        return data
    result[...] = data
    return result


def _laid_out(shape: tuple[int, ...], kind: Any, operands: Sequence[Sequence[int]]) -> np.ndarray:
    """Return a new array whose dimensions are in memory in the order of the operands' strides.

    Each operand has a stride for each dimension, 0 if it is expanded there. Of two dimensions, the
    inner one is the one with the smaller stride in the first operand that has both.
    """
    # From the inside out, by insertion sort, because not all dimensions can be compared.
    order = list(reversed(range(len(shape))))
    for end in range(1, len(order)):
        place = end
        for before in reversed(range(end)):
            further = _further(shape, operands, order[before], order[place])
            if further < 0:
                break
            if further > 0:
                order[before], order[place] = order[place], order[before]
                place = before
    order.reverse()
    return np.empty([shape[dim] for dim in order], kind).transpose(np.argsort(order))


def _further(shape: Sequence[int], operands: Sequence[Sequence[int]], one: int, other: int) -> int:
    """Return a positive number if dimension `one` belongs further out, 0 if that is undecided."""
    for strides in operands:
        if strides[one] and strides[other]:
            if strides[one] != strides[other]:
                return strides[one] - strides[other]
            if shape[one] > shape[other]:
                return 1
    return 0


def steps_in(operand: ndarray, shape: tuple[int, ...]) -> list[int]:
    """Return an operand's strides in the dimensions of the result, 0 where it was broadcast."""
    added = len(shape) - operand.ndim
    return [0] * added + [
        0 if length == 1 != shape[dim] else step
        for dim, (length, step) in enumerate(
            zip(operand.shape, operand.strides, strict=True), start=added
        )
    ]


def laid_in_order(data: Any) -> Any:
    """Return contiguous NumPy data: `data` itself, or a copy."""
    return data if data.flags.c_contiguous else data.copy()


def in_order(shape: tuple[int, ...], step: int = 1) -> tuple[int, ...]:
    """Return the strides of a contiguous tensor of a shape, the last of them `step`."""
    steps = []
    for length in reversed(shape):
        steps.append(step)
        step *= max(length, 1)
    return tuple(reversed(steps))


def alike(data: np.ndarray, kind: Any) -> np.ndarray:
    """Return a new array in the shape of `data`, in the memory layout of PyTorch's result."""
    if not _leaves_order_open(data):
        in_order = data.flags.c_contiguous
        return alignment.empty(data.shape, kind) if in_order else np.empty_like(data, kind)
    return _laid_out(data.shape, kind, [data.strides])


def converted(data: Any, kind: Any) -> Any:
    """Return a copy of NumPy data in another dtype, in the memory layout of `alike`."""
    return _copied(to_be_rounded(data, kind), kind)


def to_be_rounded(data: Any, kind: Any) -> Any:
    """Return NumPy data that `astype` will round as PyTorch does: to float16 by way of float32."""
    as_halves = kind in _HALVES and data.dtype == np.float64
    return data.astype(np.float32) if as_halves else data


def copy_of(data: Any) -> Any:
    """Return a copy of NumPy data, in the memory layout of `alike`."""
    return _copied(data, data.dtype)


def _copied(data: Any, kind: Any) -> Any:
    if not _leaves_order_open(data):
        return alignment.copied(data, kind)
    result = alike(data, kind)
    result[...] = data
    return result


def _leaves_order_open(data: Any) -> bool:
    """Return whether dimensions are expanded or have equal strides: NumPy moves these elsewhere."""
    steps = data.strides
    return (0 in steps or len({*steps}) < len(steps)) and not data.flags.c_contiguous


def restrided(memory: ndarray, shape: Sequence[int], strides: Sequence[int]) -> ndarray:
    """Return an array that looks at `memory`, from its beginning, by other strides in bytes."""
    if memory.flags.c_contiguous:
        # Faster than `as_strided`.
        return np.ndarray(shape, memory.dtype, memory, 0, strides)
    return np.lib.stride_tricks.as_strided(memory, shape, strides)


def reach(size: Sequence[int], stride: Sequence[int]) -> int:
    """Return how many elements of memory a geometry spans, from its first to its last."""
    return 1 + sum((length - 1) * step for length, step in zip(size, stride, strict=True))


def outermost_first(data: np.ndarray) -> Any:
    """Return the dimensions of NumPy data, that of the largest stride first."""
    return np.argsort(np.negative(data.strides), kind="stable")


def is_dense(data: np.ndarray) -> bool:
    """Return whether the elements fill their memory without gaps, in any order of dimensions."""
    return data.transpose(outermost_first(data)).flags.c_contiguous
