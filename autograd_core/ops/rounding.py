"""Rounding as PyTorch does: functions and sums of products exact to the last digit of float32."""

from __future__ import annotations

from collections.abc import Callable
from operator import mul
from typing import Any

import numpy as np

from autograd_core.ops.order_in_memory import converted
from autograd_core.ops.quiet import quiet_context
from autograd_core.tensors import dtypes

# Up to this size, float32 functions are computed in float64 and rounded, which gives PyTorch's
# digits; NumPy's own float32 functions are faster, but sometimes off by one in the last digit.
EXACT_UP_TO = 1024
# A Python number times this is a NumPy scalar of the type.
_ONE = {kind: kind(1) for kind in (np.float16, np.float32, np.float64)}
# The dtype in which a product of two numbers is exact, or nearly so.
_WIDER: dict[Any, np.dtype[Any]] = {
    np.dtype(np.float32): np.dtype(np.float64),
    np.dtype(np.float64): np.dtype(np.longdouble),
}


def floating(data: Any) -> Any:
    """Return floating NumPy data; integers and bools are converted to the default dtype."""
    return data if data.dtype.kind == "f" else converted(data, dtypes.default().numpy)


def exact(scalar: Callable[[float], float], ufunc: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a function of NumPy data that rounds as PyTorch does, and never makes NumPy warn.

    `scalar` is Python's function for one number, `ufunc` NumPy's for arrays.
    """

    def compute(data: Any) -> Any:
        one = _ONE.get(type(data))
        if one is not None:
            try:
                return quiet_context().run(mul, one, scalar(float(data)))
            except (ValueError, OverflowError):
                pass
        elif data.dtype.kind != "f":
            return compute(floating(data))
        return quiet_context().run(of_array, data)

    def of_array(data: Any) -> Any:
        if data.dtype != np.float64 and data.size <= EXACT_UP_TO:
            return ufunc(converted(data, np.float64)).astype(data.dtype)
        return ufunc(data)

    return compute


def plus_product(a: Any, b: Any, c: Any) -> Any:
    """Return a + b * c of NumPy data of one dtype, rounded once, as PyTorch's fused multiply-add.

    For large arrays the product is rounded as well. Halves are converted to float32 before.
    """
    wider = _WIDER.get(a.dtype)
    if wider is None or max(a.size, b.size, c.size) > EXACT_UP_TO:
        return a + b * c
    # Widening one factor is enough, and c is often a scalar: NumPy widens the others.
    return (a + b * c.astype(wider)).astype(a.dtype)


def add_product(a: Any, b: Any, c: Any) -> None:
    """Add b * c to the array `a` in place, rounded as in `plus_product`; c is a scalar."""
    # Step by step, which is faster than steps that cast.
    total = b.astype(_WIDER.get(a.dtype, a.dtype))
    total *= c
    total += a
    a[...] = total


def opened(data: Any) -> Any:
    """Return halves as float32, in which PyTorch computes several steps; others as they are."""
    return converted(data, np.float32) if data.dtype == np.float16 else data
