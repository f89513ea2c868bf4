"""Angles and hyperbolas, element by element: tan, asin, acos, atan, sinh, cosh, atan2."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograd_core.function import Operator
from autograd_core.ops.arithmetic import tensor_only
from autograd_core.ops.elementwise import broadcast, exact, floating, promoted
from autograd_core.ops.functions import OfInput, OfResult, of_one
from autograd_core.tensor import Tensor, wrap


class Tan(OfResult):
    """z = tan x;  dL/dx = g * (1 + z^2)."""

    node_name, compute = "TanBackward0", exact(math.tan, np.tan)

    @staticmethod
    def backward(ctx, g):
        (z,) = ctx.saved_tensors
        return g * (1 + z * z)


class Asin(OfInput):
    """z = asin x;  dL/dx = g / sqrt(1 - x^2)."""

    node_name, compute = "AsinBackward0", exact(math.asin, np.arcsin)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * (1 - x * x).rsqrt()


class Acos(OfInput):
    """z = acos x;  dL/dx = -g / sqrt(1 - x^2)."""

    node_name, compute = "AcosBackward0", exact(math.acos, np.arccos)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * -(1 - x * x).rsqrt()


class Atan(OfInput):
    """z = atan x;  dL/dx = g / (x^2 + 1)."""

    node_name, compute = "AtanBackward0", exact(math.atan, np.arctan)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g / (x * x + 1)


class Sinh(OfInput):
    """z = sinh x;  dL/dx = g * cosh x."""

    node_name, compute = "SinhBackward0", exact(math.sinh, np.sinh)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.cosh()


class Cosh(OfInput):
    """z = cosh x;  dL/dx = g * sinh x."""

    node_name, compute = "CoshBackward0", exact(math.cosh, np.cosh)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.sinh()


class Atan2(Operator):
    """z = the angle of the point (y, x);  dL/dy = g * x / (x^2 + y^2),  dL/dx = -g * y / (...)."""

    node_name, saved_names = "Atan2Backward0", ("self", "other")

    @staticmethod
    def forward(y, x):
        a, b = promoted(y, x)
        a, b = floating(a), floating(b)
        exactly = np.float64 if a.dtype != np.float64 else a.dtype
        angle = broadcast(np.arctan2, a.astype(exactly), b.astype(exactly))
        return wrap(angle.astype(a.dtype))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.keep(inputs)

    @staticmethod
    def backward(ctx, g):
        y, x = ctx.saved_tensors
        square, (to_y, to_x) = y * y + x * x, ctx.needs_input_grad
        # As in PyTorch 0 at the origin, which has no angle.
        inverse = square.reciprocal().masked_fill(square == 0, 0)
        return g * x * inverse if to_y else None, g * -y * inverse if to_x else None

    @staticmethod
    def jvp(ctx, dy, dx):
        y, x = ctx.saved_tensors
        return (x * dy - y * dx) * (y * y + x * x).reciprocal()


tan = of_one(Tan, "the tangent of each element, in radians")
asin = of_one(Asin, "the angle between -pi/2 and pi/2 whose sine each element is")
acos = of_one(Acos, "the angle between 0 and pi whose cosine each element is")
atan = of_one(Atan, "the angle between -pi/2 and pi/2 whose tangent each element is")
sinh = of_one(Sinh, "the hyperbolic sine of each element")
cosh = of_one(Cosh, "the hyperbolic cosine of each element")


def atan2(input: Tensor, other: Any) -> Tensor:
    """Return the angle of each point (other, input), with the quadrant's sign."""
    return Atan2.apply(input, tensor_only("atan2", other))
