"""Softmax, which makes scores into probabilities; its logarithm; and the logarithm of their sum."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograd_core.ops.dims import dim_from_front, dims_of, shown_as
from autograd_core.ops.in_place import not_the_shape
from autograd_core.ops.operator import Operator, keep_first_and_output, keeping
from autograd_core.ops.order_in_memory import laid_in_order
from autograd_core.ops.reductions import unreduced
from autograd_core.ops.rounding import EXACT_UP_TO, floating, opened
from autograd_core.tensor import Tensor, wrap
from autograd_core.tensors import dtypes

# Python finds these names faster in this module than in NumPy's.
_exp, _log, _float64 = np.exp, np.log, np.float64
_sum: Any = np.add.reduce
_largest: Any = np.maximum.reduce


class Softmax(Operator):
    """z_i = e^x_i / sum_j e^x_j;  dL/dx = z * (g - sum(g * z))."""

    saved_names, keep_for_jvp = ("result",), keep_first_and_output

    @staticmethod
    def forward(x, dims):
        powers, total, _ = _powers(x, dims, "softmax")
        return wrap(_in_place_of(x, powers / total, dims))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.arguments = inputs[1:]
        ctx.keep((output,))

    @staticmethod
    def backward(ctx, g):
        (z,) = ctx.saved_tensors
        return SoftmaxBackward.apply(g, z, *ctx.arguments), None

    @staticmethod
    def jvp(ctx, dx, _):
        x, z = ctx.saved_tensors
        return z * (dx - tangent_of_logsumexp(x, dx, *ctx.arguments))


class SoftmaxBackward(Operator):
    """s = z * (g - sum(g * z));  by g: the same of h,  by z: g h - h sum(g z) - g sum(h z)."""

    node_name, saved_names = "SoftmaxBackwardDataBackward0", ("grad_output", "output")
    setup_context = keeping(2)

    @staticmethod
    def forward(g, z, dims):
        a, b = opened(g._array), opened(z._array)
        # Products are added unrounded, as by PyTorch's fused multiply-add.
        exact = _float64 if a.size <= EXACT_UP_TO else a.dtype
        total = _sum(a.astype(exact) * b, axis=dims, keepdims=True).astype(a.dtype)
        return wrap((b * (a - total)).astype(g._array.dtype, copy=False))

    @staticmethod
    def backward(ctx, h):
        (g, z), (dims,) = ctx.saved_tensors, ctx.arguments
        by_z = g * h - (z * g).sum(dims, True) * h - g * (z * h).sum(dims, True)
        return SoftmaxBackward.apply(h, z, dims), by_z, None

    @staticmethod
    def jvp(ctx, dg, dz, _):
        (g, z), (dims,) = ctx.saved_tensors, ctx.arguments
        through_output = dz * (g - (g * z).sum(dims, True)) - z * (g * dz).sum(dims, True)
        return SoftmaxBackward.apply(dg, z, dims) + through_output


class LogSoftmax(Softmax):
    """z_i = x_i - log sum_j e^x_j;  dL/dx = g - e^z * sum(g)."""

    @staticmethod
    def forward(x, dims):
        _, total, shifted = _powers(x, dims, "log_softmax")
        if x._array.dtype.char == "e" and dims == (x._array.ndim - 1,):
            # Along the last dimension, PyTorch rounds the sum, and then its logarithm.
            total = total.astype(np.float16)
        # NumPy has no reason to warn of this logarithm: a power was 1, unless all is nan.
        return wrap(_in_place_of(x, shifted - _log(total), dims))

    @staticmethod
    def backward(ctx, g):
        (z,) = ctx.saved_tensors
        return LogSoftmaxBackward.apply(g, z, *ctx.arguments), None

    @staticmethod
    def jvp(ctx, dx, _):
        x, _ = ctx.saved_tensors
        return dx - tangent_of_logsumexp(x, dx, *ctx.arguments)


class LogSoftmaxBackward(SoftmaxBackward):
    """s = g - e^z * sum(g);  dL/dg = h - sum(h * e^z),  dL/dz = -h * e^z * sum(g)."""

    node_name = "LogSoftmaxBackwardDataBackward0"

    @staticmethod
    def forward(g, z, dims):
        a, b = opened(g._array), opened(z._array)
        exact = _float64 if a.size <= EXACT_UP_TO else a.dtype
        powers = _exp(b.astype(exact)).astype(b.dtype)
        total = _sum(a, axis=dims, keepdims=True)
        return wrap((a - powers.astype(exact) * total).astype(g._array.dtype, copy=False))

    @staticmethod
    def backward(ctx, h):
        (g, z), (dims,) = ctx.saved_tensors, ctx.arguments
        powers = z.exp()
        return h - (h * powers).sum(dims, True), -g.sum(dims, True) * powers * h, None

    @staticmethod
    def jvp(ctx, dg, dz, _):
        (g, z), (dims,) = ctx.saved_tensors, ctx.arguments
        powers = z.exp()
        return dg - powers * dg.sum(dims, True) - powers * dz * g.sum(dims, True)


class Logsumexp(Operator):
    """z = log sum e^x over dims;  dL/dx = g * e^(x - z)."""

    saved_names, setup_context = ("self", "result"), keep_first_and_output

    @staticmethod
    def forward(x, dims, keepdim):
        a = floating(x._array)
        most = np.max(a, axis=dims, keepdims=True, initial=-np.inf)
        most = np.where(np.isinf(most), 0, most).astype(a.dtype)
        powers = np.exp((a - most).astype(np.float64)).astype(a.dtype)
        total = _sum(powers, axis=dims, keepdims=True)
        logarithm = np.log(total.astype(np.float64)).astype(a.dtype) + most
        return wrap(laid_in_order(logarithm if keepdim else np.squeeze(logarithm, dims)[()]))

    @staticmethod
    def backward(ctx, g):
        (x, z), (dims, keepdim) = ctx.saved_tensors, ctx.arguments
        g = unreduced(g, dims, keepdim)
        return g * (x - unreduced(z, dims, keepdim)).exp(), None, None

    @staticmethod
    def jvp(ctx, dx, *_):
        return tangent_of_logsumexp(ctx.saved_tensors[0], dx, *ctx.arguments)


def tangent_of_logsumexp(x: Tensor, dx: Tensor, dims: Any, keepdim: bool = True) -> Tensor:
    """Return sum(e^x dx) / sum(e^x), without overflow."""
    powers = (x - x.amax(dims, True)).exp() if x.numel() else x.exp()
    return (powers * dx).sum(dims, keepdim) / powers.sum(dims, keepdim)


def softmax(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """Return e^input divided by its sum along `dim`; floating only."""
    return _along(Softmax, input, dim, dtype)


def log_softmax(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """Return the logarithm of `softmax`, without its overflow; floating only."""
    return _along(LogSoftmax, input, dim, dtype)


def logsumexp(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Return log(sum(exp(input))) over one or several dimensions, without overflow."""
    if dim is None:
        raise TypeError
    dims = dims_of(input, dim)
    if dims is None and input.dim() and input.numel() and not keepdim:
        # PyTorch has reduced to the largest element with every dimension kept.
        raise RuntimeError(not_the_shape((), (1,) * input.dim()))
    return Logsumexp.apply(input, dims, keepdim)


