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


def sees_memory_alone(tensor: Tensor) -> bool:
    """Return whether nothing but `tensor`, which is no view, looks at its memory, and may write it.

    Memory belongs to an array, the owner. The tensor's array is this, or shows it transposed. If
    the tensor is alone, nothing refers to

        its array      but the tensor, and its storage once that is made
        its storage    but the tensor
        the owner      but the tensor's array
    """
    data, shared = tensor._array, tensor._shared
    if tensor._base is not None or type(data) is not np.ndarray:
        return False
    # An array with gaps might be that of an expanded tensor, whose elements share memory.
    if not (data.flags.forc and data.flags.writeable):
        return False
    # Each sum: what refers to the array or the storage, and a local variable here.
    if getrefcount(data) > ALONE + (2 if shared is not None and shared.data is data else 1):
        return False
    if shared is not None and getrefcount(shared) > ALONE + 1:
        return False
    owner = data.base
    if owner is None or type(owner) is Room:
        return True
    return type(owner) is np.ndarray and owns_its_memory(owner) and getrefcount(owner) <= ALONE + 1


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
