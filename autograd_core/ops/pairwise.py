"""Functions of two operands, element by element: atan2, hypot, fmax, fmin, xlogy."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_core.ops.arithmetic import MulNumber, knowing
from autograd_core.ops.elementwise import elementwise, operand, promoted, promoted_to_floating
from autograd_core.ops.extremes import Maximum, first_of_equals, towards
from autograd_core.ops.making import named, of_two
from autograd_core.ops.operator import Operator, Symmetric, keep_inputs, plus
from autograd_core.ops.rounding import floating
from autograd_core.tensor import Tensor, wrap
from autograd_core.tensors import dtypes


def _exactly(function: Callable[[Any, Any], Any]) -> Any:
    """Return a forward that computes in float64, and in the default dtype for integers."""

    def compute(a: Any, b: Any) -> Any:
        a, b = floating(a), floating(b)
        return function(a.astype(np.float64), b.astype(np.float64)).astype(a.dtype)[()]

    return elementwise(compute, promote=promoted_to_floating)


def _length(a: Any, b: Any) -> Any:
    dtypes.check_kernel("hypot_cpu", a, dtypes.FLOATING)
    return np.hypot(a, b)


def _times_log(a: Any, b: Any) -> Any:
    return np.where((a == 0) & (b == b), 0, a * np.log(b))


class Hypot(Symmetric):
    """z = sqrt(x^2 + y^2);  dL/dx = g * x / z,  dL/dy = g * y / z."""

    saved_names = ("self", "other", "result")
    forward, materialize_grads = elementwise(_length), False

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x, y), (to_x, to_y) = inputs, ctx.needs_input_grad
        ctx.keep((x if to_x else None, y if to_y else None, output))

    @staticmethod
    def backward(ctx, g):
        (x, y, z), (to_x, to_y) = ctx.saved_tensors, ctx.needs_input_grad
        # Here and below in PyTorch's order, as in `Mul`.
        by_y = g * y / z if to_y else None
        return g * x / z if to_x else None, by_y


class Atan2(Operator):
    """z = the angle of the point (y, x);  dL/dy = g * x / (x^2 + y^2),  dL/dx = -g * y / (...)."""

    saved_names = ("self", "other")
    forward, setup_context, materialize_grads = _exactly(np.arctan2), keep_inputs, False

    @staticmethod
    def backward(ctx, g):
        y, x = ctx.saved_tensors
        x_square, (to_y, to_x) = x * x, ctx.needs_input_grad
        square = y * y + x_square
        # As in PyTorch, 0 at the origin, which has no angle.
        inverse = square.reciprocal().masked_fill(square == 0, 0)
        return g * x * inverse if to_y else None, g * -y * inverse if to_x else None

    @staticmethod
    def jvp(ctx, dy, dx):
        y, x = ctx.saved_tensors
        turned = plus(None if dy is None else x * dy, None if dx is None else -y * dx)
        return turned / (y * y + x * x)


class Fmax(Maximum):
    """z = max(x, y), or the one that is a number;  g goes to the chosen one, of equals to x.

    Forward mode takes dy of equals, as PyTorch does.
    """

    forward = elementwise(first_of_equals(np.fmax, operator.ge))
    at_least, ahead = operator.ge, operator.gt

    @classmethod
    def backward(cls, ctx, g):
        x, y = ctx.saved_tensors
        chosen = cls.at_least(x, y) | y.isnan()
        by_y = g.masked_fill(chosen, 0)
        return g.masked_fill(~chosen, 0), by_y

    @classmethod
    def jvp(cls, ctx, dx, dy):
        x, y = ctx.saved_tensors
        return towards(dy, dx, cls.ahead(x, y) | y.isnan())


class Fmin(Fmax):
    """As `Fmax`, for the smaller; forward mode takes dx of equals, as PyTorch does."""

    forward = elementwise(first_of_equals(np.fmin, operator.le))
    at_least, ahead = operator.le, operator.le


class Xlogy(Symmetric):
    """z = x log y, 0 where x is;  dL/dx = g * log y,  dL/dy = g * x / y."""

    saved_names = ("self", "other")
    # Missing tangents are not replaced by zeros, which would make nan of an infinite slope.
    forward, setup_context, materialize_grads = _exactly(_times_log), keep_inputs, False

    @staticmethod
    def backward(ctx, g):
        (x, y), (to_x, to_y) = ctx.saved_tensors, ctx.needs_input_grad
        by_y = None
        if to_y:
            by_y = (g * x if isinstance(x, Tensor) else MulNumber.apply(g, x)) / y
        if not to_x:
            return None, by_y
        if not isinstance(y, Tensor):
            y = wrap(promoted(x, y)[1])
        # 0 where z is 0, whatever y is.
        return g.xlogy(y).masked_fill((x == 0) & y.le(0), 0), by_y

    @classmethod
    def jvp(cls, ctx, dx, dy):
        tangent, (x, y) = super().jvp(ctx, dx, dy), ctx.saved_tensors
        return knowing(tangent, x) if dy is None and isinstance(y, Tensor) else tangent


# With a number for x, and for y.
XlogyOfNumber: Any = named("XlogyOfNumber", Xlogy, "XlogyBackward1")
XlogyNumber: Any = named("XlogyNumber", Xlogy, "XlogyBackward2")


atan2 = of_two(Atan2, "the angle of each point (other, input), with the quadrant's sign")
hypot = of_two(Hypot, "the length of the hypotenuse over two sides")
fmax = of_two(Fmax, "the larger of each pair, or the one that is not nan")
fmin = of_two(Fmin, "the smaller of each pair, or the one that is not nan")


def xlogy(input: Any, other: Any) -> Tensor:
    """Return input * log(other), 0 where `input` is 0; one of the two may be a number."""
    input, other = operand(input), operand(other)
    if not isinstance(other, Tensor):
        return XlogyNumber.apply(input, other)
    return (Xlogy if isinstance(input, Tensor) else XlogyOfNumber).apply(input, other)