def _along(operator: type[Softmax], input: Tensor, dim: int, dtype: Any) -> Tensor:
    if dtype is not None:
        if not isinstance(dtype, dtypes.dtype):
            raise TypeError("dtype must be torch.dtype")
        input = input.to(dtype)
    front = dim_from_front(input, dim)
    return operator.apply(input, (front,) if input.dim() else shown_as((front,)))


def _powers(x: Tensor, dims: tuple[int, ...], name: str) -> tuple[Any, Any, Any]:
    """Return e^(x - max), its sum and x - max: the largest power is 1, so that nothing overflows.

    The dimension comes first in all of them.
    """
    a = opened(x._array)
    if a.dtype.kind != "f":
        last = "_lastdim" if not dims or dims[0] == a.ndim - 1 else ""
        raise dtypes.no_kernel(f"{name}{last}_kernel_impl", a)
    few = a.size <= EXACT_UP_TO
    turned = a.swapaxes(0, *dims) if dims else a.reshape(1)
    if few:
        # The copy saves more time than it takes.
        turned = turned.copy()
    shifted = turned - _largest(turned, axis=0, initial=-math.inf)
    powers = _exp(shifted.astype(_float64)).astype(a.dtype) if few else _exp(shifted)
    if few and a.size == len(powers):
        # One after the other, as PyTorch adds them, and as NumPy does rows: the last digit depends
        # on the order.
        total = np.add.accumulate(powers)[-1:]
    else:
        total = _sum(powers, axis=0)
    return powers, total, shifted


def _in_place_of(x: Tensor, data: Any, dims: tuple[int, ...]) -> Any:
    """Return `data`, computed of x with the dimension first, in the shape and dtype of x."""
    turned = data.swapaxes(0, *dims) if dims else data.reshape(())[()]
    return laid_in_order(turned.astype(x._array.dtype, copy=False))
