"""Looking at tensors without changing anything in them, for figures and listeners."""

from __future__ import annotations

from autograd_core.node import Node
from autograd_core.storage import Storage
from autograd_core.tensor import Tensor
from autograd_core.views import renewed_maker


def maker_of(tensor: Tensor) -> Node | None:
    """Return what `grad_fn` would be, without refreshing the history of a stale view.

    For a stale view this is a new node at each call; RuntimeError if it must not get one.
    """
    if tensor._base is not None and tensor._history_version != tensor._storage.version:
        return renewed_maker(tensor)
    return tensor._grad_fn


def storage_of(tensor: Tensor) -> Storage:
    """Return a tensor's storage; unlike `untyped_storage()`, do not make a scalar an array."""
    return tensor._storage
