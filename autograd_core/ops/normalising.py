"""Scores made into probabilities along one dimension: softmax and its logarithm."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_core.function import Function
from autograd_core.ops.elementwise import EXACT_UP_TO
from autograd_core.ops.reductions import dim_from_front
from autograd_core.tensor import Tensor, wrap


class Softmax(Function):
    """z_i = e^x_i / sum_j e^x_j;  dL/dx = z * (g - sum(g * z))."""

    node_name, saved_names = "SoftmaxBackward0", ("result",)

    @staticmethod
    def forward(ctx, x, dims):
        ctx.dims = dims
        powers, total, _ = _powers(x, dims, "softmax")
        z = wrap((powers / total).astype(x._array.dtype))
        ctx.save_for_backward(z)
        return z

    @staticmethod
    def backward(ctx, g):
        (z,) = ctx.saved_tensors
        weighted = g * z
        return weighted - z * weighted.sum(ctx.dims, True), None

    @staticmethod
    def jvp(ctx, dx, _):
        return Softmax.backward(ctx, dx)[0]


class LogSoftmax(Function):
    """z_i = x_i - log sum_j e^x_j;  dL/dx = g - e^z * sum(g)."""

    node_name, saved_names = "LogSoftmaxBackward0", ("result",)

    @staticmethod
    def forward(ctx, x, dims):
        ctx.dims = dims
        _, total, shifted = _powers(x, dims, "log_softmax")
        with np.errstate(all="ignore"):
            z = wrap((shifted - np.log(total)).astype(x._array.dtype))
        ctx.save_for_backward(z)
        return z

    @staticmethod
    def backward(ctx, g):
        (z,) = ctx.saved_tensors
        return g - z.exp() * g.sum(ctx.dims, True), None

    @staticmethod
    def jvp(ctx, dx, _):
        (z,) = ctx.saved_tensors
        return dx - (z.exp() * dx).sum(ctx.dims, True)


def softmax(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """Return e^input divided by its sum along `dim`; floating only."""
    return Softmax.apply(input if dtype is None else input.to(dtype), _dims(input, dim))


def log_softmax(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """Return the logarithm of `softmax`, without its overflow; floating only."""
    return LogSoftmax.apply(input if dtype is None else input.to(dtype), _dims(input, dim))


def _dims(input: Tensor, dim: int) -> tuple[int, ...]:
    front = dim_from_front(input, dim)
    return (front,) if input.dim() else ()


def _powers(x: Tensor, dims: tuple[int, ...], name: str) -> tuple[Any, Any, Any]:
    """Return e^(x - max), its sum and x - max: what is largest becomes 1, nothing overflows."""
    a = x._array
    if a.dtype.kind != "f":
        last = "_lastdim" if not dims or dims[0] == a.ndim - 1 else ""
        raise NotImplementedError(
            f"\"{name}{last}_kernel_impl\" not implemented for '{x.dtype.title}'"
        )
    few = a.size <= EXACT_UP_TO
    with np.errstate(all="ignore"):
        shifted = a - np.max(a, axis=dims, keepdims=True, initial=-np.inf)
        powers = np.exp(shifted.astype(np.float64)).astype(a.dtype) if few else np.exp(shifted)
        if few and a.size and dims:
            # One after the other, as PyTorch adds them: the last digit depends on the order.
            total = np.add.accumulate(powers, axis=dims[0]).take([-1], axis=dims[0])
        else:
            total = np.add.reduce(powers, axis=dims, keepdims=True)
        return powers, total, shifted
