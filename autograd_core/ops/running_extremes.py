"""Extremes that come in twos: the largest so far and where it was; the smallest and the largest."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

from autograd_core import return_types
from autograd_core.creation import zeros_of
from autograd_core.function import Function
from autograd_core.ops.extremes import mean_of_equals, same, share_of_equals
from autograd_core.ops.reductions import dim_from_front, spread
from autograd_core.storage import laid_in_order
from autograd_core.tensor import Tensor, wrap


class Cummax(Function):
    """z_i = the largest of x_0 … x_i, and where it was;  g is added up at the chosen ones."""

    node_name, saved_names = "CummaxBackward0", ("self", "indices")
    larger: Any = np.maximum
    result: Any = return_types.cummax

    @classmethod
    def forward(cls, ctx, x, dim):
        a, ctx.dim = x.memory(), dim
        if not a.ndim:
            values, indices = a.copy(), np.zeros((), np.int64)
        else:
            values = laid_in_order(cls.larger.accumulate(a, axis=dim))
            lengths = [1] * a.ndim
            lengths[dim] = -1
            here = np.arange(a.shape[dim]).reshape(lengths)
            last = np.maximum.accumulate(np.where(same(a, values), here, 0), axis=dim)
            indices = laid_in_order(last)
        where = wrap(indices)
        ctx.mark_non_differentiable(where)
        ctx.save_for_backward(x, where)
        return cls.result(wrap(values), where)

    @staticmethod
    def backward(ctx, g):
        _, where = ctx.saved_tensors
        if not g.dim():
            return g, None
        return zeros_of(g._array.shape, g._array.dtype).scatter_add(ctx.dim, where, g), None

    @staticmethod
    def jvp(ctx, dx, _):
        _, where = ctx.saved_tensors
        return (dx.gather(ctx.dim, where) if dx.dim() else dx), None


class Cummin(Cummax):
    """As `Cummax`, for the smallest."""

    node_name, larger, result = "CumminBackward0", np.minimum, return_types.cummin


class Aminmax(Function):
    """y, z = the smallest and the largest of x;  each gradient is shared between equals."""

    node_name, saved_names = "AminmaxBackward0", ("self", "min", "max")

    @staticmethod
    def forward(ctx, x, dim, keepdim):
        ctx.dims, ctx.keepdim = None if dim is None else (dim,), keepdim
        axis = dim if x._array.ndim else None
        small, large = [
            wrap(pick(x._array, axis=axis, keepdims=keepdim)) for pick in (np.min, np.max)
        ]
        ctx.save_for_backward(x, small, large)
        return return_types.aminmax(small, large)

    @staticmethod
    def backward(ctx, g, h):
        x, *extremes = ctx.saved_tensors
        dims, keepdim = ctx.dims if x.dim() else None, ctx.keepdim
        first, second = [
            spread(grad, x.shape, dims, keepdim) * share_of_equals(x, extreme, dims, keepdim)
            for grad, extreme in zip((g, h), extremes, strict=True)
        ]
        return first + second, None, None

    @staticmethod
    def jvp(ctx, dx, *_):
        x, *extremes = ctx.saved_tensors
        dims, keepdim = ctx.dims if x.dim() else None, ctx.keepdim
        return tuple(mean_of_equals(dx, x, extreme, dims, keepdim) for extreme in extremes)


def cummax(input: Tensor, dim: int) -> Any:
    """Return (values, indices) of the largest elements so far along `dim`, the last of equals."""
    return Cummax.apply(input, dim_from_front(input, dim))


def cummin(input: Tensor, dim: int) -> Any:
    """Return (values, indices) of the smallest elements so far along `dim`, the last of equals."""
    return Cummin.apply(input, dim_from_front(input, dim))


def aminmax(input: Tensor, *, dim: int | None = None, keepdim: bool = False) -> Any:
    """Return (min, max) over one or all dimensions; equals share the gradient."""
    front = None if dim is None else dim_from_front(input, index(dim))
    if front is None and not input.numel():
        raise RuntimeError(
            "aminmax(): cannot compute aminmax over an empty dimension as the operation has no "
            "identity."
        )
    if front is not None and input.dim() and not input.shape[front]:
        raise IndexError(f"aminmax: Expected reduction dim {dim} to have non-zero size.")
    return Aminmax.apply(input, front, keepdim)
