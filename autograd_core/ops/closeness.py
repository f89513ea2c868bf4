"""Are two tensors the same, exactly or nearly: equal, isclose, allclose, isin."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_core.ops.elementwise import broadcast_shape, operand, promoted
from autograd_core.tensor import Tensor, data_of, wrap


def isclose(
    input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Tensor:
    """Return where |input - other| <= atol + rtol * |other|.

    Raises RuntimeError for different dtypes and for negative tolerances.
    """
    if input.dtype is not other.dtype:
        raise RuntimeError(f"{input.dtype.title} did not match {other.dtype.title}")
    for name, tolerance in (("rtol", rtol), ("atol", atol)):
        if tolerance < 0:
            raise RuntimeError(
                f"{name} must be greater than or equal to zero, but got {tolerance:g}"
            )
    broadcast_shape(input.shape, other.shape)
    with np.errstate(all="ignore"):
        return wrap(np.isclose(input._array, other._array, rtol, atol, equal_nan))


def allclose(
    input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> bool:
    """Return whether `isclose` holds everywhere."""
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
    elements, test_elements = operand(elements), operand(test_elements)
    a, b = promoted(elements, test_elements)
    if a.dtype.kind == "b" or _is_bool(elements) or _is_bool(test_elements):
        raise RuntimeError("Unsupported input type encountered for isin(): Bool")
    return wrap(np.isin(a, b, invert=invert)[()])


def _is_bool(value: Any) -> bool:
    return np.asarray(data_of(value)).dtype.kind == "b"
