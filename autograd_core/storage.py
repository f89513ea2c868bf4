"""Memory: a storage owns NumPy data and the version counter that everyone who shares it sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograd_core.device import CPU, device


def laid_in_order(data: Any) -> Any:
    """Return NumPy data whose elements lie in the order of their indices: `data`, or a copy."""
    return data if data.flags.c_contiguous else data.copy()


def in_order(shape: tuple[int, ...], step: int = 1) -> tuple[int, ...]:
    """Return the strides of a contiguous tensor of a shape, the last of them `step`."""
    steps = []
    for length in reversed(shape):
        steps.append(step)
        step *= max(length, 1)
    return tuple(reversed(steps))


def converted(data: Any, kind: Any) -> Any:
    """Return NumPy data in another dtype, laid as `order_of` says."""
    return data.astype(kind, order=order_of(data))


def order_of(data: Any) -> Any:
    """Return how NumPy is to lay what is made of `data`: as it is, or if expanded in C's order."""
    return "C" if 0 in data.strides else "K"


def reach(size: Sequence[int], stride: Sequence[int]) -> int:
    """Return how many places in memory a geometry steps over, from its first to its last."""
    return 1 + sum((length - 1) * step for length, step in zip(size, stride, strict=True))


class UntypedStorage:
    """NumPy data and the number of in-place changes made to it so far.

    A tensor, its views and its detached tensors hold the same storage, hence the same `version`.
    `data` is an array, or for a lone number a NumPy scalar: scalars are an order of magnitude
    faster to compute with. They are immutable, so only one tensor can hold one, and an in-place
    change replaces it; before anyone shares the memory, `Tensor.memory` makes it an array. Seen
    from outside it is a sequence of bytes.
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

    @property
    def device(self) -> device:
        """The processor."""
        return CPU

    def tolist(self) -> list[int]:
        """Return the bytes."""
        return np.asarray(self.data).ravel(order="K").view(np.uint8).tolist()

    def __getitem__(self, index: Any) -> Any:
        return self.tolist()[index]

    def __repr__(self) -> str:
        numbers = "\n ".join([str(each) for each in self.tolist()])
        return (
            f" {numbers}\n[torch.storage.UntypedStorage(device={self.device}) "
            f"of size {self.nbytes()}]"
        )


class AssignedStorage(UntypedStorage):
    """What `x.data = other` gives x: the memory of `other`, still under the counter of x.

    Views of x keep the memory of before, and share the counter all the same.
    """

    __slots__ = "_counter", "_shown_as"

    _counter: UntypedStorage

    def __init__(
        self, memory: UntypedStorage, counter: UntypedStorage, shown_as: Any = None
    ) -> None:
        self.data, self._shown_as = memory.data, shown_as
        self._counter = counter._counter if isinstance(counter, AssignedStorage) else counter

    @property
    def version(self) -> int:
        """The number of changes of the tensor, and of those that shared its former memory."""
        version = self._counter.version
        return version if self._shown_as is None else self._shown_as(version)

    @version.setter
    def version(self, version: int) -> None:
        self._counter.version = version if self._shown_as is None else int(version)


class ForeignStorage(UntypedStorage):
    """The memory of an array that somebody else has made: it cannot grow."""

    __slots__ = ()


def storage_of(data: Any) -> UntypedStorage:
    """Return a new storage of NumPy `data`, at version 0."""
    storage = UntypedStorage()
    storage.data, storage.version = data, 0
    return storage


class TypedStorage:
    """A storage as a sequence of Python numbers, which PyTorch is about to give up."""

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

    def __getitem__(self, index: int) -> Any:
        return self.tolist()[index]

    def __repr__(self) -> str:
        numbers = "\n ".join([str(each) for each in self.tolist()])
        return (
            f" {numbers}\n[torch.storage.TypedStorage(dtype={self.dtype}, device={self.device}) "
            f"of size {self.size()}]"
        )


Storage = UntypedStorage
