"""Normal numbers from uniform ones, sixteen at a time: eight radii, then eight angles.

In float32 each step rounds as in PyTorch's kernel for vector processors, whose logarithm, sine and
cosine are polynomials (those of the Cephes library), so that the same seed gives the same digits.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

_ONE, _HALF = np.float32(1), np.float32(0.5)
_LOG = (
    7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1,
    -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
)  # fmt: skip
_LOG_OF_TWO = -2.12194440e-4, 0.693359375
_SQRT_OF_HALF = np.float32(0.707106781186547524)
_SIN = -1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1
_COS = 2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2
_QUARTER_TURN = 0.78515625, 2.4187564849853515625e-4, 3.77489497744594108e-8


def normal_from_uniform(uniform: np.ndarray) -> np.ndarray:
    """Return standard normal numbers from uniform ones of [0, 1), a multiple of 16 of them."""
    blocks = uniform.reshape(-1, 2, 8)
    rest, turns = 1 - blocks[:, 0], 2 * math.pi * blocks[:, 1]
    if uniform.dtype == np.float32:
        log, (sine, cosine) = _log(rest), _sin_and_cos(turns)
    else:
        log, sine, cosine = np.log(rest), np.sin(turns), np.cos(turns)
    radius = np.sqrt(-2 * log)
    return np.stack([radius * cosine, radius * sine], 1).reshape(-1)


def multiply_add(x: np.ndarray, y: Any, z: Any) -> np.ndarray:
    """Return x * y + z in the dtype of x, float32 rounded only once, as processors do it."""
    wide = np.asarray(x, np.float64) * np.asarray(y, np.float64)
    return (wide + z).astype(x.dtype)


def _polynomial(coefficients: tuple[float, ...], x: np.ndarray) -> np.ndarray:
    value = np.full_like(x, coefficients[0])
    for coefficient in coefficients[1:]:
        value = multiply_add(value, x, np.float32(coefficient))
    return value


def _log(x: np.ndarray) -> np.ndarray:
    """Return log x = log(1 + r) + e log 2, where x = (1 + r) 2^e and 1 + r is near 1."""
    mantissa, exponent = np.frexp(x)
    below = mantissa < _SQRT_OF_HALF
    exponent = (exponent - below).astype(np.float32)
    rest = (mantissa - _ONE) + np.where(below, mantissa, np.float32(0))
    square = rest * rest
    small, large = _LOG_OF_TWO
    value = _polynomial(_LOG, rest) * rest
    value = multiply_add(value, square, exponent * np.float32(small))
    value = multiply_add(square, -_HALF, value)
    return multiply_add(exponent, np.float32(large), rest + value)


def _sin_and_cos(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return sin x and cos x for x >= 0, from the polynomials around multiples of pi / 2."""
    eighth = (x * np.float32(4 / math.pi)).astype(np.int32)
    eighth += eighth & 1
    rest = x
    for part in _QUARTER_TURN:
        rest = multiply_add(eighth.astype(np.float32), np.float32(-part), rest)
    square = rest * rest
    cosine = _polynomial(_COS, square) * square
    cosine = multiply_add(cosine, square, -(square * _HALF)) + _ONE
    sine = multiply_add(_polynomial(_SIN, square) * square, rest, rest)
    turned = (eighth & 2) != 0
    sine, cosine = np.where(turned, cosine, sine), np.where(turned, sine, cosine)
    minus_sine, minus_cosine = (eighth & 4) != 0, ((eighth + 2) & 4) != 0
    return np.where(minus_sine, -sine, sine), np.where(minus_cosine, -cosine, cosine)
