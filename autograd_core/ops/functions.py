"""Functions of one operand, element by element: exp, log, sin, relu and their like."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_core.creation import zeros_of
from autograd_core.ops.arithmetic import AddNumber, Div, MulNumber
from autograd_core.ops.into_memory import kept_where
from autograd_core.ops.making import of_one
from autograd_core.ops.operator import Symmetric, keep_inputs, keep_output
from autograd_core.ops.quiet import already_quiet, quietly
from autograd_core.ops.reusing import into_spent, times
from autograd_core.ops.rounding import EXACT_UP_TO, exact, floating, opened
from autograd_core.tensor import Tensor, wrap
from autograd_core.tensors.dtypes import NUMBERS, check_kernel

_exp = exact(math.exp, np.exp)


@quietly
def _sigmoid(data: Any) -> Any:
    data = floating(data)
    # Rounded after each step, as in PyTorch.
    return (1 / (1 + _exp(-opened(data)))).astype(data.dtype, copy=False)


class OfInput(Symmetric):
    """z = compute(x), which makes NumPy give no warnings; x is saved for backward."""

    node_name, saved_names, setup_context = "", ("self",), keep_inputs
    compute: Any

    @classmethod
    @already_quiet
    def forward(cls, x):
        return wrap(cls.compute(x._array))


class OfResult(OfInput):
    """As `OfInput`, but z is saved for backward."""

    node_name, saved_names, setup_context = "", ("result",), keep_output


def pulling(pull: Callable[[Tensor, Tensor], Tensor]) -> Any:
    """Return a backward that calls `pull` with g and the one tensor that was saved."""

    def backward(ctx: Any, g: Tensor) -> Tensor:
        (kept,) = ctx.saved_tensors
        return pull(g, kept)

    return staticmethod(backward)


class Neg(Symmetric):
    """z = -x;  dL/dx = -g."""

    @staticmethod
    def forward(x):
        if x._array.dtype.kind == "b":
            raise RuntimeError(
                "Negation, the `-` operator, on a bool tensor is not supported. If you are trying "
                "to invert a mask, use the `~` or `logical_not()` operator instead."
            )
        return wrap(operator.neg(x._array))

    @staticmethod
    def backward(ctx, g):
        return -g


class Exp(OfResult):
    """z = e^x;  dL/dx = g * z."""

    compute, backward = _exp, pulling(times)


class Log(OfInput):
    """z = log x;  dL/dx = g / x."""

    compute = exact(math.log, np.log)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return into_spent(Div, g, x)


class Sqrt(OfResult):
    """z = sqrt x;  dL/dx = g / (2 z)."""

    compute = exact(math.sqrt, np.sqrt)
    backward = pulling(lambda g, z: g / MulNumber.apply(z, 2))


class Sin(OfInput):
    """z = sin x;  dL/dx = g * cos x."""

    compute = exact(math.sin, np.sin)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return times(g, x.cos())


class Cos(OfInput):
    """z = cos x;  dL/dx = -g * sin x."""

    compute = exact(math.cos, np.cos)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return times(g, -x.sin())


class Tanh(OfResult):
    """z = tanh x;  dL/dx = g * (1 - z^2)."""

    compute = exact(math.tanh, np.tanh)
    backward = pulling(lambda g, z: TanhBackward.apply(g, z))


class SlopeOfResult(Symmetric):
    """s = slope(g, z), linear in g;  dL/dg = slope(h, z),  dL/dz = bend(h, g, z)."""

    node_name, setup_context = "", keep_inputs
    slope: Any
    bend: Any

    @classmethod
    def forward(cls, g, z):
        a, b = g._array, z._array
        if a.dtype.char == "e":
            return wrap(cls.slope(opened(a), opened(b)).astype(a.dtype))
        return wrap(cls.slope(a, b))

    @classmethod
    def backward(cls, ctx, h):
        g, z = ctx.saved_tensors
        return cls.apply(h, z), cls.bend(h, g, z)


class TanhBackward(SlopeOfResult):
    """s = g * (1 - z^2);  dL/dg = h * (1 - z^2),  dL/dz = -2 h g z."""

    saved_names = ("grad_output", "output")

    @staticmethod
    def slope(g, z):
        # Not rounded, as in PyTorch: near 1, a rounded square would cost most digits of the result.
        if type(z) is np.float32:
            exact_z = float(z)
            return g * np.float32(1 - exact_z * exact_z)
        if z.size <= EXACT_UP_TO and z.dtype.char == "f":
            exact_z = z.astype(np.float64)
            return g * (1 - exact_z * exact_z).astype(np.float32)
        s = 1 - z
        s *= 1 + z
        s *= g
        return s

    @staticmethod
    def bend(h, g, z):
        return h * (MulNumber.apply(z, -2) * g)


class Sigmoid(OfResult):
    """z = 1 / (1 + e^-x);  dL/dx = g * z * (1 - z)."""

    compute = _sigmoid
    backward = pulling(lambda g, z: SigmoidBackward.apply(g, z))


class SigmoidBackward(SlopeOfResult):
    """s = g * (1 - z) * z;  dL/dg = h * (1 - z) * z,  dL/dz = h * g * (1 - 2 z)."""

    saved_names = ("grad_output", "output")

    @staticmethod
    def slope(g, z):
        return g * (1 - z) * z

    @staticmethod
    def bend(h, g, z):
        # Ahead of the other factors, as in PyTorch.
        rest = AddNumber.apply(MulNumber.apply(z, -2), 1)
        return h * g * rest


class Relu(OfResult):
    """z = max(x, 0);  dL/dx = g where z is not 0, else 0."""

    @staticmethod
    def forward(x):
        if x._array.dtype.kind == "b":
            raise RuntimeError("Boolean inputs not supported for relu")
        a = x._array
        # NumPy is faster with an array of zeros than with a scalar.
        zero = np.zeros(a.shape, a.dtype) if a.flags.c_contiguous else 0
        # In this order -0 stays -0, as in PyTorch.
        return wrap(np.maximum(zero, a))

    @staticmethod
    def backward(ctx, g):
        (z,) = ctx.saved_tensors
        return into_spent(Threshold, g, z)


class Gate(Symmetric):
    """s = f(g, z, ...), linear in g, each slope the same around z;  dL/dg = f(h, z),  dL/dz = 0."""

    node_name, saved_names = "", ("self",)

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, z, *ctx.arguments = inputs
        ctx.keep((z,))

    @classmethod
    def backward(cls, ctx, h):
        (z,) = ctx.saved_tensors
        zero = zeros_of(z._array.shape, z._array.dtype)
        return cls.apply(h, z, *ctx.arguments), zero, *[None] * len(ctx.arguments)


class Threshold(Gate):
    """s = g where z is not 0, else 0;  dL/dg = h where z is not 0, else 0,  dL/dz = 0."""

    node_name = "ThresholdBackwardBackward0"

    @staticmethod
    @already_quiet
    def forward(g, z):
        return wrap(kept_where(z._array != 0, g._array))

    @staticmethod
    def into(g, z):
        kept_where(z._array != 0, g._array, out=g._array)
        return True


class Abs(OfInput):
    """z = |x|;  dL/dx = g * sign x."""

    backward = pulling(lambda g, x: g * x.sgn())

    @staticmethod
    def forward(x):
        check_kernel("abs_cpu", x._array, NUMBERS)
        return wrap(np.abs(x._array))


neg = of_one(Neg, "-input")
exp = of_one(Exp, "e to the power of each element")
log = of_one(Log, "the natural logarithm of each element")
sqrt = of_one(Sqrt, "the square root of each element")
sin = of_one(Sin, "the sine of each element, in radians")
cos = of_one(Cos, "the cosine of each element, in radians")
tanh = of_one(Tanh, "the hyperbolic tangent of each element")
sigmoid = of_one(Sigmoid, "1 / (1 + e^-x) of each element")
relu = of_one(Relu, "each element, or 0 where it is negative")
abs = of_one(Abs, "the magnitude of each element")


def square(input: Tensor) -> Tensor:
    """Return each element squared."""
    return Tensor.__pow__(input, 2)


def positive(input: Tensor) -> Tensor:
    """Return `input` itself; RuntimeError for bools."""
    if input._array.dtype.kind == "b":
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input
