"""How an accumulated gradient lies in memory: as its leaf does, if that leaves no gaps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from autograd_core.creation import empty_like
from autograd_core.device import contiguous_format
from autograd_core.tensor import wrap

if TYPE_CHECKING:
    from autograd_core.tensor import Tensor


def room_for(leaf: Tensor, grad: Tensor) -> Tensor:
    """Return a tensor, values without meaning, in which the gradient of `leaf` can be kept."""
    array = leaf._array
    if array.flags.c_contiguous:
        return empty_like(grad, memory_format=contiguous_format)
    return wrap(np.empty_like(array, grad._array.dtype, order="K" if _is_dense(array) else "C"))


def _is_dense(array: Any) -> bool:
    step = array.itemsize
    for stride, length in sorted(zip(array.strides, array.shape, strict=True)):
        if length != 1:
            if stride != step:
                return False
            step *= length
    return True
