"""How an accumulated gradient lies in memory: as its leaf does, if that leaves no gaps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from autograd_core.creation import empty_like
from autograd_core.device import contiguous_format
from autograd_core.tensor import wrap

if TYPE_CHECKING:
    from autograd_core.tensor import Tensor


def lies_as_wanted(leaf: Tensor, grad: np.ndarray) -> bool:
    """Return whether data of the shape of `leaf` lie as its gradient is to."""
    array = leaf._array
    if array.flags.c_contiguous or not _is_dense(array):
        return grad.flags.c_contiguous
    return grad.strides == array.strides


def copied_for(leaf: Tensor, grad: Tensor) -> Tensor:
    """Return a copy of `grad` that lies as the gradient of `leaf` is to."""
    array = leaf._array
    if array.flags.c_contiguous:
        return empty_like(grad, memory_format=contiguous_format).copy_(grad)
    if _is_dense(array):
        return wrap(np.empty_like(array, grad._array.dtype)).copy_(grad)
    return grad.clone(memory_format=contiguous_format)


def _is_dense(array: Any) -> bool:
    step = array.itemsize
    for stride, length in sorted(zip(array.strides, array.shape, strict=True)):
        if length != 1:
            if stride != step:
                return False
            step *= length
    return True
