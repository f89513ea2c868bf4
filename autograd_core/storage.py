"""Memory: a storage owns NumPy data and the version counter that all its tensors share."""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from autograd_core.tensors.device import CPU, device


class _Row:
    """What both classes of storages share: they are indexed and printed as rows of numbers."""

    __slots__ = ()

    def __getitem__(self: Any, index: Any) -> Any:
        return self.tolist()[index]

    def __repr__(self: Any) -> str:
        numbers = "\n ".join(map(str, self.tolist()))
        return f" {numbers}\n[torch.storage.{self._described()} of size {len(self)}]"


# By id: memory that was handed out as a NumPy array, or taken from one.
_shown_to_numpy: WeakValueDictionary[int, np.ndarray] = WeakValueDictionary()


class UntypedStorage(_Row):
    """NumPy data and the number of in-place changes made to it so far.

    A tensor, its views and its detached tensors hold the same storage, hence the same `version`.
    `data` is an array or, for a 0-d tensor, a NumPy scalar, because NumPy computes with scalars
    an order of magnitude faster. A scalar is immutable: an in-place change replaces it, and
    `Tensor.memory` makes it an array before a second tensor shares the memory. To users a storage
    is a sequence of bytes.
    """

    __slots__ = ("__weakref__", "data", "version")

    data: Any
    version: int

    def data_ptr(self) -> int:
        """Return the address of the first element, 0 if there is none."""
        return np.asarray(self.data).__array_interface__["data"][0] if self.data.size else 0

    def nbytes(self) -> int:
        """Return the size of the data in bytes."""
        return self.data.nbytes

    size = __len__ = nbytes

    def show_to_numpy(self) -> None:
        """Forbid resizing from now on: a NumPy array would keep looking at the old memory."""
        _shown_to_numpy[id(self.data)] = self.data

    def resizable(self) -> bool:
        """Return whether the memory may grow."""
        return id(self.data) not in _shown_to_numpy

    @property
    def device(self) -> device:
        """The device; always the CPU."""
        return CPU

    def tolist(self) -> list[int]:
        """Return the bytes."""
        return np.asarray(self.data).ravel(order="K").view(np.uint8).tolist()

    def _described(self) -> str:
        return f"UntypedStorage(device={self.device})"


def new_storage(data: Any) -> UntypedStorage:
    """Return a new storage of NumPy `data`, at version 0."""
    storage = UntypedStorage()
    storage.data, storage.version = data, 0
    return storage


class TypedStorage(_Row):
    """A storage as a sequence of Python numbers; PyTorch has deprecated this class."""

    def __init__(self, storage: UntypedStorage, kind: Any) -> None:
        self._storage, self.dtype, self.device = storage, kind, storage.device
        self.nbytes, self.data_ptr = storage.nbytes, storage.data_ptr

    def untyped(self) -> UntypedStorage:
        """Return the storage itself."""
        return self._storage

    def size(self) -> int:
        """Return the number of elements."""
        return self._storage.data.size

    __len__ = size

    def tolist(self) -> list[Any]:
        """Return the elements as Python numbers."""
        return self._storage.data.ravel(order="K").tolist()

    def _described(self) -> str:
        return f"TypedStorage(dtype={self.dtype}, device={self.device})"


Storage = UntypedStorage
