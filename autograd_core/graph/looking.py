"""Looking at tensors without a trace in them, for those who draw them or listen."""

from __future__ import annotations

from autograd_core.node import Node
from autograd_core.storage import Storage
from autograd_core.tensor import Tensor
from autograd_core.views import renewed_maker


def maker_of(tensor: Tensor) -> Node | None:
    """Return what `grad_fn` would be, but renew nothing.

    A view that is out of date has another node each time; RuntimeError if it must not get one.
    """
    if tensor._base is not None and tensor._history_version != tensor._storage.version:
        return renewed_maker(tensor)
    return tensor._grad_fn


def storage_of(tensor: Tensor) -> Storage:
    """Return the memory of a tensor. Unlike `untyped_storage()` it leaves a lone number one."""
    return tensor._storage
