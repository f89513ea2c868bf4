"""Order: sort, argsort, topk. Their indices are never differentiable."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_core import return_types
from autograd_core.function import Function, named
from autograd_core.ops.dims import dim_from_front
from autograd_core.ops.equals import settle_first
from autograd_core.storage import order_of
from autograd_core.tensor import Tensor, wrap


class Sort(Function):
    """z = x in order along dim, and where from;  dL/dx = g put back in its place."""

    node_name, saved_names = "SortBackward0", ("indices",)

    @staticmethod
    def forward(ctx, x, dim, descending):
        a = x.memory()
        order = _order(a, dim, descending)
        ctx.dim, ctx.shape = dim, x.shape
        indices = wrap(_laid_like(a, order))
        ctx.mark_non_differentiable(indices)
        ctx.save_for_backward(indices)
        return return_types.sort(wrap(_laid_like(a, _taken(a, order, dim))), indices)

    @staticmethod
    def backward(ctx, g):
        (indices,) = ctx.saved_tensors
        if not indices.dim():
            return g, None, None
        return g.new_zeros(ctx.shape).scatter(ctx.dim, indices, g), None, None

    @staticmethod
    def jvp(ctx, dx, *_):
        (indices,) = ctx.saved_tensors
        return (dx.gather(ctx.dim, indices) if indices.dim() else dx), None


# When asked to keep the order of equals.
StableSort = named("StableSort", Sort, "SortBackward1")


class Topk(Sort):
    """As `Sort`, of the first k alone;  dL/dx = g put back in its place, 0 elsewhere."""

    node_name = "TopkBackward0"

    @staticmethod
    def forward(ctx, x, k, dim, largest):  # type: ignore[override]  # one argument more
        a = x.memory()
        ctx.dim, ctx.shape = dim, x.shape
        order = _order(a, dim, largest)
        if a.ndim:
            settle_first(a, order, k, dim, largest)
            order = order[(slice(None),) * dim + (slice(k),)]
        indices = wrap(np.array(order))
        ctx.mark_non_differentiable(indices)
        ctx.save_for_backward(indices)
        return return_types.topk(wrap(_taken(a, order, dim)), indices)

    @staticmethod
    def backward(ctx, g):
        return *Sort.backward(ctx, g), None


def sort(
    input: Tensor, dim: int = -1, descending: bool = False, *, stable: bool | None = None
) -> Any:
    """Return the values in order along `dim`, and the indices they had; equals keep their order."""
    operator = Sort if stable is None else StableSort
    return operator.apply(input, dim_from_front(input, dim), descending)


def argsort(
    input: Tensor, dim: int = -1, descending: bool = False, *, stable: bool | None = None
) -> Tensor:
    """Return the indices that put `input` in order along `dim`."""
    return sort(input, dim, descending).indices


def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    """Return the `k` largest (or smallest) values along `dim`, in order, and their indices."""
    if input.dtype.category == 0:
        raise RuntimeError("topk does not support bool dtypes on CPU")
    dim = dim_from_front(input, dim)
    if not 0 <= k <= (input.shape[dim] if input.dim() else 1):
        raise RuntimeError("selected index k out of range")
    return Topk.apply(input, k, dim, largest)


def _laid_like(array: np.ndarray, result: np.ndarray) -> np.ndarray:
    """Return `result` with its dimensions in memory in the order of those of `array`."""
    if array.flags.c_contiguous:
        return result
    laid = np.empty_like(array, result.dtype, order_of(array))
    laid[...] = result
    return laid


def _taken(array: np.ndarray, order: np.ndarray, dim: int) -> np.ndarray:
    return np.take_along_axis(array, order, dim) if array.ndim else array.copy()


def _order(array: np.ndarray, dim: int, descending: bool) -> np.ndarray:
    if not array.ndim:
        return np.zeros((), np.int64)
    if not descending:
        return np.argsort(array, axis=dim, kind="stable")
    length = array.shape[dim]
    reversed_order = np.argsort(np.flip(array, dim), axis=dim, kind="stable")
    return np.flip(length - 1 - reversed_order, dim).copy()
