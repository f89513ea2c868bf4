"""Results written into existing memory: the first operand's, or `out`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy import ndarray

from autograd_core.ops.elementwise import WEAK
from autograd_core.ops.rounding import EXACT_UP_TO
from autograd_core.tensor import Tensor


def into_memory(ufunc: Callable[..., Any]) -> Any:
    """Return an operator's `into`, which computes x = ufunc(x, y) in the memory of x.

    Or x = ufunc(x, scale * y), if x is large. It returns False unless both have one floating dtype
    and the shape of x.
    """

    def into(x: Tensor, y: Any, *scale: Any) -> bool:
        a = x._array
        b = y._array if isinstance(y, Tensor) else y
        if not is_plain(a, b) or (scale and a.size <= EXACT_UP_TO):
            return False
        ufunc(a, b * a.dtype.type(*scale) if scale else b, out=a)
        return True

    return staticmethod(into)


def is_plain(a: Any, b: Any) -> bool:
    """Return whether `a` can hold the result: floating, not half, and b alike or a number."""
    if type(a) is not ndarray or a.dtype.kind != "f" or a.dtype.itemsize == 2:
        return False
    return type(b) in WEAK or (type(b) is ndarray and b.dtype is a.dtype and b.shape == a.shape)


# Integers with as many bytes.
_BITS = {1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}


def kept_where(mask: Any, data: Any, out: Any = None) -> Any:
    """Return NumPy `data` where `mask`, of its shape, holds, and 0 elsewhere.

    It has the memory layout of the mask. Unlike a product it makes no -0, and no nan of infinity.
    """
    if not isinstance(data, ndarray):
        return data if mask else type(data)(0)
    if out is None:
        out = np.empty_like(mask, data.dtype)
    bits = _BITS[data.itemsize]
    # As integers: times 1 leaves all bits of an element, times 0 none.
    np.multiply(data.view(bits), mask, out=out.view(bits))
    return out
