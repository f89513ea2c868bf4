"""Reductions to fewer numbers: sum, mean, prod, all, any; and what they share."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from autograd_core.modes.grad_mode import mode
from autograd_core.ops.arithmetic import DivNumber
from autograd_core.ops.dims import dim_from_front, dims_of
from autograd_core.ops.making import called, named
from autograd_core.ops.operator import Linear, Operator, keep_first_and_output
from autograd_core.ops.order_in_memory import laid_in_order
from autograd_core.ops.shape import Expand, expandable, sizes_of
from autograd_core.tensor import Tensor, wrap
from autograd_core.tensors import dtypes

_INT64 = np.dtype(np.int64)
_sum: Any = np.add.reduce
_FIRST, _MANY = (0,), 1024


class Sum(Linear):
    """z = sum of x over dims;  dL/dx = g, repeated over them."""

    @staticmethod
    def forward(x, dims, keepdim, kind):
        a = x._array
        kind = kind or (a.dtype if a.dtype.kind == "f" else _INT64)
        if kind.char == "e":
            # As in PyTorch, rounded to half only at the end.
            total = _sum(a, axis=dims, keepdims=keepdim, dtype=np.float32)
            return wrap(laid_in_order(total.astype(kind)))
        if dims is None:
            return wrap(_sum(a, axis=dims, keepdims=keepdim, dtype=kind))
        if dims == _FIRST and a.size >= _MANY and a.dtype is kind and not keepdim:
            return wrap(_of_rows(a))
        return wrap(laid_in_order(_sum(a, axis=dims, keepdims=keepdim, dtype=kind)))

    @staticmethod
    def backward(ctx, g):
        dims, keepdim, _ = ctx.arguments
        return spread(g, ctx.shape, dims, keepdim), None, None, None


def _of_rows(a: Any) -> Any:
    """Return the sum of many rows, computed as a matrix product, which is more exact.

    It is also many times faster, unless columns are few or far apart.
    """
    if a.ndim != 2 or len(a) < 64 or a.shape[1] < 2 or not a.flags.c_contiguous:
        return laid_in_order(_sum(a, axis=0))
    return (_ones if len(a) < _MANY else np.ones)(len(a), a.dtype) @ a


# Cached, because a batch is summed at each step of training.
_ones = lru_cache(8)(np.ones)


# Over chosen dimensions.
SumDims = named("SumDims", Sum, "SumBackward1")


class Mean(Linear):
    """z = mean of x over dims;  dL/dx = g / n, repeated over them."""

    @staticmethod
    def forward(x, dims, keepdim, kind):
        a = x._array if kind is None else x._array.astype(kind)
        if a.dtype == np.float16:
            # As in PyTorch, rounded to half only at the end.
            exact = Mean.forward(wrap(a.astype(np.float32)), dims, keepdim, None)
            return wrap(exact._array.astype(a.dtype))
        if dims == _FIRST and a.size >= _MANY and not keepdim:
            z = _of_rows(a)
        else:
            z = _sum(a, axis=dims, keepdims=keepdim)
        if dims is not None:
            z = laid_in_order(z)
        return wrap(z / z.dtype.type(_count(a.size, z.size)))

    @staticmethod
    def backward(ctx, g):
        dims, keepdim, _ = ctx.arguments
        count = _count(math.prod(ctx.shape), g._array.size)
        return DivNumber.apply(spread(g, ctx.shape, dims, keepdim), count), None, None, None


def _count(many: int, few: int) -> int:
    """Return how many elements were reduced to each element of the result."""
    return many // few if few else 1


# Over chosen dimensions.
MeanDims = named("MeanDims", Mean, "MeanBackward1")


class Prod(Operator):
    """z = product of x, all of it or along dim;  dL/dx_i = g * product of the others."""

    saved_names, setup_context = ("self", "result"), keep_first_and_output

    @staticmethod
    def forward(x, dim, keepdim, kind):
        a = x._array
        kind = kind or (a.dtype if a.dtype.kind == "f" else np.int64)
        product = np.multiply.reduce(a, axis=dim, keepdims=keepdim, dtype=kind)
        return wrap(product if dim is None else laid_in_order(product))

    @staticmethod
    def backward(ctx, g):
        (x, z), (dim, keepdim, _) = ctx.saved_tensors, ctx.arguments
        if x.dim():
            g = unreduced(g, dim, keepdim) * Prod.share(x, z, dim, keepdim)
        return g, None, None, None

    @staticmethod
    def jvp(ctx, dx, *_):
        (x, z), (dim, keepdim, _) = ctx.saved_tensors, ctx.arguments
        return (dx * Prod.share(x, z, dim, keepdim)).sum(dim, keepdim)

    @staticmethod
    def share(x, z, dim, keepdim):
        """Return the product of the others for each element, in the dtype asked for."""
        x = x.to(z.dtype)
        if not x.dim():
            return x.new_ones(())
        zeros = x._array.size - np.count_nonzero(x._array)
        if not zeros:
            return unreduced(z, dim, keepdim) / x
        if dim is None and zeros > 1 and not mode.enabled:
            return x.new_zeros(x.shape)
        if dim is None:
            return products_of_others(x.reshape(-1), 0).view(x.shape)
        return products_of_others(x, dim[0])


# Along one dimension.
ProdDim = named("ProdDim", Prod, "ProdBackward1")


def sum(input: Tensor, dim: Any = ..., keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Return the sum of all elements, or over one or several dimensions.

    `keepdim` keeps these with length 1. Of integers and bools it is int64, if no `dtype` is given.
    IndexError for dimensions out of range.
    """
    return _reduced(Sum, SumDims, input, dim, keepdim, dtype)


