"""Rounding as PyTorch does: functions and sums of products exact to the last digit of float32."""

from __future__ import annotations

from collections.abc import Callable
from operator import mul
from typing import Any

import numpy as np

from autograd_core.ops.order_in_memory import converted
from autograd_core.ops.quiet import quiet_context
from autograd_core.tensors import dtypes

# Below this size float32 functions are computed in float64 and rounded, which gives PyTorch's
# digits; NumPy's own float32 functions, one unit in the last place off now and then, are faster.
EXACT_UP_TO = 1024
# Python's numbers times it are numbers of a lone number's type.
_ONE = {kind: kind(1) for kind in (np.float16, np.float32, np.float64)}
# In what a product is exact, or nearly so, of numbers of a dtype.
_WIDER: dict[Any, np.dtype[Any]] = {
    np.dtype(np.float32): np.dtype(np.float64),
    np.dtype(np.float64): np.dtype(np.longdouble),
}


def floating(data: Any) -> Any:
    """Return NumPy data as floating numbers: integers and bools take the default dtype."""
    return data if data.dtype.kind == "f" else converted(data, dtypes.default().numpy)


def exact(scalar: Callable[[float], float], ufunc: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a function of NumPy data that rounds as PyTorch does, and of which NumPy never warns.

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
    """Return a + b * c of NumPy data of one dtype, rounded once, as by PyTorch's instruction.

    Of large arrays the product is rounded as well. Halves are taken as float32 before.
    """
    wider = _WIDER.get(a.dtype)
    if wider is None or max(a.size, b.size, c.size) > EXACT_UP_TO:
        return a + b * c
    # One is enough, and the last is often a lone number: NumPy widens what meets it.
    return (a + b * c.astype(wider)).astype(a.dtype)


def add_product(a: Any, b: Any, c: Any) -> None:
    """Add b * c to the array `a` in its memory, as `plus_product`; c is a lone number."""
    # Step by step NumPy takes less time than with a cast within a step.
    total = b.astype(_WIDER.get(a.dtype, a.dtype))
    total *= c
    total += a
    a[...] = total


def opened(data: Any) -> Any:
    """Return halves as float32, in which PyTorch takes several steps, and others as they are."""
    return converted(data, np.float32) if data.dtype == np.float16 else data
