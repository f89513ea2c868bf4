"""Comparisons and tests: bool tensors, which have no gradient and no node in the graph."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_core import dtypes
from autograd_core.ops.arithmetic import tensor_only
from autograd_core.ops.elementwise import broadcast_shape, combined, operand, promoted
from autograd_core.tensor import Tensor, data_of, wrap


def _comparison(test: Callable[[Any, Any], Any], returned: str) -> Callable[..., Tensor]:
    def compare(input: Tensor, other: Any) -> Tensor:
        if not isinstance(input, Tensor):
            raise TypeError("input must be a Tensor")
        return combined(test, input, operand(other))

    compare.__name__ = compare.__qualname__ = test.__name__
    compare.__doc__ = f"Return {returned}."
    return compare


eq = _comparison(operator.eq, "where the two are equal")
ne = _comparison(operator.ne, "where the two differ")
lt = _comparison(operator.lt, "where `input` is smaller")
le = _comparison(operator.le, "where `input` is smaller or equal")
gt = _comparison(operator.gt, "where `input` is larger")
ge = _comparison(operator.ge, "where `input` is larger or equal")


def logical_not(input: Tensor) -> Tensor:
    """Return where `input` is false."""
    return wrap(np.logical_not(input._array))


def logical_and(input: Tensor, other: Tensor) -> Tensor:
    """Return where both are true."""
    return combined(np.logical_and, input, tensor_only("logical_and", input, other))


def logical_or(input: Tensor, other: Tensor) -> Tensor:
    """Return where one of the two or both are true."""
    return combined(np.logical_or, input, tensor_only("logical_or", input, other))


def logical_xor(input: Tensor, other: Tensor) -> Tensor:
    """Return where exactly one of the two is true."""
    return combined(np.logical_xor, input, tensor_only("logical_xor", input, other))


def bitwise_and(input: Tensor, other: Any) -> Tensor:
    """Return `input & other`."""
    return _bitwise(operator.and_, "bitwise_and_cpu", input, other)


def bitwise_or(input: Tensor, other: Any) -> Tensor:
    """Return `input | other`."""
    return _bitwise(operator.or_, "bitwise_or_cpu", input, other)


def bitwise_xor(input: Tensor, other: Any) -> Tensor:
    """Return `input ^ other`."""
    return _bitwise(operator.xor, "bitwise_xor_cpu", input, other)


def bitwise_not(input: Tensor) -> Tensor:
    """Return `~input`, for integers and bools."""
    if input.is_floating_point():
        raise dtypes.no_kernel("bitwise_not_cpu", input._array)
    return wrap(np.invert(input._array))


def invert(input: Tensor) -> Tensor:
    """Return `~input`, as Python's operator, which names itself when it refuses."""
    if input.is_floating_point():
        raise TypeError(
            "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
        )
    return bitwise_not(input)


def bitwise_left_shift(input: Tensor, other: Any) -> Tensor:
    """Return `input << other`."""
    return _shifted(operator.lshift, "lshift_cpu", input, other)


def bitwise_right_shift(input: Tensor, other: Any) -> Tensor:
    """Return `input >> other`."""
    return _shifted(operator.rshift, "rshift_cpu", input, other)


def isnan(input: Tensor) -> Tensor:
    """Return where `input` is not a number."""
    return wrap(np.isnan(input._array))


def isfinite(input: Tensor) -> Tensor:
    """Return where `input` is neither infinite nor not a number."""
    return wrap(np.isfinite(input._array))


def isinf(input: Tensor) -> Tensor:
    """Return where `input` is infinite."""
    return wrap(np.isinf(input._array))


def isposinf(input: Tensor) -> Tensor:
    """Return where `input` is positive infinity."""
    return wrap(input._array == np.inf)


def isneginf(input: Tensor) -> Tensor:
    """Return where `input` is negative infinity."""
    return wrap(input._array == -np.inf)


def signbit(input: Tensor) -> Tensor:
    """Return where the sign is negative, of -0.0 too."""
    array = input._array
    return wrap(np.signbit(array) if array.dtype.kind == "f" else array < 0)


def _bitwise(function: Any, kernel: str, input: Any, other: Any) -> Tensor:
    input, other = operand(input), operand(other)
    if not (isinstance(input, Tensor) or isinstance(other, Tensor)):
        raise TypeError
    a, b = promoted(input, other)
    broadcast_shape(a.shape, b.shape)
    if a.dtype.kind == "f":
        raise dtypes.no_kernel(kernel, a)
    return wrap(function(a, b))


def _shifted(function: Any, kernel: str, input: Any, other: Any) -> Tensor:
    input, other = operand(input), operand(other)
    common = dtypes.result_type(data_of(input), data_of(other))
    if common is dtypes.bool_:
        raise dtypes.no_kernel(kernel, common.numpy)
    return _bitwise(function, kernel, input, other)
