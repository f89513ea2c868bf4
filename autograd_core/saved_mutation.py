"""Changing saved tensors in place, where it is allowed: a copy is kept just before the change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakSet

if TYPE_CHECKING:
    from autograd_core.storage import Storage
    from autograd_core.tensor import Tensor

_OUTSIDE = (
    "Trying to backward outside of the 'allow_mutation_on_saved_tensors' context"
    "in which the graph was originally recorded."
)
_NESTED = "allow_mutation_on_saved_tensors contexts cannot be nested"


class _Kept:
    """A saved tensor: the original until its memory is about to change, from then on a copy."""

    def __init__(self, tensor: Tensor) -> None:
        self.tensor: Tensor | None = tensor.detach()


class MutationContext:
    """What has been saved since the context was entered, by the memory that it lies in."""

    def __init__(self) -> None:
        self._kept: WeakKeyDictionary[Storage, WeakSet[_Kept]] = WeakKeyDictionary()

    def enter(self) -> None:
        """Begin; RuntimeError inside another context."""
        global current
        if current is not None:
            raise RuntimeError(_NESTED)
        current = self

    def leave(self) -> None:
        """End: what was saved cannot be read any more."""
        global current
        current = None
        for group in self._kept.values():
            for kept in group:
                kept.tensor = None
        self._kept.clear()

    def pack(self, tensor: Tensor) -> Any:
        """Keep `tensor` for backward."""
        kept = _Kept(tensor)
        self._kept.setdefault(tensor._storage, WeakSet()).add(kept)
        return kept

    def unpack(self, kept: Any) -> Tensor:
        """Return the values at the time of saving; AssertionError outside of the context."""
        if current is not self or kept.tensor is None:
            raise AssertionError(_OUTSIDE)
        return kept.tensor

    def about_to_change(self, tensor: Tensor) -> None:
        """Copy what was saved in the memory of `tensor`."""
        for kept in self._kept.pop(tensor._storage, ()):
            if kept.tensor is not None:
                kept.tensor = kept.tensor.clone()


current: MutationContext | None = None
