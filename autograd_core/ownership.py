"""Whether a gradient is the engine's alone, so that it may be kept or changed without a copy.

As in PyTorch, references are counted: a gradient that a hook has put aside, or that is also another
node's gradient, belongs to others too. The engine changes it in place only if no other tensor looks
at its memory either.
"""

from __future__ import annotations

from sys import getrefcount
from typing import TYPE_CHECKING

import numpy as np

from autograd_core.forward_mode import levels
from autograd_core.ops.quiet import quiet_context
from autograd_core.rules.alignment import Room, owns_its_memory

if TYPE_CHECKING:
    from autograd_core.tensor import Tensor


def _references_to_a_local() -> int:
    held = [object()]
    alone = held.pop()
    return getrefcount(alone)


# What `getrefcount` says of an object that only a local variable holds; Python versions differ.
ALONE = _references_to_a_local()

# In elements: for fewer, new memory costs less time than finding out who holds a tensor.
WORTHWHILE = 1 << 14


def sees_memory_alone(grad: Tensor, held_by_caller: int = 0) -> bool:
    """Return whether no other tensor and no other array looks at the memory of `grad`.

    `held_by_caller` counts the caller's own references to the array. A view may see its memory
    alone too, if only the view still holds its base.
    """
    data, shared, base = grad._array, grad._shared, grad._base
    # An array with gaps might be that of an expanded tensor, whose elements share memory.
    if type(data) is not np.ndarray or not data.flags.forc or grad._requires_grad:
        return False
    # The tensor, this function and `getrefcount` itself hold the array.
    holders = ALONE + 1 + held_by_caller
    if shared is not None and shared.data is data:
        # A storage, once made, holds the array too.
        holders += 1
    if getrefcount(data) > holders:
        return False
    if base is None:
        if shared is not None and getrefcount(shared) > ALONE + 1:
            return False
        owner = data.base
        if owner is None or type(owner) is Room:
            return True
        # A matrix product may come transposed: then nobody else may hold the array under it.
        return (
            type(owner) is np.ndarray and owns_its_memory(owner) and getrefcount(owner) <= ALONE + 1
        )
    owner, looks_at_owner = base._array, data.base is base._array
    return (
        getrefcount(base) <= ALONE + 1
        and looks_at_owner
        and owns_its_memory(owner)
        # The tensor it belongs to, the view's array and the storage.
        and getrefcount(owner) <= ALONE + 3
        and getrefcount(shared) <= ALONE + 2
        and not base._requires_grad
    )


def owns_memory(tensor: Tensor) -> bool:
    """Return whether no other tensor and no other array looks at the memory of `tensor`.

    Unlike `sees_memory_alone`, it accepts tensors that require grad, as saved ones do, but no view.
    """
    data, shared = tensor._array, tensor._shared
    if tensor._base is not None or type(data) is not np.ndarray or not owns_its_memory(data):
        return False
    # The tensor, this function, `getrefcount` itself, and the storage hold the array.
    holders = ALONE + 1
    if shared is not None:
        if shared.data is not data or getrefcount(shared) > ALONE + 1:
            return False
        holders += 1
    return data.flags.forc and data.flags.writeable and getrefcount(data) <= holders


def add_to(kept: Tensor, grad: Tensor) -> None:
    """Add `grad` to `kept`, of the same shape and dtype, in the memory of `kept`."""
    data, added = kept._array, grad._array
    if 0 in data.strides or data.shape != added.shape or levels.entered:
        # `add_` refuses what does not fit, and adds the tangents too.
        kept.add_(grad)
        return
    if not isinstance(data, np.ndarray):
        kept.write(quiet_context().run(np.add, data, added))
    else:
        quiet_context().run(np.add, data, added, out=data)
    kept._storage.version += 1
