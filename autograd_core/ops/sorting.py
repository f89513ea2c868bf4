"""Order: sort, argsort, topk, and elements chosen by their order: median, mode, kthvalue."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

from autograd_core import return_types
from autograd_core.ops.dims import dim_from_front, length_of
from autograd_core.ops.extremes import Chosen, Extreme, Found, extreme_of, refuse_no_length
from autograd_core.ops.making import named
from autograd_core.ops.order_in_memory import alike
from autograd_core.ops.reductions import refuse_alone
from autograd_core.ops.ties import most_frequent, settle_first, settle_kth
from autograd_core.tensor import Tensor
from autograd_core.tensors.dtypes import NUMBERS, check_kernel


class Sort(Found):
    """z = x in order along dim, and where from;  dL/dx = g put back in its place."""

    node_name, result = "SortBackward0", return_types.sort

    @classmethod
    def forward(cls, ctx, x, dim, descending):
        a = np.atleast_1d(x.memory())
        order = _order(a, dim, descending)
        values = np.take_along_axis(a, order, dim)
        return cls.with_indices(ctx, x, dim, _laid_like(a, values), _laid_like(a, order))


# With `stable` given.
StableSort = named("StableSort", Sort, "SortBackward1")


class Topk(Found):
    """As `Sort`, of the first k alone;  dL/dx = g put back in its place, 0 elsewhere."""

    node_name, result = "TopkBackward0", return_types.topk

    @classmethod
    def forward(cls, ctx, x, k, dim, largest):
        a = np.atleast_1d(x.memory())
        if k + 1 < a.shape[dim]:
            # One more than k, which may be equal to the last.
            cut = a.shape[dim] - k - 1 if largest else k
            chosen = slice(cut, None) if largest else slice(k + 1)
            places = np.argpartition(a, cut, dim)[(*(slice(None),) * dim, chosen)]
            order = _order(np.take_along_axis(a, places, dim), dim, largest)
            order = np.take_along_axis(places, order, dim)
        else:
            order = _order(a, dim, largest)
        if x.dim():
            settle_first(a, order, k, dim, largest)
            order = order[(slice(None),) * dim + (slice(k),)]
        values = np.take_along_axis(a, order, dim)
        return cls.with_indices(ctx, x, dim, values, np.array(order))


def _laid_like(array: np.ndarray, result: np.ndarray) -> np.ndarray:
    """Return `result` in the memory layout of `array`."""
    if array.flags.c_contiguous:
        return result
    laid = alike(array, result.dtype)
    laid[...] = result
    return laid


def _order(array: np.ndarray, dim: int, descending: bool) -> np.ndarray:
    if not descending:
        return np.argsort(array, axis=dim, kind="stable")
    length = array.shape[dim]
    reversed_order = np.argsort(np.flip(array, dim), axis=dim, kind="stable")
    return np.flip(length - 1 - reversed_order, dim).copy()


def _middle(a: Any) -> Any:
    if not a.size:
        return np.float32("nan").astype(a.dtype)
    middle = (a.size - 1) // 2
    ordered = np.partition(a, (middle, -1), axis=None)
    return ordered[-1] if np.isnan(ordered[-1]) else ordered[middle]


def _where_kth(a: Any, k: int, axis: int) -> Any:
    places = np.array(np.take(np.argpartition(a, k - 1, axis), k - 1, axis))
    settle_kth(a, places, k - 1, axis)
    return places


def _where_middle(a: Any, axis: int) -> Any:
    order = np.argsort(a, axis=axis, kind="stable")
    middle = np.take(order, (a.shape[axis] - 1) // 2, axis)
    missing = np.isnan(a)
    return np.where(missing.any(axis=axis), np.argmax(missing, axis=axis), middle)


def _where_mode(a: Any, axis: int) -> Any:
    if not a.size:
        return np.argmax(a, axis=axis)
    return np.apply_along_axis(most_frequent, axis, a)


Median = named("Median", Extreme, "MedianBackward0", pick=_middle)
# The middle element (the lower of two), the most frequent (the smallest of several), and the k-th.
MedianDim = named(
    "MedianDim", Chosen, "MedianBackward1", pick=_where_middle, result=return_types.median
)
Mode = named("Mode", Chosen, "ModeBackward0", pick=_where_mode, result=return_types.mode)
Kthvalue = named(
    "Kthvalue", Chosen, "KthvalueBackward0", pick=_where_kth, result=return_types.kthvalue
)


def sort(
    input: Tensor, dim: int = -1, descending: bool = False, *, stable: bool | None = None
) -> Any:
    """Return the values in order along `dim`, and the indices they had; equals keep their order.

    A named tuple (values, indices), the indices of int64; nan counts as largest.
    """
    operator = Sort if stable is None else StableSort
    return operator.apply(input, dim_from_front(input, dim), descending)


def argsort(
    input: Tensor, dim: int = -1, descending: bool = False, *, stable: bool | None = None
) -> Tensor:
    """Return the indices that put `input` in order along `dim`."""
    return sort(input, dim, descending).indices


def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    """Return the `k` largest (or smallest) values along `dim`, in order, and their indices.

    A named tuple (values, indices). RuntimeError if there are fewer.
    """
    if input.dtype.category == 0:
        raise RuntimeError("topk does not support bool dtypes on CPU")
    dim = dim_from_front(input, dim)
    if not 0 <= k <= length_of(input, dim):
        raise RuntimeError("selected index k out of range")
    return Topk.apply(input, index(k), dim, largest)


def median(input: Tensor, dim: Any = ..., keepdim: bool = False) -> Any:
    """Return the middle element (the lower of two), or (values, indices) along `dim`."""
    check_kernel("median_cpu" if dim is ... else "median_out", input._array, NUMBERS)
    if dim is ...:
        refuse_alone(keepdim)
        return Median.apply(input)
    return extreme_of("median", Median, MedianDim, input, dim, keepdim)


def mode(input: Tensor, dim: int = -1, keepdim: bool = False) -> Any:
    """Return the most frequent value along `dim` (the smallest of several), and where it is."""
    return extreme_of("mode", Mode, Mode, input, dim, keepdim)


def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    """Return the k-th smallest value along `dim`, and where it is; k counts from 1."""
    front = dim_from_front(input, dim)
    refuse_no_length("kthvalue", input, front)
    check_kernel("kthvalue_cpu", input._array, NUMBERS)
    if not 1 <= k <= length_of(input, front):
        raise RuntimeError("kthvalue(): selected number k out of range for dimension " + str(front))
    return Kthvalue.apply(input, front, keepdim, k)
