"""The memory layout of an accumulated gradient: the strides of its leaf, if that has no gaps."""

from __future__ import annotations

from itertools import zip_longest

import numpy as np

from autograd_core.creation import empty_like
from autograd_core.forward_mode import levels
from autograd_core.messages import warn_once
from autograd_core.modes.grad_mode import mode
from autograd_core.ops.order_in_memory import is_dense
from autograd_core.tensor import Tensor, wrap
from autograd_core.tensors.device import contiguous_format

_NOT_THE_LAYOUT = (
    "grad and param do not obey the gradient layout contract. This is not an error, but may impair "
    "performance."
)


def lies_as_wanted(leaf: Tensor, grad: np.ndarray) -> bool:
    """Return whether a gradient's array has the layout that the gradient of `leaf` should have."""
    array = leaf._array
    if grad.shape != array.shape:
        # The leaf has another shape by now: compare the strides of the gradient's dimensions.
        steps = zip_longest(grad.shape, grad.strides, array.strides[: grad.ndim])
        return all(n == 1 or step == own for n, step, own in steps)
    if array.flags.c_contiguous or not is_dense(array):
        # As in PyTorch, a dimension of length 1 may have any stride but that of an expanded one.
        return grad.flags.c_contiguous and (0 not in grad.strides or not grad.size)
    return grad.strides == array.strides


def copied_for(leaf: Tensor, grad: Tensor) -> Tensor:
    """Return a copy of `grad` in the layout that the gradient of `leaf` should have.

    If the leaf has another shape by now, `grad` is expanded to it, or RuntimeError is raised.
    """
    array = leaf._array
    if array.flags.c_contiguous and array.shape == grad._array.shape:
        if mode.enabled or levels.entered:
            return empty_like(grad, memory_format=contiguous_format).copy_(grad)
        copy = wrap(grad._array.copy())
        # As in PyTorch, which fills an empty tensor in place.
        copy._storage.version += 1
        return copy
    if is_dense(array):
        return wrap(np.empty_like(array, grad._array.dtype)).copy_(grad)
    return grad.clone(memory_format=contiguous_format)


def warn_of_layout(leaf: Tensor, grad: Tensor) -> None:
    """Give PyTorch's UserWarning, once, unless `grad` has the layout that `leaf` asks for."""
    if mode.layout_enforced and not lies_as_wanted(leaf, grad._array):
        geometries = [
            f"{name}.sizes() = {list(each.shape)}, strides() = {list(each.stride())}"
            for name, each in (("grad", grad), ("param", leaf))
        ]
        warn_once("\n".join([_NOT_THE_LAYOUT, *geometries]), kind=_NOT_THE_LAYOUT)
