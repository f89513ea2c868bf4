"""Functions of two operands, element by element: hypot, fmax, fmin, xlogy."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from autograd_core import dtypes
from autograd_core.function import Operator, named
from autograd_core.ops.arithmetic import plus, tensor_only
from autograd_core.ops.elementwise import broadcast, elementwise, floating, operand, promoted
from autograd_core.ops.extremes import Maximum, towards
from autograd_core.tensor import Tensor, wrap


def _length(a: Any, b: Any) -> Any:
    if a.dtype.kind != "f":
        raise dtypes.no_kernel("hypot_cpu", a)
    exactly = np.float64
    return np.hypot(a.astype(exactly), b.astype(exactly)).astype(a.dtype)


def _times_log(a: Any, b: Any) -> Any:
    a, b = floating(a), floating(b)
    exactly = np.float64
    product = a.astype(exactly) * np.log(b.astype(exactly))
    return np.where((a == 0) & (b == b), 0, product).astype(a.dtype)[()]


class Hypot(Operator):
    """z = sqrt(x^2 + y^2);  dL/dx = g * x / z,  dL/dy = g * y / z."""

    node_name, saved_names = "HypotBackward0", ("self", "other", "result")
    forward = elementwise(_length)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.keep((*inputs, output))

    @staticmethod
    def backward(ctx, g):
        x, y, z = ctx.saved_tensors
        to_x, to_y = ctx.needs_input_grad
        return g * (x / z) if to_x else None, g * (y / z) if to_y else None

    @staticmethod
    def jvp(ctx, dx, dy):
        x, y, z = ctx.saved_tensors
        return dx * (x / z) + dy * (y / z)


class Fmax(Maximum):
    """z = max(x, y), or the one that is a number;  g goes to the chosen one, of equals to x.

    Forward mode takes dy of equals, as PyTorch does.
    """

    node_name = "FmaxBackward0"
    forward = elementwise(np.fmax)
    at_least, ahead = operator.ge, operator.gt

    @classmethod
    def backward(cls, ctx, g):
        x, y = ctx.saved_tensors
        chosen = cls.at_least(x, y) | y.isnan()
        return g.masked_fill(~chosen, 0), g.masked_fill(chosen, 0)

    @classmethod
    def jvp(cls, ctx, dx, dy):
        x, y = ctx.saved_tensors
        return towards(dy, dx, cls.ahead(x, y) | y.isnan())


class Fmin(Fmax):
    """As `Fmax`, for the smaller; forward mode takes dx of equals, as PyTorch does."""

    node_name = "FminBackward0"
    forward = elementwise(np.fmin)
    at_least, ahead = operator.le, operator.le


class Xlogy(Operator):
    """z = x log y, 0 where x is;  dL/dx = g * log y,  dL/dy = g * x / y."""

    node_name, saved_names = "XlogyBackward0", ("self", "other")

    @staticmethod
    def forward(x, y):
        return wrap(broadcast(_times_log, *promoted(x, y)))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.keep(inputs)

    @staticmethod
    def backward(ctx, g):
        (x, y), (to_x, to_y) = ctx.saved_tensors, ctx.needs_input_grad
        return g * Xlogy.log(x, y) if to_x else None, g * (x / y) if to_y else None

    @staticmethod
    def jvp(ctx, dx, dy):
        x, y = ctx.saved_tensors
        return plus(
            None if dx is None else dx * Xlogy.log(x, y),
            None if dy is None else dy * (x / y),
        )

    @staticmethod
    def log(x, y):
        """Return log y, 0 where z is 0 whatever y is."""
        if not isinstance(y, Tensor):
            y = wrap(promoted(x, y)[1])
        return y.log().masked_fill((x == 0) & y.le(0), 0)


# With a number in the place of x, and of y.
XlogyOfNumber = named("XlogyOfNumber", Xlogy, "XlogyBackward1")
XlogyNumber = named("XlogyNumber", Xlogy, "XlogyBackward2")


def hypot(input: Tensor, other: Tensor) -> Tensor:
    """Return the length of the hypotenuse over two sides."""
    return Hypot.apply(input, tensor_only("hypot", other))


def fmax(input: Tensor, other: Tensor) -> Tensor:
    """Return the larger of each pair, or the one that is not nan."""
    return Fmax.apply(input, tensor_only("fmax", other))


def fmin(input: Tensor, other: Tensor) -> Tensor:
    """Return the smaller of each pair, or the one that is not nan."""
    return Fmin.apply(input, tensor_only("fmin", other))


def xlogy(input: Any, other: Any) -> Tensor:
    """Return input * log(other), 0 where `input` is; one of the two may be a number."""
    input, other = operand(input), operand(other)
    if not isinstance(other, Tensor):
        return XlogyNumber.apply(input, other)
    return (Xlogy if isinstance(input, Tensor) else XlogyOfNumber).apply(input, other)
