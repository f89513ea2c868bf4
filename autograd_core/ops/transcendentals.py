"""Beyond exp, log, sqrt, sin and cos: other bases, roots, angles, hyperbolas, error function."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from autograd_core.ops.arithmetic import AddNumber, MulNumber
from autograd_core.ops.functions import OfInput, OfResult, pulling
from autograd_core.ops.making import of_one
from autograd_core.ops.order_in_memory import in_order_of
from autograd_core.ops.rounding import exact

_LOG_2, _LOG_10 = math.log(2), 2.3025850929940456


class Exp2(OfResult):
    """z = 2^x;  dL/dx = g * z * log 2."""

    compute = exact(math.exp2, np.exp2)
    backward = pulling(lambda g, z: MulNumber.apply(g * z, _LOG_2))


class Expm1(OfResult):
    """z = e^x - 1;  dL/dx = g * (z + 1)."""

    compute = exact(math.expm1, np.expm1)
    backward = pulling(lambda g, z: g * AddNumber.apply(z, 1))


class Log1p(OfInput):
    """z = log(1 + x);  dL/dx = g / (x + 1)."""

    node_name, compute = "Log1PBackward0", exact(math.log1p, np.log1p)
    backward = pulling(lambda g, x: g / AddNumber.apply(x, 1))


class Log2(OfInput):
    """z = log x / log 2;  dL/dx = g / (x log 2)."""

    compute = exact(math.log2, np.log2)
    backward = pulling(lambda g, x: g / MulNumber.apply(x, _LOG_2))


class Log10(OfInput):
    """z = log x / log 10;  dL/dx = g / (x log 10)."""

    compute = exact(math.log10, np.log10)
    backward = pulling(lambda g, x: g / MulNumber.apply(x, _LOG_10))


class Rsqrt(OfResult):
    """z = 1 / sqrt x;  dL/dx = -g * z^3 / 2."""

    compute = exact(
        lambda x: 1 / math.sqrt(x) if x else math.copysign(math.inf, x), lambda a: 1 / np.sqrt(a)
    )

    @staticmethod
    def backward(ctx, g):
        (z,) = ctx.saved_tensors
        # Ahead of its factor, as in PyTorch.
        cube = z**3
        return MulNumber.apply(g, -0.5) * cube


@cache
def _nodes() -> tuple[np.ndarray, ...]:
    nodes = np.arange(-6 * 512, 6 * 512 + 1) / 512
    return nodes, np.array(list(map(math.erf, nodes))), 2 / math.sqrt(math.pi) * np.exp(-(nodes**2))


def _erf(array: Any) -> Any:
    if array.dtype == np.float64:
        z = np.array([math.erf(each) for each in array.flat])
        return in_order_of(z.reshape(array.shape), array)
    # By Taylor's series at the nearest node, to float32's last digit; few at once, for the cache.
    z = array.flatten()
    for part in np.array_split(z, z.size // 8192 + 1):
        x = part.astype(np.float64).clip(-6, 6)
        place = np.rint((x + 6) * 512).astype(np.intp)
        node, erf, slope = [each.take(place, mode="clip") for each in _nodes()]
        h = x - node
        erf += slope * h * (1 - h * (node - h * (2 * node * node - 1) / 3))
        part[...] = np.copysign(erf, x)
    return in_order_of(z.reshape(array.shape), array)


class Erf(OfInput):
    """z = erf x, the bell curve's area around 0;  dL/dx = g * 2 / sqrt(pi) * e^(-x^2)."""

    compute = exact(math.erf, _erf)
    backward = pulling(lambda g, x: MulNumber.apply((-(x**2)).exp(), 2 / math.sqrt(math.pi)) * g)


class Tan(OfResult):
    """z = tan x;  dL/dx = g * (1 + z^2)."""

    compute = exact(math.tan, np.tan)
    backward = pulling(lambda g, z: g * AddNumber.apply(z**2, 1))


class Asin(OfInput):
    """z = asin x;  dL/dx = g / sqrt(1 - x^2)."""

    compute = exact(math.asin, np.arcsin)
    backward = pulling(lambda g, x: g * AddNumber.apply(-x * x, 1).rsqrt())


class Acos(OfInput):
    """z = acos x;  dL/dx = -g / sqrt(1 - x^2)."""

    compute = exact(math.acos, np.arccos)
    backward = pulling(lambda g, x: g * -AddNumber.apply(-x * x, 1).rsqrt())


class Atan(OfInput):
    """z = atan x;  dL/dx = g / (x^2 + 1)."""

    compute = exact(math.atan, np.arctan)
    backward = pulling(lambda g, x: g / AddNumber.apply(x * x, 1))


class Sinh(OfInput):
    """z = sinh x;  dL/dx = g * cosh x."""

    compute = exact(math.sinh, np.sinh)
    backward = pulling(lambda g, x: g * x.cosh())


class Cosh(OfInput):
    """z = cosh x;  dL/dx = g * sinh x."""

    compute = exact(math.cosh, np.cosh)
    backward = pulling(lambda g, x: g * x.sinh())


exp2 = of_one(Exp2, "2 to the power of each element")
expm1 = of_one(Expm1, "e^x - 1, exact also near zero")
log1p = of_one(Log1p, "log(1 + input), exact also near zero")
log2 = of_one(Log2, "the logarithm to the base 2 of each element")
log10 = of_one(Log10, "the logarithm to the base 10 of each element")
rsqrt = of_one(Rsqrt, "1 / sqrt(input)")
erf = of_one(Erf, "the error function of each element")
tan = of_one(Tan, "the tangent of each element, in radians")
asin = of_one(Asin, "the angle between -pi/2 and pi/2 whose sine each element is")
acos = of_one(Acos, "the angle between 0 and pi whose cosine each element is")
atan = of_one(Atan, "the angle between -pi/2 and pi/2 whose tangent each element is")
sinh = of_one(Sinh, "the hyperbolic sine of each element")
cosh = of_one(Cosh, "the hyperbolic cosine of each element")
