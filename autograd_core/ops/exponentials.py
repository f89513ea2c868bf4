"""Exponentials, logarithms and roots beyond exp, log and sqrt; and the error function."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograd_core.ops.elementwise import exact
from autograd_core.ops.functions import OfInput, OfResult, of_one

_LOG_2, _LOG_10 = math.log(2), 2.3025850929940456


class Exp2(OfResult):
    """z = 2^x;  dL/dx = g * z * log 2."""

    node_name, compute = "Exp2Backward0", exact(math.exp2, np.exp2)

    @staticmethod
    def backward(ctx, g):
        (z,) = ctx.saved_tensors
        return g * z * _LOG_2


class Expm1(OfResult):
    """z = e^x - 1;  dL/dx = g * (z + 1)."""

    node_name, compute = "Expm1Backward0", exact(math.expm1, np.expm1)

    @staticmethod
    def backward(ctx, g):
        (z,) = ctx.saved_tensors
        return g * (z + 1)


class Log1p(OfInput):
    """z = log(1 + x);  dL/dx = g / (x + 1)."""

    node_name, compute = "Log1PBackward0", exact(math.log1p, np.log1p)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g / (x + 1)


class Log2(OfInput):
    """z = log x / log 2;  dL/dx = g / (x log 2)."""

    node_name, compute = "Log2Backward0", exact(math.log2, np.log2)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g / (x * _LOG_2)


class Log10(OfInput):
    """z = log x / log 10;  dL/dx = g / (x log 10)."""

    node_name, compute = "Log10Backward0", exact(math.log10, np.log10)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g / (x * _LOG_10)


class Rsqrt(OfResult):
    """z = 1 / sqrt x;  dL/dx = -g * z^3 / 2."""

    node_name = "RsqrtBackward0"
    compute = exact(lambda x: 1 / math.sqrt(x) if x else math.inf, lambda a: 1 / np.sqrt(a))

    @staticmethod
    def backward(ctx, g):
        (z,) = ctx.saved_tensors
        return -0.5 * g * (z * z * z)


def _erf(array: Any) -> Any:
    return np.array([math.erf(each) for each in array.flat]).reshape(array.shape)


class Erf(OfInput):
    """z = erf x, the bell curve's area around 0;  dL/dx = g * 2 / sqrt(pi) * e^(-x^2)."""

    node_name, compute = "ErfBackward0", exact(math.erf, _erf)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 / math.sqrt(math.pi) * (-(x * x)).exp() * g


exp2 = of_one(Exp2, "2 to the power of each element")
expm1 = of_one(Expm1, "e^x - 1, exact also near zero")
log1p = of_one(Log1p, "log(1 + input), exact also near zero")
log2 = of_one(Log2, "the logarithm to the base 2 of each element")
log10 = of_one(Log10, "the logarithm to the base 10 of each element")
rsqrt = of_one(Rsqrt, "1 / sqrt(input)")
erf = of_one(Erf, "the error function of each element")
