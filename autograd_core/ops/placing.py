"""Values put into a tensor, or combined with its own: masked_scatter, put, scatter_reduce."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_core.creation import zeros_of
from autograd_core.ops.dims import dim_from_front
from autograd_core.ops.elementwise import broadcast_shape
from autograd_core.ops.indexing import AtIndices
from autograd_core.ops.joining import cat
from autograd_core.ops.operator import Linear, Operator
from autograd_core.ops.order_in_memory import in_order_of
from autograd_core.ops.scattering import Scatter, ScatterReducing, check_flat_index, check_index
from autograd_core.tensor import Tensor, wrap


class MaskedScatter(AtIndices):
    """z = x with the first of y, in order, where the mask holds;  dL/dx = g, 0 there."""

    saved_names = ("mask",)

    @staticmethod
    def forward(x, masks, y):
        z = x.memory().copy()
        holds = np.broadcast_to(masks[0].memory(), z.shape)
        z[holds] = y.memory().reshape(-1)[: np.count_nonzero(holds)]
        return wrap(z)

    @staticmethod
    def setup_context(ctx, inputs, output):
        AtIndices.setup_context(ctx, inputs, output)
        ctx.shape = inputs[2].shape

    @staticmethod
    def backward(ctx, g):
        (mask,), to_y = ctx.saved_tensors, None
        if ctx.needs_input_grad[2]:
            there = g.masked_select(mask)
            rest = g.new_zeros(ctx.shape.numel() - there.numel())
            to_y = cat([there, rest]).reshape(ctx.shape)
        return g.masked_fill(mask, 0), None, to_y


class Put(AtIndices):
    """z = x with y put, or added, at flat indices;  dL/dx = g, or 0 there,  dL/dy = g there."""

    saved_names, setup_context = ("index", "source"), AtIndices.keep_y_too

    @staticmethod
    def forward(x, accumulate, indices, y):
        z = x.memory().copy()
        places, values = indices[0].memory().reshape(-1), y.memory().reshape(-1)
        if accumulate:
            np.add.at(z.reshape(-1), places, values)
        else:
            z.reshape(-1)[places] = values
        return wrap(in_order_of(z, x.memory()))

    @staticmethod
    def backward(ctx, g):
        (index, y), (accumulate,) = ctx.saved_tensors, ctx.arguments
        zeros = zeros_of(index.shape, g._array.dtype)
        by_x = g if accumulate else g.put(index, zeros)
        return by_x, None, None, None if y is None else g.take(index).reshape(y.shape)


class ScatterReduce(Operator):
    """z = x combined with y at the indices;  g times the slope, for x and, there, for y."""

    saved_names = ("self", "src", "index", "result")

    @staticmethod
    def forward(x, dim, indices, y, how, include_self):
        (function, neutral, _), kind = _REDUCTIONS[how], x._array.dtype
        first = y if neutral is None else neutral
        start = x if include_self else Scatter.forward(x, dim, indices, first)
        z = ScatterReducing.forward(start, dim, indices, y, function)
        if how != "mean":
            return z
        ours = wrap(np.full(x.shape, include_self, kind))
        count = np.maximum(ScatterReducing.forward(ours, dim, indices, 1, np.add)._array, 1)
        return wrap(z._array / count if kind.kind == "f" else z._array // count)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, dim, indices, y, *how = inputs
        ctx.arguments = dim, *how
        ctx.keep((x, y, *indices, output))

    @staticmethod
    def backward(ctx, g):
        kept = ctx.saved_tensors
        of_x, of_y = ScatterReduce.slopes(*ctx.arguments, *kept)
        there = g.gather(ctx.arguments[0], kept[2])
        return g * of_x, None, None, there * of_y, None, None

    @staticmethod
    def jvp(ctx, dx, _dim, _index, dy, *_):
        x, y, index, z = ctx.saved_tensors
        # The rest of y is not used.
        put = tuple([slice(length) for length in index.shape])
        kept: Any = x, y[put], index, z
        of_x, of_y = ScatterReduce.slopes(*ctx.arguments, *kept)
        return (dx * of_x).scatter_add(ctx.arguments[0], index, dy[put] * of_y)

    @staticmethod
    def slopes(dim, how, include_self, x, y, index, z):
        """Return dz/dx in the shape of x, and dz/dy of each element that was put."""
        of_x, of_y = _REDUCTIONS[how][2](x, y, z, dim, index, include_self)
        return of_x if include_self else of_x.scatter(dim, index, 0.0), of_y


class NotTwice(Linear):
    """z = x, the slope of a product with two zeros, which cannot be differentiated again."""

    node_name = "Error"

    @staticmethod
    def forward(x):
        return wrap(x._array)

    @staticmethod
    def backward(ctx, g):
        raise RuntimeError(
            "scatter_reduce(): Double backward is unsupported for src when >1 zeros in src are "
            "scattered to the same position in self"
        )


def _of_sum(x: Tensor, *_: Any) -> Any:
    return x.new_ones(x.shape), x.new_ones(())


def _of_mean(x: Tensor, y: Tensor, z: Tensor, dim: int, index: Tensor, include_self: bool) -> Any:
    count = x.new_full(x.shape, include_self).scatter_add(dim, index, y.new_ones(y.shape))
    slope = count.clamp(1).reciprocal()
    return slope, slope.gather(dim, index)


def _of_extreme(x: Tensor, y: Tensor, z: Tensor, dim: int, index: Tensor, *_: Any) -> Any:
    ours, theirs = x.eq(z).to(x.dtype), y.eq(z.gather(dim, index)).to(x.dtype)
    count = ours.scatter_add(dim, index, theirs).clamp(1)
    return ours / count, theirs / count.gather(dim, index)


def _of_product(
    x: Tensor, y: Tensor, z: Tensor, dim: int, index: Tensor, include_self: bool
) -> Any:
    def product(x: Tensor, y: Tensor) -> Tensor:
        return x.scatter_reduce(dim, index, y, "prod", include_self=include_self)

    ours, zero = x.masked_fill(x.eq(0), 1), y.eq(0)
    zeros = x.new_zeros(x.shape).scatter_add(dim, index, zero.to(x.dtype)).gather(dim, index)
    alone = zero & (zeros == 1)
    without = product(x, y.masked_fill(alone, 1)).gather(dim, index)
    others = product(x, y).gather(dim, index) / y.masked_fill(zero, 1)
    of_y = without.where(alone, others)
    return product(ours, y) / ours, NotTwice.apply(of_y) if zeros.gt(1).any() else of_y


# How values are combined, the neutral element, and the slopes.
_REDUCTIONS: dict[str, tuple[np.ufunc, int | None, Callable[..., Any]]] = {
    "sum": (np.add, 0, _of_sum),
    "mean": (np.add, 0, _of_mean),
    "prod": (np.multiply, 1, _of_product),
    "amax": (np.maximum, None, _of_extreme),
    "amin": (np.minimum, None, _of_extreme),
}


def masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """Return `input` with the elements of `source`, in order, where `mask` holds."""
    if mask._array.dtype.kind != "b":
        raise RuntimeError(
            "masked_scatter_ only supports boolean masks, but got mask with dtype "
            f"{mask.dtype.title}"
        )
    if input.dtype is not source.dtype:
        raise RuntimeError(
            "masked_scatter: expected self and source to have same dtypes but got"
            f"{input.dtype.title} and {source.dtype.title}"
        )
    shape = broadcast_shape(mask._array.shape, input._array.shape)
    if np.count_nonzero(np.broadcast_to(mask._array, shape)) > source.numel():
        raise RuntimeError("Number of elements of source < number of ones in mask")
    whole = input if shape == input._array.shape else input.expand(shape)
    return MaskedScatter.apply(whole, (mask,), source)


def put(input: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    """Return `input` with `source` put, or added, at indices of the flattened tensor."""
    if index._array.dtype != np.int64:
        raise RuntimeError(f"put_(): Expected a long tensor for index, but got {index.dtype.title}")
    if input.dtype is not source.dtype:
        raise RuntimeError(
            "put_(): self and source expected to have the same dtype, but got self.dtype = "
            f"{input.dtype.title} and source.dtype = {source.dtype.title}"
        )
    if source.numel() != index.numel():
        raise IndexError(
            "put_(): Expected source and index to have the same number of elements, but got "
            f"source.numel() = {source.numel()}, index.numel() = {index.numel()}"
        )
    check_flat_index(input, index, "put_(): Tried to put elements into an empty tensor")
    return Put.apply(input, accumulate, (index,), source)


def scatter_reduce(
    input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, *, include_self: bool = True
) -> Tensor:
    """Return `input` with `src` combined with it at `index`: sum, prod, mean, amax or amin."""
    dim = dim_from_front(input, dim)
    if reduce not in _REDUCTIONS:
        raise RuntimeError(
            f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}"
        )
    check_index("scatter_reduce", input, dim, index, src)
    return ScatterReduce.apply(input, dim, (index,), src, reduce, include_self)
