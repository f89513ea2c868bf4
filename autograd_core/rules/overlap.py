"""Memory that is written while it is read: what PyTorch refuses, and what it does not notice."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_core.messages import warn
from autograd_core.ops.order_in_memory import is_dense
from autograd_core.tensor import Tensor

_OVERLAP = (
    "unsupported operation: more than one element of the written-to tensor refers to a single "
    "memory location. Please clone() the tensor before performing the operation."
)
_PARTIAL_OVERLAP = (
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to "
    "a single memory location. Please clone() the tensor before performing the operation."
)
_EXPANDED = (
    "Use of {} on expanded tensors is deprecated. Please clone() the tensor before performing this "
    "operation. This also applies to advanced indexing e.g. tensor[{}"
)


def repeats(tensor: Tensor) -> bool:
    """Return whether several elements of `tensor` share memory, as those of expanded tensors do."""
    window = tensor._array
    # Without elements, NumPy's strides say nothing.
    return (
        tensor._shared is not None
        and 0 in window.strides
        and bool(window.size)
        and any(
            step == 0 and length > 1
            for step, length in zip(window.strides, window.shape, strict=True)
        )
    )


def warn_of_repeats(name: str, example: str = "mask] = scalar") -> None:
    """Give PyTorch's UserWarning that an expanded tensor is written by the operator `name`."""
    warn(_EXPANDED.format(name, example))


def check_overlap(tensor: Tensor, *others: Any, moving: bool = False) -> bool:
    """Raise RuntimeError if writing `tensor` would change elements of `others` still to be read.

    An operator that is `moving` elements to other positions must not even read `tensor` itself.
    Return whether there is an overlap all the same that PyTorch does not notice.
    """
    if repeats(tensor):
        raise RuntimeError(_OVERLAP)
    return check_shared(tensor, *others, moving=moving)


def check_shared(tensor: Tensor, *others: Any, moving: bool) -> bool:
    """As `check_overlap`, but elements of `tensor` may share memory with each other."""
    shared = False
    for other in others:
        if isinstance(other, Tensor) and other._storage.data is tensor._storage.data:
            if moving and other is tensor:
                raise RuntimeError(_PARTIAL_OVERLAP)
            shared |= _check_partial_overlap(tensor.memory(), other.memory(), moving)
    return shared


def same_elements(a: np.ndarray, b: np.ndarray) -> bool:
    """Return whether two arrays are the same elements of memory, in the same places."""
    same_start = a.__array_interface__["data"] == b.__array_interface__["data"]
    return same_start and a.shape == b.shape and a.strides == b.strides


def _check_partial_overlap(written: np.ndarray, read: np.ndarray, moving: bool) -> bool:
    if same_elements(written, read) and not moving:
        return False
    # As in PyTorch: gaps between the elements make it too hard to tell.
    if is_dense(written) and is_dense(read) and np.may_share_memory(written, read):
        raise RuntimeError(_PARTIAL_OVERLAP)
    return np.shares_memory(written, read)
