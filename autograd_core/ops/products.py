"""Products other than `matmul`: inner, baddbmm, cross, kron."""

from __future__ import annotations

import numpy as np

from autograd_core.messages import warn_once
from autograd_core.ops.dims import dim_that_is
from autograd_core.ops.elementwise import broadcast
from autograd_core.ops.matrix_products import Addmm, Product, check_bmm, dot, scale_of, scaled
from autograd_core.ops.operator import Operator
from autograd_core.ops.order_in_memory import laid_in_order
from autograd_core.ops.shape import UnsafeView, expanded_shape
from autograd_core.tensor import Tensor, wrap
from autograd_core.tensors.dtypes import NUMBERS, check_kernel

_NO_DIM = (
    "Using torch.cross without specifying the dim arg is deprecated.\n"
    "Please either pass the dim explicitly or simply use torch.linalg.cross.\n"
    "The default value of dim will change to agree with that of linalg.cross in a future release."
)


class Baddbmm(Operator):
    """Z = b B + a X Y of stacks;  dL/dB = b G,  dL/dX = a G Y^T,  dL/dY = a X^T G."""

    saved_names, forward = ("batch1", "batch2"), Addmm.forward

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, x, y, *ctx.scales = inputs
        _, to_x, to_y, *_ = ctx.needs_input_grad
        ctx.keep((x if to_y else None, y if to_x else None))

    @staticmethod
    def backward(ctx, g):
        (x, y), (beta, alpha) = ctx.saved_tensors, ctx.scales
        # In PyTorch's order, which is not that of `Bmm`.
        by_x = None if y is None else scaled(g.bmm(y.transpose(1, 2)), alpha)
        by_y = None if x is None else scaled(x.transpose(1, 2).bmm(g), alpha)
        return scaled(g, beta), by_x, by_y, None, None

    @staticmethod
    def jvp(ctx, db, dx, dy, *_):
        (x, y), (beta, alpha) = ctx.saved_tensors, ctx.scales
        return db * beta + (dx.bmm(y) + x.bmm(dy)) * alpha


class Cross(Product):
    """z = cross(x, y) along dim;  dL/dx = cross(y, g),  dL/dy = cross(g, x)."""

    node_name, saved_names = "LinalgCrossBackward0", ("self", "other")

    @staticmethod
    def forward(x, y, dim):  # type: ignore[override]  # products of matrices take no dim
        a, b = broadcast(np.broadcast_arrays, x._array, y._array)
        check_kernel("cross", a, NUMBERS)
        if x.dtype is not y.dtype:
            raise RuntimeError(f"expected scalar type {x.dtype.title} but found {y.dtype.title}")
        return wrap(laid_in_order(np.cross(a, b, axis=dim)))

    @staticmethod
    def backward(ctx, g):
        (x, y), (dim,) = ctx.saved_tensors, ctx.arguments
        # In this order, which decides how a second backward adds up gradients of g.
        by_y = None if x is None else Cross.apply(g, x, dim)
        return None if y is None else Cross.apply(y, g, dim), by_y, None


def baddbmm(
    input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: float = 1, alpha: float = 1
) -> Tensor:
    """Return beta * input + alpha * batch1 @ batch2 of stacks of matrices; `input` broadcasts."""
    shape_of_baddbmm(input, batch1, batch2)
    return Baddbmm.apply(input, batch1, batch2, scale_of(input, beta), scale_of(input, alpha))


def shape_of_baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor) -> tuple[int, ...]:
    """Return the shape of the products batch1 @ batch2; raise for factors that do not fit."""
    shape = batch1.size(0), batch1.size(1), batch2.size(2)
    expanded_shape(input, shape)
    if input.dtype is not batch1.dtype:
        raise RuntimeError(
            f"Input dtypes must be the same, got: input {input.dtype.in_c}, "
            f"batch1: {batch1.dtype.in_c}, batch2: {batch2.dtype.in_c}"
        )
    check_bmm(batch1, batch2)
    return shape


def inner(input: Tensor, other: Tensor) -> Tensor:
    """Return the products of `input` and `other`, summed over the last dimension of both."""
    if not input.dim() or not other.dim():
        return input * other
    if input.shape[-1] != other.shape[-1]:
        raise RuntimeError(
            "inner() the last dimension must match on both input tensors but got shapes "
            f"{list(input.shape)} and {list(other.shape)}"
        )
    if input.dtype is not other.dtype:
        raise RuntimeError("both inputs should have same dtype")
    of_rows, length, of_columns = input.shape[:-1], input.shape[-1], other.shape[:-1]
    if length == 1:
        input = input.sum(-1, True, dtype=input.dtype)
    rows = input.permute(*range(input.dim() - 1), -1)
    turned = -1, *range(other.dim() - 1)
    # In PyTorch's order, as all that follows in its graph.
    if of_rows.numel() == of_columns.numel() == 1:
        right = other.permute(*turned).flatten()
        product = dot(rows.flatten(), right)
    else:
        left = rows.reshape(of_rows.numel(), length)
        product = left.mm(other.permute(*turned).reshape(length, of_columns.numel()))
    return product.view((*of_rows, *of_columns))


def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    """Return the cross products along `dim`, by default the first of length 3."""
    if dim is None:
        warn_once(_NO_DIM)
        dim = next((each for each, length in enumerate(input.shape) if length == 3), None)
        if dim is None:
            raise RuntimeError("no dimension of size 3 in input")
    return linalg_cross(input, other, dim=dim)


def linalg_cross(input: Tensor, other: Tensor, *, dim: int = -1) -> Tensor:
    """Return the cross products along `dim`, the last one by default."""
    if input.dim() != other.dim():
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    front = dim_that_is(input, dim)
    lengths = input.shape[front], other.shape[front]
    if lengths != (3, 3):
        raise RuntimeError(
            f"linalg.cross: inputs dimension {dim} must have length 3. Got {lengths[0]} and "
            f"{lengths[1]}"
        )
    return Cross.apply(input, other, front)


def kron(input: Tensor, other: Tensor) -> Tensor:
    """Return the Kronecker product: `other` times each element of `input`, side by side."""
    rank = max(input.dim(), other.dim())
    ours, theirs = [(1,) * (rank - each.dim()) + tuple(each.shape) for each in (input, other)]
    apart = tuple([length for each in ours for length in (each, 1)])
    within = tuple([length for each in theirs for length in (1, each)])
    shape = tuple([a * b for a, b in zip(ours, theirs, strict=True)])
    product = UnsafeView.apply(input, apart) * UnsafeView.apply(other, within)
    return UnsafeView.apply(product, shape)
