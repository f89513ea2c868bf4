"""Powers, with broadcasting: a tensor to a number, a number to a tensor, a tensor to a tensor."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_core.creation import fitting, zeros_of
from autograd_core.ops.arithmetic import MulNumber, SubNumber
from autograd_core.ops.elementwise import elementwise, operand
from autograd_core.ops.indexing import where
from autograd_core.ops.operator import Symmetric, keep_all, keep_first, keep_first_and_output
from autograd_core.ops.order_in_memory import converted, laid_in_order
from autograd_core.ops.rounding import EXACT_UP_TO
from autograd_core.tensor import Tensor, wrap
from autograd_core.tensors import dtypes


def _power(a: Any, b: Any) -> Any:
    if a.dtype.kind == "b":
        return a | ~np.bool_(b)
    if a.dtype.kind == "i" and np.any(b < 0):
        # For a negative b, the integer 1 / a^|b| is 0, unless a is 1 or -1.
        whole = np.where(abs(a) == 1, np.power(a, b & 1), 0)
        return np.where(b < 0, whole, np.power(a, np.maximum(b, 0))).astype(a.dtype)
    return np.power(a, b)


# PyTorch computes these powers by other operations, which round differently and take less time.
_SIMPLER: dict[float, Callable[[Any], Any]] = {
    2: lambda a: a * a,
    3: lambda a: a * a * a,
    -1: lambda a: 1 / a,
    -2: lambda a: 1 / (a * a),
    0.5: np.sqrt,
    -0.5: lambda a: 1 / np.sqrt(a),
}

_to_number: Any = elementwise(_power)


def refuse_exponent(input: Any, exponent: Any) -> None:
    """Raise PyTorch's RuntimeError for an exponent that is too large for the result's dtype.

    And for an integer tensor to the power of a negative integer.
    """
    if type(exponent) is int and exponent < 0 and input.dtype.category < 2:
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    if input._array.dtype not in dtypes.ONE:
        fitting(exponent, dtypes.result_type(input._array, exponent).numpy)


def _exact_power(a: Any, b: Any) -> Any:
    dtypes.check_kernel("pow", a, dtypes.NUMBERS)
    if b.size == 1 and b == 0.5:
        # NumPy's newer versions would take the root, which of -0 and -infinity is another number.
        return np.float_power(a, b).astype(a.dtype)
    if a.dtype == np.float32 and a.size <= EXACT_UP_TO:
        return _power(converted(a, np.float64), b).astype(np.float32)
    return _power(a, b)


class PowNumber(Symmetric):
    """z = x^n for a number n;  dL/dx = g * n * x^(n-1)."""

    node_name, saved_names, setup_context = "PowBackward0", ("self",), keep_first

    @staticmethod
    def forward(x, n):
        simpler = _SIMPLER.get(n) if x._array.dtype.char in "fd" else None
        return _to_number(x, n) if simpler is None else wrap(simpler(x._array))

    @staticmethod
    def backward(ctx, g):
        (x,), (n,) = ctx.saved_tensors, ctx.arguments
        if not n:
            return zeros_of(g._array.shape, g._array.dtype), None
        # As PyTorch's nodes show them, by floating numbers.
        return g * MulNumber.apply(x ** float(n - 1), float(n)), None


class PowTensor(Symmetric):
    """z = x^y;  dL/dx = g * y * x^(y-1), 0 where y = 0,  dL/dy = g * z * log x, 0 where x = 0."""

    node_name, saved_names = "PowBackward1", ("self", "exponent", "result")
    forward, setup_context, materialize_grads = elementwise(_exact_power), keep_all, False

    @staticmethod
    def backward(ctx, g):
        (x, y, z), (to_x, to_y) = ctx.saved_tensors, ctx.needs_input_grad
        by_x = by_y = None
        if to_y:
            slope, lost = z * x.to(z.dtype).log(), (x._array == 0) & (y._array >= 0)
            by_y = g * _zero_where(lost, slope)
        if to_x:
            by_x = _zero_where(y._array == 0, g * (y * x ** SubNumber.apply(y, 1)))
        return by_x, by_y


def _zero_where(lost: Any, slope: Tensor) -> Tensor:
    return where(wrap(np.asarray(lost)), zeros_of((), slope._array.dtype), slope)


class PowOfNumber(Symmetric):
    """z = n^x for a number n;  dL/dx = g * z * log n, 0 where n = 0 and x is not negative."""

    node_name, saved_names = "PowBackward2", ("exponent", "result")
    setup_context = keep_first_and_output

    @staticmethod
    def forward(x, n):
        return wrap(laid_in_order(PowTensor.forward(n, x)._array))

    @staticmethod
    def backward(ctx, g):
        (x, z), (n,) = ctx.saved_tensors, ctx.arguments
        slope = MulNumber.apply(z, float(np.log(n)) if n > 0 else -np.inf if n == 0 else math.nan)
        return g * (slope if n else _zero_where(x._array >= 0, slope)), None


def pow(input: Any, exponent: Any) -> Tensor:
    """Return input to the power of exponent; one of the two may be a number.

    RuntimeError for integers to the power of a negative Python int.
    """
    input, exponent = operand(input), operand(exponent)
    if not isinstance(exponent, Tensor):
        refuse_exponent(input, exponent)
        return PowNumber.apply(input, exponent)
    if not isinstance(input, Tensor):
        return PowOfNumber.apply(exponent, input)
    return PowTensor.apply(input, exponent)
