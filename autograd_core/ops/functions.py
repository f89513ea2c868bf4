"""Functions of one operand, element by element: exp, log, sin, relu and their like."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from autograd_core.function import Function
from autograd_core.ops.elementwise import exact, floating
from autograd_core.tensor import Tensor, data_of, wrap

_exp, _log = exact(math.exp, np.exp), exact(math.log, np.log)
_sin, _cos = exact(math.sin, np.sin), exact(math.cos, np.cos)
_sqrt, _tanh = exact(math.sqrt, np.sqrt), exact(math.tanh, np.tanh)
_tan, _expm1 = exact(math.tan, np.tan), exact(math.expm1, np.expm1)
_log1p = exact(math.log1p, np.log1p)
_sigmoid = exact(lambda x: 1 / (1 + math.exp(-x)), lambda x: 1 / (1 + np.exp(-x)))


class Neg(Function):
    """z = -x;  dL/dx = -g."""

    node_name = "NegBackward0"

    @staticmethod
    def forward(ctx, x):
        if x._array.dtype.kind == "b":
            raise RuntimeError(
                "Negation, the `-` operator, on a bool tensor is not supported. If you are trying "
                "to invert a mask, use the `~` or `logical_not()` operator instead."
            )
        return wrap(operator.neg(x._array))

    @staticmethod
    def backward(ctx, g):
        return -g

    jvp = backward


class Exp(Function):
    """z = e^x;  dL/dx = g * z."""

    node_name, saved_names = "ExpBackward0", ("result",)

    @staticmethod
    def forward(ctx, x):
        z = wrap(_exp(x._array))
        ctx.save_for_backward(z)
        return z

    @staticmethod
    def backward(ctx, g):
        (z,) = ctx.saved_tensors
        return g * z

    jvp = backward


class Log(Function):
    """z = log x;  dL/dx = g / x."""

    node_name, saved_names = "LogBackward0", ("self",)

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return wrap(_log(x._array))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g / x

    jvp = backward


class Expm1(Function):
    """z = e^x - 1;  dL/dx = g * (z + 1)."""

    node_name, saved_names = "Expm1Backward0", ("result",)

    @staticmethod
    def forward(ctx, x):
        z = wrap(_expm1(x._array))
        ctx.save_for_backward(z)
        return z

    @staticmethod
    def backward(ctx, g):
        (z,) = ctx.saved_tensors
        return g * (z + 1)

    jvp = backward


class Tan(Function):
    """z = tan x;  dL/dx = g * (1 + z^2)."""

    node_name, saved_names = "TanBackward0", ("result",)

    @staticmethod
    def forward(ctx, x):
        z = wrap(_tan(x._array))
        ctx.save_for_backward(z)
        return z

    @staticmethod
    def backward(ctx, g):
        (z,) = ctx.saved_tensors
        return g * (1 + z * z)

    jvp = backward


class Log1p(Function):
    """z = log(1 + x);  dL/dx = g / (1 + x)."""

    node_name, saved_names = "Log1PBackward0", ("self",)

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return wrap(_log1p(x._array))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g / (x + 1)

    jvp = backward


class Sqrt(Function):
    """z = sqrt x;  dL/dx = g / (2 z)."""

    node_name, saved_names = "SqrtBackward0", ("result",)

    @staticmethod
    def forward(ctx, x):
        z = wrap(_sqrt(x._array))
        ctx.save_for_backward(z)
        return z

    @staticmethod
    def backward(ctx, g):
        (z,) = ctx.saved_tensors
        return g / (2 * z)

    jvp = backward


class Sin(Function):
    """z = sin x;  dL/dx = g * cos x."""

    node_name, saved_names = "SinBackward0", ("self",)

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return wrap(_sin(x._array))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.cos()

    jvp = backward


class Cos(Function):
    """z = cos x;  dL/dx = -g * sin x."""

    node_name, saved_names = "CosBackward0", ("self",)

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return wrap(_cos(x._array))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * -x.sin()

    jvp = backward


class Tanh(Function):
    """z = tanh x;  dL/dx = g * (1 - z^2)."""

    node_name, saved_names = "TanhBackward0", ("result",)

    @staticmethod
    def forward(ctx, x):
        z = wrap(_tanh(x._array))
        ctx.save_for_backward(z)
        return z

    @staticmethod
    def backward(ctx, g):
        (z,) = ctx.saved_tensors
        return g * (1 - z * z)

    jvp = backward


class Sigmoid(Function):
    """z = 1 / (1 + e^-x);  dL/dx = g * z * (1 - z)."""

    node_name, saved_names = "SigmoidBackward0", ("result",)

    @staticmethod
    def forward(ctx, x):
        z = wrap(_sigmoid(x._array))
        ctx.save_for_backward(z)
        return z

    @staticmethod
    def backward(ctx, g):
        (z,) = ctx.saved_tensors
        return g * (1 - z) * z

    jvp = backward


class Relu(Function):
    """z = max(x, 0);  dL/dx = g where z > 0, else 0."""

    node_name, saved_names = "ReluBackward0", ("result",)

    @staticmethod
    def forward(ctx, x):
        z = wrap(np.maximum(x._array, x._array.dtype.type(0)))
        ctx.save_for_backward(z)
        return z

    @staticmethod
    def backward(ctx, g):
        (z,) = ctx.saved_tensors
        return g * (z > 0)

    jvp = backward


class Abs(Function):
    """z = |x|;  dL/dx = g * sign x."""

    node_name, saved_names = "AbsBackward0", ("self",)

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return wrap(np.abs(x._array))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.sign()

    jvp = backward


class Clamp(Function):
    """z = min(max(x, low), high);  dL/dx = g where low <= x <= high, else 0."""

    node_name, saved_names = "ClampBackward1", ("self",)

    @staticmethod
    def forward(ctx, x, low, high):
        ctx.save_for_backward(x)
        ctx.bounds = low, high
        a = x._array
        if a.dtype.kind != "f" and isinstance(low, float) | isinstance(high, float):
            a = floating(a)
        return wrap(np.clip(a, low, high).astype(a.dtype))

    @staticmethod
    def backward(ctx, g):
        return g * Clamp.inside(ctx), None, None

    @staticmethod
    def jvp(ctx, dx, *_):
        return dx * Clamp.inside(ctx)

    @staticmethod
    def inside(ctx):
        """Return where x lies within the bounds."""
        (x,) = ctx.saved_tensors
        low, high = ctx.bounds
        inside = np.ones(x.shape, bool) if low is None else x._array >= low
        return wrap(inside if high is None else inside & (x._array <= high))


class Step(Function):
    """A function that is constant almost everywhere, such as sign or round;  dL/dx = 0."""

    @staticmethod
    def forward(ctx, x, compute):
        return wrap(compute(x._array))

    @staticmethod
    def backward(ctx, g):
        return g * 0, None

    @staticmethod
    def jvp(ctx, dx, _):
        return dx * 0


class Sign(Step):
    """The sign of x: -1, 0 or 1."""

    node_name = "SignBackward0"


class Round(Step):
    """The nearest whole number; halves go to the even one."""

    node_name = "RoundBackward0"


class Floor(Step):
    """The largest whole number that is not larger."""

    node_name = "FloorBackward0"


class Ceil(Step):
    """The smallest whole number that is not smaller."""

    node_name = "CeilBackward0"


def neg(input: Tensor) -> Tensor:
    """Return -input."""
    return Neg.apply(input)


def exp(input: Tensor) -> Tensor:
    """Return e to the power of each element."""
    return Exp.apply(input)


def log(input: Tensor) -> Tensor:
    """Return the natural logarithm of each element."""
    return Log.apply(input)


def log1p(input: Tensor) -> Tensor:
    """Return log(1 + input), exact also near zero."""
    return Log1p.apply(input)


def expm1(input: Tensor) -> Tensor:
    """Return e^x - 1, exact also near zero."""
    return Expm1.apply(input)


def tan(input: Tensor) -> Tensor:
    """Return the tangent of each element, in radians."""
    return Tan.apply(input)


def sqrt(input: Tensor) -> Tensor:
    """Return the square root of each element."""
    return Sqrt.apply(input)


def sin(input: Tensor) -> Tensor:
    """Return the sine of each element, in radians."""
    return Sin.apply(input)


def cos(input: Tensor) -> Tensor:
    """Return the cosine of each element, in radians."""
    return Cos.apply(input)


def tanh(input: Tensor) -> Tensor:
    """Return the hyperbolic tangent of each element."""
    return Tanh.apply(input)


def sigmoid(input: Tensor) -> Tensor:
    """Return 1 / (1 + e^-x) of each element."""
    return Sigmoid.apply(input)


def relu(input: Tensor) -> Tensor:
    """Return each element, or 0 where it is negative."""
    return Relu.apply(input)


def abs(input: Tensor) -> Tensor:
    """Return the magnitude of each element."""
    return Abs.apply(input)


def square(input: Tensor) -> Tensor:
    """Return each element squared."""
    return input**2


def clamp(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Return each element, moved into [min, max]; one bound may be None."""
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    low, high = data_of(min), data_of(max)
    return Clamp.apply(input, low, high)


def sign(input: Tensor) -> Tensor:
    """Return -1, 0 or 1 for each element."""
    return Sign.apply(input, np.sign)


def round(input: Tensor) -> Tensor:
    """Return the nearest whole numbers; halves go to the even one."""
    return Round.apply(input, np.round)


def floor(input: Tensor) -> Tensor:
    """Return the largest whole numbers that are not larger."""
    return Floor.apply(input, np.floor)


def ceil(input: Tensor) -> Tensor:
    """Return the smallest whole numbers that are not smaller."""
    return Ceil.apply(input, np.ceil)
