"""`allow_mutation_on_saved_tensors`: saved tensors are copied just before an in-place change."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary, WeakSet, WeakValueDictionary

from autograd_core.tensor import Tensor

_OUTSIDE = (
    "Trying to backward outside of the 'allow_mutation_on_saved_tensors' context"
    "in which the graph was originally recorded."
)


class _Handle:
    """What nodes save in place of a tensor; the context finds the tensor by it."""


class _AllowMutationOnSavedContext:
    """What has been saved since the context was entered: originals, and copies of what changed.

    A tensor that is saved several times without a change in between has one handle, found by its
    identity, address and version.
    """

    def __init__(self) -> None:
        self.original: WeakKeyDictionary[_Handle, Tensor] = WeakKeyDictionary()
        self.cloned: WeakKeyDictionary[_Handle, Tensor] = WeakKeyDictionary()
        self.tid_to_weakhandle: WeakValueDictionary[Any, _Handle] = WeakValueDictionary()
        # By the memory's address, because several storages may have the same memory.
        self._in_memory: dict[int, WeakSet[_Handle]] = {}

    def clear(self) -> None:
        """Forget everything: what was saved cannot be read any more."""
        self.original.clear()
        self.cloned.clear()
        self.tid_to_weakhandle.clear()
        self._in_memory.clear()

    def __enter__(self) -> _AllowMutationOnSavedContext:
        global current
        if current is not None:
            # As in PyTorch, this ends the outer context too.
            current = None
            raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
        current = self
        return self

    def __exit__(self, *exception: object) -> None:
        global current
        current = None
        self.clear()

    def pack(self, tensor: Tensor) -> Any:
        """Return a handle for `tensor`, which is being saved for backward."""
        identity = id(tensor), tensor.data_ptr(), tensor._version
        handle = self.tid_to_weakhandle.get(identity)
        if handle is None:
            handle = self.tid_to_weakhandle[identity] = _Handle()
            self.original[handle] = tensor.detach()
            self._in_memory.setdefault(_address(tensor), WeakSet()).add(handle)
        return handle

    def unpack(self, handle: Any) -> Tensor:
        """Return the values at the time of saving; AssertionError outside of the context."""
        values = self.cloned.get(handle, self.original.get(handle))
        if current is not self or values is None:
            raise AssertionError(_OUTSIDE)
        return values

    def about_to_change(self, tensor: Tensor) -> None:
        """Copy the saved tensors that look at the memory of `tensor`."""
        for handle in self._in_memory.pop(_address(tensor), ()):
            self.cloned[handle] = self.original.pop(handle).clone()


def _address(tensor: Tensor) -> int:
    return tensor.untyped_storage().data_ptr()


current: _AllowMutationOnSavedContext | None = None
