"""Sums, products and extremes so far along a dimension: cumsum, cumprod, cummax, cummin."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from autograd_core import return_types
from autograd_core.creation import zeros_of
from autograd_core.modes.grad_mode import mode
from autograd_core.ops.dims import dim_from_front
from autograd_core.ops.extremes import Found, same
from autograd_core.ops.indexing import where
from autograd_core.ops.joining import cat
from autograd_core.ops.making import named
from autograd_core.ops.operator import Linear, Operator, keep_first_and_output
from autograd_core.ops.order_in_memory import laid_in_order
from autograd_core.ops.reductions import kind_asked
from autograd_core.ops.reusing import is_plain_value
from autograd_core.tensor import Tensor, wrap
from autograd_core.tensors import dtypes


class Cumsum(Linear):
    """z_i = x_0 + ... + x_i;  dL/dx_i = g_i + g_(i+1) + ..."""

    @staticmethod
    def forward(x, dim, kind):
        return _accumulated(np.add, x._array, dim, kind)

    @staticmethod
    def backward(ctx, g):
        dim, _ = ctx.arguments
        return _from_behind(g, dim), None, None


class Cumprod(Operator):
    """z_i = x_0 * ... * x_i;  dL/dx_i = (g_i z_i + g_(i+1) z_(i+1) + ...) / x_i."""

    saved_names, setup_context = ("self", "result"), keep_first_and_output

    @staticmethod
    def forward(x, dim, kind):
        return _accumulated(np.multiply, x._array, dim, kind)

    @staticmethod
    def backward(ctx, g):
        (x, z), (dim, _) = ctx.saved_tensors, ctx.arguments
        g = g.to(x.dtype)
        if x.numel() < 2 or x.shape[dim] == 1:
            return g, None, None
        if (x._array != 0).all():
            return _from_behind(z * g, dim) / x, None, None
        if is_plain_value():
            return _slope_beside_zeros(x, z, g, dim), None, None
        parts = [
            (part * g.narrow(dim, i, part.shape[dim])).sum(dim, True)
            for i, part in enumerate(_without_each(x, dim))
        ]
        return cat(parts, dim), None, None

    @staticmethod
    def jvp(ctx, dx, *_):
        (x, z), (dim, _) = ctx.saved_tensors, ctx.arguments
        if not x.dim():
            return dx
        if (x._array != 0).all():
            return (dx / x).cumsum(dim) * z
        if mode.enabled and (x.requires_grad or dx.requires_grad):
            # If this is differentiated again, it must not divide by zero.
            tangent = zeros_of(x.shape, dx._array.dtype)
            for i, part in enumerate(_without_each(x, dim)):
                tangent.narrow(dim, i, part.shape[dim]).add_(part * dx.narrow(dim, i, 1))
            return tangent
        count, first = _zeros_so_far(x, dim)
        before = (dx / x).masked_fill(x == 0, 0).cumsum(dim) * z
        from_first = dx.masked_fill(first.logical_not(), 0).cumsum(dim)
        return where(count.ne(0), from_first * x.masked_fill(first, 1).cumprod(dim), before)


class Cummax(Found):
    """z_i = the largest of x_0 … x_i, and where it was;  g is added up at the chosen ones."""

    node_name, saved_names = "CummaxBackward0", ("self", "indices")
    larger: Any = np.maximum
    result: Any = return_types.cummax

    @classmethod
    def forward(cls, ctx, x, dim):
        a = np.atleast_1d(x.memory())
        values = laid_in_order(cls.larger.accumulate(a, axis=dim))
        here = np.arange(a.shape[dim]).reshape(-1, *[1] * (a.ndim - 1 - dim))
        last = np.maximum.accumulate(np.where(same(a, values), here, 0), axis=dim)
        indices = laid_in_order(last)
        found = cls.with_indices(ctx, x, dim, values, indices)
        ctx.save_for_backward(x, found.indices)
        return found

    @staticmethod
    def backward(ctx, g):
        _, where = ctx.saved_tensors
        return zeros_of(g._array.shape, g._array.dtype).scatter_add(ctx.dim, where, g), None


Cummin = named("Cummin", Cummax, "CumminBackward0", larger=np.minimum, result=return_types.cummin)


def cumsum(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """Return the running sum along `dim`.

    Of integers and bools in int64, if no `dtype` is given. IndexError for other dimensions.
    """
    if dtype is dtypes.bool_:
        raise dtypes.no_kernel("cumsum_out_cpu", dtype.numpy)
    return Cumsum.apply(input, dim_from_front(input, dim), kind_asked(input, dtype))


def cumprod(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """Return the running product along `dim`.

    Of integers and bools in int64, if no `dtype` is given. IndexError for other dimensions.
    """
    if dtype is dtypes.bool_:
        raise dtypes.no_kernel("cumprod_out_cpu", dtype.numpy)
    return Cumprod.apply(input, dim_from_front(input, dim), kind_asked(input, dtype))


def cummax(input: Tensor, dim: int) -> Any:
    """Return (values, indices) of the largest elements so far along `dim`, the last of equals."""
    return Cummax.apply(input, dim_from_front(input, dim))


def cummin(input: Tensor, dim: int) -> Any:
    """Return (values, indices) of the smallest elements so far along `dim`, the last of equals."""
    return Cummin.apply(input, dim_from_front(input, dim))


def _accumulated(function: np.ufunc, a: Any, dim: int, kind: Any) -> Tensor:
    kind = kind or (a.dtype if a.dtype.kind == "f" else np.dtype(np.int64))
    a = a.astype(kind)
    if not a.ndim:
        return wrap(a)
    if function is np.add:
        # PyTorch's sums begin with 0, and 0 + -0 is 0.
        a += a.dtype.type(0)
    exact = np.float64 if kind == np.float32 else np.float32 if kind == np.float16 else kind
    z = function.accumulate(a, axis=dim, dtype=exact)
    return wrap(laid_in_order(z.astype(kind, copy=False)))


def _from_behind(x: Tensor, dim: int) -> Tensor:
    return x if x.numel() < 2 or x.shape[dim] == 1 else x.flip(dim).cumsum(dim).flip(dim)


def _slope_beside_zeros(x: Tensor, z: Tensor, g: Tensor, dim: int) -> Tensor:
    """Return the gradient of a running product, if it will not be differentiated itself.

    It is 0 after the first zero of each row, whatever follows.
    """
    count, first = _zeros_so_far(x, dim)
    behind, elsewhere = count != 0, count != 1
    slope = _from_behind((z * g).masked_fill(behind, 0), dim) / x
    to_first = x.masked_fill(behind, 1).prod(dim, True)
    others = x.masked_fill(first.logical_or(elsewhere), 1).cumprod(dim)
    at_first = (others * g.masked_fill(elsewhere, 0)).sum(dim, True) * to_first
    return where(first, at_first, slope.masked_fill(behind, 0))


def _zeros_so_far(x: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    """Return the number of zeros up to each element, and where the first one is."""
    count = x.eq(0).cumsum(dim)
    return count, x.eq(0).logical_and(count == 1)


def _without_each(x: Tensor, dim: int) -> Iterator[Tensor]:
    """Return for each i the running products without x_i, from i on: all that depend on it."""
    for i in range(x.shape[dim]):
        before = x.narrow(dim, 0, i).prod(dim, True)
        after = x.narrow(dim, i + 1, x.shape[dim] - i - 1).cumprod(dim)
        yield cat([before, before * after], dim)
