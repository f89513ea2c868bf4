"""Comparisons and tests: bool tensors, which have no gradient and no node in the graph."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_core.creation import plain_number
from autograd_core.ops.elementwise import broadcast_shape, combined, operand, promoted
from autograd_core.ops.making import called
from autograd_core.ops.order_in_memory import in_order_of
from autograd_core.tensor import Tensor, data_of, wrap
from autograd_core.tensors import dtypes


def _comparison(test: Callable[[Any, Any], Any], returned: str, second: Any = object) -> Any:
    """Return a function of a tensor and a `second` operand, by default a tensor or a number."""

    def compare(input: Tensor, other: Any) -> Tensor:
        if not (isinstance(input, Tensor) and isinstance(other, second)):
            raise TypeError("input must be a Tensor")
        return combined(test, input, operand(other))

    return called(test.__name__, f"Return {returned}.", compare)


def _bitwise(name: str, function: Any, kernel: str, returned: str) -> Callable[..., Tensor]:
    def combine(input: Any, other: Any) -> Tensor:
        input, other = operand(input), operand(other)
        if not (isinstance(input, Tensor) or isinstance(other, Tensor)):
            raise TypeError
        a, b = promoted(input, other)
        if a.dtype.kind == "b" and "shift" in kernel:
            raise dtypes.no_kernel(kernel, a)
        broadcast_shape(a.shape, b.shape)
        dtypes.check_kernel(kernel, a, dtypes.WHOLE)
        return wrap(in_order_of(function(a, b), a, b))

    return called(f"bitwise_{name}", f"Return {returned}.", combine)


def _test(name: str, test: Callable[[Any], Any], returned: str) -> Callable[..., Tensor]:
    def look(input: Tensor) -> Tensor:
        return wrap(test(input._array))

    return called(name, f"Return {returned}.", look)


eq = _comparison(operator.eq, "where the two are equal")
ne = _comparison(operator.ne, "where the two differ")
lt = _comparison(operator.lt, "where `input` is smaller")
le = _comparison(operator.le, "where `input` is smaller or equal")
gt = _comparison(operator.gt, "where `input` is larger")
ge = _comparison(operator.ge, "where `input` is larger or equal")
logical_and = _comparison(np.logical_and, "where both are true", Tensor)
logical_or = _comparison(np.logical_or, "where one of the two or both are true", Tensor)
logical_xor = _comparison(np.logical_xor, "where exactly one of the two is true", Tensor)
bitwise_and = _bitwise("and", operator.and_, "bitwise_and_cpu", "`input & other`")
bitwise_or = _bitwise("or", operator.or_, "bitwise_or_cpu", "`input | other`")
bitwise_xor = _bitwise("xor", operator.xor, "bitwise_xor_cpu", "`input ^ other`")
bitwise_left_shift = _bitwise("left_shift", operator.lshift, "lshift_cpu", "`input << other`")
bitwise_right_shift = _bitwise("right_shift", operator.rshift, "rshift_cpu", "`input >> other`")
logical_not = _test("logical_not", np.logical_not, "where `input` is false")
isnan = _test("isnan", np.isnan, "where `input` is not a number")
isfinite = _test("isfinite", np.isfinite, "where `input` is neither infinite nor not a number")
isinf = _test("isinf", np.isinf, "where `input` is infinite")
isposinf = _test("isposinf", lambda a: a == np.inf, "where `input` is positive infinity")
isneginf = _test("isneginf", lambda a: a == -np.inf, "where `input` is negative infinity")
signbit = _test(
    "signbit",
    lambda a: np.signbit(a) if a.dtype.kind == "f" else a < 0,
    "where the sign is negative, of -0.0 too",
)


def bitwise_not(input: Tensor) -> Tensor:
    """Return `~input`, for integers and bools."""
    dtypes.check_kernel("bitwise_not_cpu", input._array, dtypes.WHOLE)
    return wrap(np.invert(input._array))


def invert(input: Tensor) -> Tensor:
    """Return `~input`; unlike `bitwise_not`, Python's operator is named in its errors."""
    if input.is_floating_point():
        raise TypeError(
            "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
        )
    return bitwise_not(input)


def isclose(
    input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Tensor:
    """Return where |input - other| <= atol + rtol * |other|.

    Raises RuntimeError for different dtypes and for negative tolerances.
    """
    if input.dtype is not other.dtype:
        raise RuntimeError(f"{input.dtype.title} did not match {other.dtype.title}")
    rtol, atol = plain_number(rtol), plain_number(atol)
    for name, tolerance in (("rtol", rtol), ("atol", atol)):
        if not tolerance >= 0:
            raise RuntimeError(
                f"{name} must be greater than or equal to zero, but got {tolerance:g}"
            )
    close = eq(input, other)
    if equal_nan and input.is_floating_point():
        close.bitwise_or_(bitwise_and(isnan(input), isnan(other)))
    if not (rtol or atol):
        return close
    if not input.is_floating_point():
        input, other = input.to(dtypes.default()), other.to(dtypes.default())
    apart = (input - other).abs()
    close.bitwise_or_(bitwise_and(isfinite(apart), apart <= (other * rtol).abs() + atol))
    return close


def allclose(
    input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> bool:
    """Return whether `isclose` holds everywhere.

    Raises what `isclose` does. Two nan are close only with `equal_nan`.
    """
    return bool(isclose(input, other, rtol, atol, equal_nan)._array.all())


def equal(input: Tensor, other: Tensor) -> bool:
    """Return whether shapes and all elements are the same."""
    return bool(np.array_equal(input._array, other._array))


def isin(
    elements: Any, test_elements: Any, *, assume_unique: bool = False, invert: bool = False
) -> Tensor:
    """Return for each element whether it is among `test_elements`; one of the two may be a number.

    `invert` returns whether it is not.
    """
    operands = operand(elements), operand(test_elements)
    if any(np.asarray(data_of(each)).dtype.kind == "b" for each in operands):
        raise RuntimeError("Unsupported input type encountered for isin(): Bool")
    a, b = promoted(*operands)
    return wrap(np.isin(a, b, invert=invert)[()])
