"""Variance and standard deviation, alone or with the mean: var, std, var_mean, std_mean."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_core.creation import plain_number
from autograd_core.function import Function
from autograd_core.messages import warn
from autograd_core.ops.arithmetic import DivNumber, MulNumber
from autograd_core.ops.dims import count_over, dims_of, rows_over
from autograd_core.ops.making import called
from autograd_core.ops.operator import Operator, keep_first, keep_first_and_output, plus
from autograd_core.ops.order_in_memory import laid_in_order
from autograd_core.ops.reductions import spread, unreduced
from autograd_core.tensor import Tensor, wrap


class Var(Operator):
    """z = sum (x - m)^2 / (n - c) for the mean m;  dL/dx = g * 2 (x - m) / (n - c)."""

    saved_names, setup_context = ("self",), keep_first

    @staticmethod
    def forward(x, dims, correction, keepdim):
        variance = _variance(x._array, dims, correction, keepdim).astype(x._array.dtype)
        return wrap(laid_in_order(variance))

    @staticmethod
    def backward(ctx, g):
        return Var.pulled(ctx, g, *ctx.saved_tensors), None, None, None

    @staticmethod
    def pulled(ctx, g, x):
        """Return dL/dx."""
        dims, _, keepdim = ctx.arguments
        return Var.times_slope(ctx, unreduced(g, dims, keepdim) if x.dim() > 1 else g, x)

    @staticmethod
    def times_slope(ctx, g, x):
        """Return g, broadcast to the shape of x, times dz/dx."""
        dims, correction, _ = ctx.arguments
        whole = dims is None or not x.shape
        if whole and x.numel() <= correction:
            alike = (x == x.mean())._array
            return g * wrap(np.where(alike, math.nan, math.inf).astype(x._array.dtype))
        freedom = _count(x._array, dims) - correction
        centred = x - (x.mean() if whole else x.mean(dims, True))
        return MulNumber.apply(g, 2 / freedom if freedom else math.inf) * centred

    @staticmethod
    def jvp(ctx, dx, *_):
        dims, _, keepdim = ctx.arguments
        return Var.times_slope(ctx, dx, ctx.saved_tensors[0]).sum(dims, keepdim)


class Std(Operator):
    """z = the square root of `Var`;  dL/dx = g * (x - m) / (n - c) / z, 0 where z is 0."""

    saved_names, setup_context = ("self", "result"), keep_first_and_output

    @staticmethod
    def forward(x, dims, correction, keepdim):
        variance = _variance(x._array, dims, correction, keepdim)
        return wrap(laid_in_order(np.sqrt(variance).astype(x._array.dtype)))

    @staticmethod
    def backward(ctx, g):
        return Std.pulled(ctx, g, *ctx.saved_tensors), None, None, None

    @staticmethod
    def pulled(ctx, g, x, z):
        """Return dL/dx."""
        return Var.pulled(ctx, (g / MulNumber.apply(z, 2)).masked_fill_(z == 0, 0), x)

    @staticmethod
    def jvp(ctx, dx, *_):
        z = ctx.saved_tensors[1]
        return (Var.jvp(ctx, dx) / MulNumber.apply(z, 2)).masked_fill_(z == 0, 0)


class VarMean(Function):
    """`Var` and the mean together;  dL/dx = the sum of their gradients."""

    node_name = "VarMeanBackward0"
    saved_names: tuple[str, ...] = ("self",)
    spread_of: Any = Var

    @classmethod
    def forward(cls, ctx, x, *arguments):
        z = cls.spread_of.forward(x, *arguments)
        dims, _, keepdim = ctx.arguments = arguments
        ctx.save_for_backward(x)
        ctx.materializes = False
        dims = dims or None
        total = x._array.sum(axis=dims, keepdims=keepdim, dtype=np.float64)
        mean = total / _count(x._array, dims)
        if not np.isfinite(mean).all():
            # PyTorch's running mean turns from infinity to nan at the next number.
            passed = np.isinf(rows_over(x._array, dims)[..., :-1]).any(-1)
            mean = np.where(passed.reshape(mean.shape), np.nan, mean)[()]
        return z, wrap(laid_in_order(mean.astype(x._array.dtype)))

    @classmethod
    def backward(cls, ctx, g, h):
        kept = ctx.saved_tensors
        dims, _, keepdim = ctx.arguments
        of_mean = of_spread = None
        if h is not None:
            repeated = spread(h, kept[0].shape, dims, keepdim)
            of_mean = DivNumber.apply(repeated, _count(kept[0]._array, dims or None))
        if g is not None:
            of_spread = cls.spread_of.pulled(ctx, g, *kept)
        return plus(of_spread, of_mean), None, None, None

    @classmethod
    def jvp(cls, ctx, dx, *_):
        dims, _, keepdim = ctx.arguments
        return cls.spread_of.jvp(ctx, dx), dx.mean(dims, keepdim)


class StdMean(VarMean):
    """`Std` and the mean together;  dL/dx = the sum of their gradients."""

    node_name, saved_names, spread_of = "StdMeanBackward0", ("self", "result0"), Std

    @classmethod
    def forward(cls, ctx, x, *arguments):
        z, mean = super().forward(ctx, x, *arguments)
        ctx.save_for_backward(x, z)
        return z, mean


def _in_all_forms(name: str, operator: type[Function], returned: str) -> Callable[..., Any]:
    def function(
        input: Tensor,
        dim: Any = ...,
        unbiased: Any = None,
        keepdim: bool = False,
        *,
        correction: Any = ...,
    ) -> Any:
        if isinstance(dim, bool):
            dim, unbiased = ..., dim
        if unbiased is not None:
            if correction is not ... or (dim is ... and keepdim):
                raise TypeError
            correction = int(unbiased)
        if not input.is_floating_point():
            what = "std and var" if name in ("std", "var") else name
            raise RuntimeError(f"{what} only support floating point and complex dtypes")
        dims = dims_of(input, None if dim is ... else dim)
        correction = 1 if correction in (None, ...) else plain_number(correction)
        if (_count(input._array, dims) if input._array.size else 0) <= correction:
            warn(
                f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than "
                "the reduction factor (input numel divided by output numel)."
            )
        if dims is None and dim not in (None, ...) and input.dim():
            # An empty tuple reduces all dimensions, but as in PyTorch backward counts none.
            dims = ()
        return operator.apply(input, dims, correction, keepdim)

    doc = f"""Return {returned}, over dimensions or of all elements.

    The squares are divided by n - `correction`; warns if that is not positive. In the forms
    {name}(dim, unbiased, keepdim) and {name}(unbiased) the correction is 1 if `unbiased`, else 0.
    """
    return called(name, doc, function)


var = _in_all_forms("var", Var, "the variance")
std = _in_all_forms("std", Std, "the standard deviation")
var_mean = _in_all_forms("var_mean", VarMean, "variance and mean")
std_mean = _in_all_forms("std_mean", StdMean, "standard deviation and mean")


def _count(a: Any, dims: Any) -> int:
    return a.size if dims is None else count_over(a, dims)


def _variance(a: Any, dims: Any, correction: float, keepdim: bool) -> Any:
    wide, dims = np.asarray(a, np.float64), dims or None
    count = np.float64(_count(a, dims))
    centred = wide - wide.sum(axis=dims, keepdims=True) / count
    total = (centred * centred).sum(axis=dims, keepdims=keepdim)
    return np.asarray(total / np.maximum(count - correction, 0))[()]
