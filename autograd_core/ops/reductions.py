"""Operators that make fewer numbers of many: sum, mean, prod, max, min, var, cumsum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from autograd_core.function import Function
from autograd_core.tensor import Tensor, wrap


class MaxResult(NamedTuple):
    """What `max(dim)` and `min(dim)` return."""

    values: Tensor
    indices: Tensor


class Sum(Function):
    """z = sum of x over dims;  dL/dx = g, repeated over them."""

    node_name = "SumBackward0"

    @staticmethod
    def forward(ctx, x, dims, keepdim):
        a = x._array
        ctx.shape, ctx.dims, ctx.keepdim = a.shape, dims, keepdim
        kind = a.dtype if a.dtype.kind == "f" else np.int64
        return wrap(np.add.reduce(a, axis=dims, keepdims=keepdim, dtype=kind))

    @staticmethod
    def backward(ctx, g):
        return spread(g, ctx.shape, ctx.dims, ctx.keepdim), None, None

    @staticmethod
    def jvp(ctx, dx, *_):
        return dx.sum(ctx.dims, ctx.keepdim)


class SumDims(Sum):
    """As `Sum`, over chosen dimensions: PyTorch gives this node a name of its own."""

    node_name = "SumBackward1"


class Mean(Function):
    """z = mean of x over dims;  dL/dx = g / n, repeated over them."""

    node_name = "MeanBackward0"

    @staticmethod
    def forward(ctx, x, dims, keepdim):
        a = x._array
        if a.dtype.kind != "f":
            name = x.dtype.title
            raise RuntimeError(
                "mean(): could not infer output dtype. Input dtype must be either a floating "
                f"point or complex dtype. Got: {name}"
            )
        ctx.shape, ctx.dims, ctx.keepdim = a.shape, dims, keepdim
        with np.errstate(all="ignore"):
            z = np.add.reduce(a, axis=dims, keepdims=keepdim)
            ctx.count = a.size // z.size if z.size else 1
            return wrap(z / z.dtype.type(ctx.count))

    @staticmethod
    def backward(ctx, g):
        return spread(g, ctx.shape, ctx.dims, ctx.keepdim) / ctx.count, None, None

    @staticmethod
    def jvp(ctx, dx, *_):
        return dx.mean(ctx.dims, ctx.keepdim)


class MeanDims(Mean):
    """As `Mean`, over chosen dimensions: PyTorch gives this node a name of its own."""

    node_name = "MeanBackward1"


class Prod(Function):
    """z = product of x;  dL/dx_i = g * product of the others."""

    node_name, saved_names = "ProdBackward0", ("self",)

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return wrap(np.multiply.reduce(x._array, axis=None))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * _products_of_others(x)

    @staticmethod
    def jvp(ctx, dx):
        (x,) = ctx.saved_tensors
        return (dx * _products_of_others(x)).sum()


class Extreme(Function):
    """z = the largest (or smallest) of all of x;  g is shared evenly between equals."""

    node_name, saved_names, pick = "MaxBackward1", ("self", "result"), np.max

    @classmethod
    def forward(cls, ctx, x):
        z = wrap(cls.pick(x._array))
        ctx.save_for_backward(x, z)
        return z

    @staticmethod
    def backward(ctx, g):
        x, z = ctx.saved_tensors
        chosen = (x == z).to(x.dtype)
        return g * (chosen / chosen.sum())

    @staticmethod
    def jvp(ctx, dx):
        return Extreme.backward(ctx, dx).sum()


class Smallest(Extreme):
    """As `Extreme`, for the smallest."""

    node_name, pick = "MinBackward1", np.min


class ExtremeDim(Function):
    """z = the largest (or smallest) along a dimension, and where;  g goes to the chosen one."""

    node_name, saved_names, pick = "MaxBackward0", ("indices",), np.argmax

    @classmethod
    def forward(cls, ctx, x, dim, keepdim):
        a = x._array
        indices = np.expand_dims(cls.pick(a, axis=dim), dim)
        values = np.take_along_axis(a, indices, dim)
        ctx.dim, ctx.keepdim, ctx.shape = dim, keepdim, a.shape
        where = wrap(indices if keepdim else indices.squeeze(dim)[()])
        ctx.mark_non_differentiable(where)
        ctx.save_for_backward(where)
        return MaxResult(wrap(values if keepdim else values.squeeze(dim)[()]), where)

    @staticmethod
    def backward(ctx, g, _):
        from autograd_core.creation import zeros_of

        (where,) = ctx.saved_tensors
        if not ctx.keepdim:
            where, g = where.unsqueeze(ctx.dim), g.unsqueeze(ctx.dim)
        empty = zeros_of(ctx.shape, g._array.dtype)
        return empty.scatter_add(ctx.dim, where, g), None, None

    @staticmethod
    def jvp(ctx, dx, *_):
        (where,) = ctx.saved_tensors
        where = where if ctx.keepdim else where.unsqueeze(ctx.dim)
        tangent = dx.gather(ctx.dim, where)
        return (tangent if ctx.keepdim else tangent.squeeze(ctx.dim)), None


class SmallestDim(ExtremeDim):
    """As `ExtremeDim`, for the smallest."""

    node_name, pick = "MinBackward0", np.argmin


class Cumsum(Function):
    """z_i = x_0 + ... + x_i;  dL/dx_i = g_i + g_(i+1) + ..."""

    node_name = "CumsumBackward0"

    @staticmethod
    def forward(ctx, x, dim):
        ctx.dim = dim
        a = x._array
        return wrap(np.cumsum(a, axis=dim, dtype=a.dtype if a.dtype.kind == "f" else np.int64))

    @staticmethod
    def backward(ctx, g):
        return g.flip(ctx.dim).cumsum(ctx.dim).flip(ctx.dim), None

    @staticmethod
    def jvp(ctx, dx, _):
        return dx.cumsum(ctx.dim)


def sum(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Return the sum of all elements, or over one or several dimensions."""
    if dim is None:
        return Sum.apply(input, None, keepdim)
    return SumDims.apply(input, _dims(input, dim), keepdim)


