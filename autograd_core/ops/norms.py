"""Norms of vectors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograd_core.creation import plain_number, zeros_of
from autograd_core.messages import check_argument
from autograd_core.ops.dims import dims_of
from autograd_core.ops.elementwise import broadcast, promoted
from autograd_core.ops.making import tensor_only
from autograd_core.ops.operator import Operator, keep_first_and_output
from autograd_core.ops.order_in_memory import laid_in_order
from autograd_core.ops.reductions import unreduced
from autograd_core.tensor import Tensor, wrap
from autograd_core.tensors.dtypes import result_type, within_64_bits


class VectorNorm(Operator):
    """z = (sum |x|^p)^(1/p);  dL/dx = g * sign(x) (|x| / z)^(p-1), 0 where z is 0."""

    node_name, saved_names = "LinalgVectorNormBackward0", ("self", "result")

    setup_context = keep_first_and_output

    @staticmethod
    def forward(x, order, dims, keepdim):
        a = x._array
        sizes = np.abs(np.asarray(a, np.float64))
        if math.isinf(order):
            z = (np.max if order > 0 else np.min)(sizes, axis=dims, keepdims=keepdim)
        elif order == 0:
            z = np.count_nonzero(sizes, axis=dims, keepdims=keepdim)
        else:
            powers = np.add.reduce(sizes**order, axis=dims, keepdims=keepdim)
            if powers.size != a.size and a.dtype != np.float64:
                # In PyTorch they leave the range of float32, where there is something to add.
                in_range = powers.astype(np.float32)
                powers = np.where(np.isfinite(in_range) & (in_range != 0), powers, in_range)
            z = powers ** (1 / order)
        return wrap(laid_in_order((np.float64(1) * z).astype(a.dtype)))

    @staticmethod
    def backward(ctx, g):
        x, z = ctx.saved_tensors
        order, dims, keepdim = ctx.arguments
        if order == 0:
            return None, None, None, None
        return VectorNorm.slope(ctx, x, z, unreduced(g, dims, keepdim)), None, None, None

    @staticmethod
    def jvp(ctx, dx, *_):
        (x, z), (_, dims, keepdim) = ctx.saved_tensors, ctx.arguments
        return VectorNorm.slope(ctx, x, z, dx).sum(dims, keepdim)

    @staticmethod
    def slope(ctx, x, z, g):
        """Return g times the derivative by each element."""
        order, dims, keepdim = ctx.arguments
        z = unreduced(z, dims, keepdim)
        if order == 0:
            return zeros_of(x.shape, g._array.dtype)
        if order == 1:
            return x.sgn() * g
        if order == 2:
            return g * (x / z).masked_fill_(z == 0, 0)
        if math.isinf(order):
            chosen = ((x.abs() == z) | (x.isnan() & z.isnan())).to(x.dtype)
            part = g / chosen.sum(dims, True) * chosen
            return x.sgn() * part
        if order > 2:
            larger = x * x.abs() ** (order - 2.0)
            return larger * (g / z ** (order - 1.0)).masked_fill_(z == 0, 0)
        scaled = x.sgn() * (x.abs() ** (order - 1.0)).masked_fill_(x == 0, 0)
        if order < 1:
            return scaled * g * z ** (1.0 - order)
        return scaled * (g / z ** (order - 1.0)).masked_fill_(z == 0, 0)


class Dist(Operator):
    """z = the norm of x - y;  dL/dx = its slope there,  dL/dy = -dL/dx."""

    saved_names = ("self", "other", "result")

    @staticmethod
    def forward(x, y, order):
        return VectorNorm.forward(wrap(broadcast(np.subtract, *promoted(x, y))), order, None, False)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, y, order = inputs
        ctx.arguments = order, None, False
        ctx.keep((x, y, output))

    @staticmethod
    def backward(ctx, g):
        x, y, z = ctx.saved_tensors
        to_x, to_y, _ = ctx.needs_input_grad
        by_x = VectorNorm.slope(ctx, x - y, z, g) if to_x else None
        return by_x, -VectorNorm.slope(ctx, x - y, z, g) if to_y else None, None

    @staticmethod
    def jvp(ctx, dx, dy, _):
        x, y, z = ctx.saved_tensors
        return VectorNorm.slope(ctx, x - y, z, dx - dy).sum()


def dist(input: Tensor, other: Tensor, p: float = 2) -> Tensor:
    """Return the p-norm of input - other, which are broadcast."""
    made = result_type(input._array, tensor_only("dist", input, other)._array)
    if made.category < 2:
        raise RuntimeError(
            "norm(): input dtype should be either floating point or complex. Got "
            f"{made.title} instead."
        )
    return Dist.apply(input, other, plain_number(p))


def norm(
    input: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: Any = None
) -> Tensor:
    """Return the p-norm of all elements or over dimensions; "fro" and 2 are the Euclidean one."""
    if isinstance(p, str) and p != "fro":
        raise NotImplementedError(f"norm(p={p!r})")
    return vector_norm(input, 2 if p in ("fro", None) else p, dim, keepdim, dtype=dtype)


def vector_norm(
    input: Tensor, ord: float = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """Return (sum |x|^ord)^(1/ord), of all elements or over dimensions (torch.linalg)."""
    if isinstance(ord, Tensor | np.generic) and not (ord.ndim or getattr(ord, "requires_grad", 0)):
        ord = ord.item()
    check_argument("linalg_vector_norm", "ord", ord, int | float, 2, "Number")
    within_64_bits(ord)
    x = input if dtype is None else input.to(dtype)
    if not x.is_floating_point():
        raise RuntimeError(
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got "
            f"{x.dtype.title}"
        )
    dims = dims_of(x, dim)
    if (ord < 0 or math.isinf(ord)) and not x.numel():
        start, end = f"linalg.vector_norm cannot compute the {ord:g} norm on ", "an identity"
        if dims is None:
            raise RuntimeError(f"{start}an empty tensor because the operation does not have {end}")
        for empty in [each for each in dims if not x.shape[each]]:
            # The missing space is PyTorch's.
            raise RuntimeError(
                f"{start}the dimension {getattr(empty, 'given', empty)}because this dimension is "
                f"empty and the operation does not have {end}"
            )
    return VectorNorm.apply(x, ord, dims, keepdim)