def mean(input: Tensor, dim: Any = ..., keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Return the mean of all elements, or over one or several dimensions; floating only.

    `keepdim` keeps these with length 1. RuntimeError for integers, unless a floating `dtype` is
    given. The mean of no elements is nan.
    """
    if not (dtype or input.dtype).is_floating_point:
        raise RuntimeError(
            f"mean(): could not infer output dtype. {'Input' if dtype is None else 'Optional'} "
            "dtype must be either a floating point or complex dtype. Got: "
            f"{(dtype or input.dtype).title}"
        )
    return _reduced(Mean, MeanDims, input, dim, keepdim, dtype)


def prod(input: Tensor, dim: Any = ..., keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Return the product of all elements, or along one dimension.

    Of integers and bools it is int64, if no `dtype` is given.
    """
    if dim is not ...:
        # One dimension only, unlike `sum` and `mean`.
        dim_from_front(input, dim)
    return _reduced(Prod, ProdDim, input, dim, keepdim, dtype)


def _reduced(
    of_all: type[Operator],
    over_dims: type[Operator],
    input: Tensor,
    dim: Any,
    keepdim: bool,
    dtype: Any,
) -> Tensor:
    kind = kind_asked(input, dtype)
    if dim is ...:
        refuse_alone(keepdim)
        return of_all.apply(input, None, False, kind)
    return over_dims.apply(input, dims_of(input, dim), keepdim, kind)


def kind_asked(input: Tensor, dtype: Any) -> Any:
    """Return NumPy's dtype for `dtype`, if given; RuntimeError if that would lose a gradient."""
    if dtype is None:
        return None
    if not dtype.is_floating_point and input.requires_grad and mode.enabled:
        raise dtypes.no_gradient(dtype)
    return dtype.numpy


def refuse_alone(keepdim: bool) -> None:
    """Raise TypeError for `keepdim` without `dim`."""
    if keepdim:
        raise TypeError("keepdim without dim")


def _truth(test: Callable[..., Any], which: str) -> Callable[..., Tensor]:
    def function(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
        # An empty tuple of dimensions reduces none here, unlike in `sum`.
        dims = () if isinstance(dim, Sequence) and not dim else dims_of(input, dim)
        result = np.asarray(test(input._array, axis=dims, keepdims=keepdim), order="C")
        return wrap(result.astype(np.uint8 if input._array.dtype == np.uint8 else bool)[()])

    doc = f"Return whether {which}, of all or along dimensions (uint8 stays uint8)."
    return called(test.__name__, doc, function)


all = _truth(np.all, "all elements are true")
any = _truth(np.any, "any element is true")


def count_nonzero(input: Tensor, dim: Any = None) -> Tensor:
    """Return the number of elements that are not zero, of all or along dimensions."""
    counts = np.int64(1) * np.count_nonzero(input._array, axis=dims_of(input, dim))
    return wrap(laid_in_order(counts))


def sum_to(grad: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Sum over the dimensions that broadcasting has added to `shape`, or stretched."""
    have = grad._array.shape
    added = len(have) - len(shape)
    if not shape:
        return Sum.apply(grad, None, False, None)
    if added and have[added:] == shape and not mode.enabled:
        return SumDims.apply(grad, _FIRST if added == 1 else tuple(range(added)), False, None)
    stretched = [
        added + i for i, length in enumerate(shape) if length == 1 and have[added + i] != 1
    ]
    dims = (*range(added), *stretched)
    summed = grad.sum(dims, True) if dims else grad
    return summed.view(shape) if added else summed


def spread(grad: Tensor, shape: tuple[int, ...], dims: Any, keepdim: bool) -> Tensor:
    """Repeat the gradient of a reduction over the reduced dimensions."""
    return Expand.apply(unreduced(grad, dims, keepdim), tuple(shape))


def unreduced(grad: Tensor, dims: Any, keepdim: bool) -> Tensor:
    """Give the gradient of a reduction the reduced dimensions back, with length 1."""
    if dims is not None and not keepdim:
        for dim in sorted(dims):
            grad = grad.unsqueeze(dim)
    return grad


def products_of_others(x: Tensor, dim: int) -> Tensor:
    """Return for each element the product of the others along `dim`, without dividing by it."""
    before, after = [
        each.roll(1, dim).index_fill(dim, wrap(np.zeros(1, np.int64)), 1).cumprod(dim)
        for each in (x, x.flip(dim))
    ]
    return before * after.flip(dim)


def sum_to_size(self: Tensor, *sizes: Any, size: Any = None) -> Tensor:
    """Return `self` summed to a shape that broadcasts to its own; RuntimeError for other shapes."""
    wanted, have = sizes_of(sizes, size), tuple(self.shape)
    if not expandable(wanted, have):
        raise RuntimeError(f"size {{{list(wanted)}}} is not expandable to size {{{list(have)}}}.")
    return self if wanted == have else sum_to(self, wanted)