def mean(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Return the mean of all elements, or over one or several dimensions; floating only."""
    if dim is None:
        return Mean.apply(input, None, keepdim)
    return MeanDims.apply(input, _dims(input, dim), keepdim)


def var(input: Tensor, dim: Any = None, *, correction: int = 1, keepdim: bool = False) -> Tensor:
    """Return the variance, with n - correction in the denominator."""
    centred = input - input.mean(dim, True) if dim is not None else input - input.mean()
    total = (centred * centred).sum(dim, keepdim)
    count = input.numel() // total.numel() if total.numel() else 0
    return total / (count - correction)


def std(input: Tensor, dim: Any = None, *, correction: int = 1, keepdim: bool = False) -> Tensor:
    """Return the standard deviation, with n - correction in the denominator."""
    return var(input, dim, correction=correction, keepdim=keepdim).sqrt()


def prod(input: Tensor) -> Tensor:
    """Return the product of all elements."""
    return Prod.apply(input)


def max(input: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    """Return the largest element, or (values, indices) along `dim`, or of two tensors."""
    if isinstance(dim, Tensor):
        return input.maximum(dim)
    if dim is None:
        return Extreme.apply(input)
    return _extreme(ExtremeDim, input, dim, keepdim)


def min(input: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    """Return the smallest element, or (values, indices) along `dim`, or of two tensors."""
    if isinstance(dim, Tensor):
        return input.minimum(dim)
    if dim is None:
        return Smallest.apply(input)
    return _extreme(SmallestDim, input, dim, keepdim)


def _extreme(operator: type[Function], input: Tensor, dim: int, keepdim: bool) -> MaxResult:
    dim = dim_from_front(input, dim)
    if input.dim():
        return operator.apply(input, dim, keepdim)
    values, indices = operator.apply(input.view(1), dim, False)
    return MaxResult(values, indices)


def argmax(input: Tensor, dim: int | None = None) -> Tensor:
    """Return the index of the largest element, in the flattened tensor or along `dim`."""
    return wrap(np.argmax(input._array, axis=dim))


def argmin(input: Tensor, dim: int | None = None) -> Tensor:
    """Return the index of the smallest element, in the flattened tensor or along `dim`."""
    return wrap(np.argmin(input._array, axis=dim))


def cumsum(input: Tensor, dim: int) -> Tensor:
    """Return the running sum along `dim`."""
    return Cumsum.apply(input, dim_from_front(input, dim))


def all(input: Tensor, dim: int | None = None) -> Tensor:
    """Return whether all elements are true."""
    return wrap(np.all(input._array, axis=dim))


def any(input: Tensor, dim: int | None = None) -> Tensor:
    """Return whether any element is true."""
    return wrap(np.any(input._array, axis=dim))


def sum_to(grad: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Sum over the dimensions that broadcasting had added to or stretched from `shape`."""
    have = grad._array.shape
    if have == shape:
        return grad
    added = len(have) - len(shape)
    stretched = [
        added + i for i, length in enumerate(shape) if length == 1 and have[added + i] != 1
    ]
    dims = (*range(added), *stretched)
    return grad.sum(dims, True).view(shape) if dims else grad.view(shape)


def spread(grad: Tensor, shape: tuple[int, ...], dims: Any, keepdim: bool) -> Tensor:
    """Repeat the gradient of a reduction over the dimensions that it had reduced."""
    if dims is not None and not keepdim:
        for dim in sorted(dims):
            grad = grad.unsqueeze(dim)
    return grad.expand(shape)


def _products_of_others(x: Tensor) -> Tensor:
    from autograd_core.ops.joining import stack

    flat = x.reshape(-1)
    products = []
    for i in range(len(flat)):
        product: Any = 1
        for j in range(len(flat)):
            product = product if i == j else flat[j] * product
        products.append(product if isinstance(product, Tensor) else flat[i] * 0 + 1)
    return stack(products).view(x.shape) if products else x


def _dims(tensor: Tensor, dim: int | Sequence[int]) -> tuple[int, ...]:
    dims = (dim,) if isinstance(dim, int) else tuple(dim)
    from_front = tuple([dim_from_front(tensor, each) for each in dims])
    # PyTorch lets a 0-d tensor be reduced over a dimension that it does not have.
    return from_front if tensor.dim() else ()


def dim_from_front(tensor: Tensor, dim: int) -> int:
    """Return `dim` counted from the front, or raise PyTorch's IndexError."""
    rank = tensor.dim() if tensor.dim() > 1 else 1
    if not -rank <= dim < rank:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], "
            f"but got {dim})"
        )
    return dim % rank
