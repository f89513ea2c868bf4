"""Diagonals and triangles of matrices: diagonal, diag, diag_embed, tril, triu, trace."""

from __future__ import annotations

from operator import index

import numpy as np

from autograd_core.ops.dims import dim_among
from autograd_core.ops.making import named, of_one
from autograd_core.ops.operator import Linear
from autograd_core.ops.order_in_memory import laid_in_order
from autograd_core.ops.shape import ViewOperator
from autograd_core.tensor import Tensor, wrap
from autograd_core.tensors.dtypes import NUMBERS, check_kernel
from autograd_core.views import view_of


class Diagonal(ViewOperator):
    """z = x's diagonal, a view;  dL/dx = zeros with g on the diagonal."""

    @staticmethod
    def forward(x, offset, dim1, dim2):
        window = np.diagonal(x.memory(), offset, dim1, dim2)
        window.flags.writeable = x.memory().flags.writeable
        return view_of(x, window)

    @staticmethod
    def backward(ctx, g):
        return DiagonalBackward.apply(g, ctx.shape, *ctx.arguments), None, None, None


class DiagonalCopy(Diagonal):
    """As `Diagonal`, as a copy."""

    node_name = "DiagonalBackward0_copy"
    makes_views = False

    @staticmethod
    def forward(x, *arguments):
        return wrap(Diagonal.forward(x, *arguments)._array.copy())


class DiagonalBackward(Linear):
    """s = zeros with g on the diagonal;  dL/dg = that diagonal."""

    @staticmethod
    def forward(g, shape, offset, dim1, dim2):
        grad = np.zeros(shape, g._array.dtype)
        diagonal = np.diagonal(grad, offset, dim1, dim2)
        diagonal.flags.writeable = True
        diagonal[...] = g._array
        return wrap(grad)

    @staticmethod
    def backward(ctx, h):
        return h.diagonal(*ctx.arguments[1:]), None, None, None, None


class DiagEmbed(Linear):
    """z = zeros with x on the diagonal of two new dimensions;  dL/dx = that diagonal of g."""

    @staticmethod
    def forward(x, offset, dim1, dim2):
        *shape, length = x._array.shape
        for dim in sorted(each % (len(shape) + 2) for each in (dim1, dim2)):
            shape.insert(dim, length + abs(offset))
        return DiagonalBackward.forward(x, shape, offset, dim1, dim2)

    @staticmethod
    def backward(ctx, g):
        return g.diagonal(*ctx.arguments), None, None, None


class Tril(Linear):
    """z = x below a diagonal, 0 above;  dL/dx = g below it."""

    cut = np.tril

    @classmethod
    def forward(cls, x, diagonal):
        if x.dim() < 2:
            name = cls.cut.__name__
            raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")
        return wrap(cls.cut(laid_in_order(x._array), diagonal))

    @classmethod
    def backward(cls, ctx, g):
        return cls.apply(g, *ctx.arguments), None


Triu = named("Triu", Tril, "TriuBackward0", cut=np.triu)


class Trace(Linear):
    """z = the sum of a matrix's diagonal;  dL/dx = g on the diagonal."""

    @staticmethod
    def forward(x):
        a = x._array
        if a.ndim != 2:
            raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {a.ndim}")
        check_kernel("trace", a, NUMBERS)
        return wrap(np.trace(a, dtype=a.dtype if a.dtype.kind == "f" else np.int64))

    @staticmethod
    def backward(ctx, g):
        return DiagonalBackward.apply(g.expand(min(ctx.shape)), ctx.shape, 0, 0, 1)


def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """Return the view of the diagonal of two dimensions, as the last dimension."""
    return Diagonal.apply(input, offset, *_two_dims(input.dim() or 1, dim1, dim2))


def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """Return a matrix with the vector `input` on a diagonal, or a copy of a matrix's diagonal."""
    if input.dim() == 1:
        return DiagEmbed.apply(input, index(diagonal), -2, -1)
    if input.dim() != 2:
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {input.dim()}D")
    return DiagonalCopy.apply(input, diagonal, 0, 1)


def diag_embed(input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """Return `input` with its last dimension spread over the diagonal of two new ones."""
    _two_dims(input.dim() + 1, dim1, dim2)
    return DiagEmbed.apply(input, offset, dim1, dim2)


def _two_dims(rank: int, dim1: int, dim2: int) -> tuple[int, int]:
    """Return two dimensions counted from the front, or raise RuntimeError if they are one."""
    first, second = dim_among(rank, dim1), dim_among(rank, dim2)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    return first, second


def tril(input: Tensor, diagonal: int = 0) -> Tensor:
    """Return matrices with zeros above a diagonal."""
    return Tril.apply(input, index(diagonal))


def triu(input: Tensor, diagonal: int = 0) -> Tensor:
    """Return matrices with zeros below a diagonal."""
    return Triu.apply(input, index(diagonal))


trace = of_one(Trace, "the sum of a matrix's diagonal")
