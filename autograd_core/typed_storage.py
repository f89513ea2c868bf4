"""`TypedStorage`: a storage read as numbers of one dtype, which PyTorch is about to give up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autograd_core.device import CPU, device
from autograd_core.dtypes import dtype
from autograd_core.storage import Storage


class TypedStorage:
    """The memory of a tensor as a sequence of Python numbers."""

    def __init__(self, storage: Storage, kind: dtype) -> None:
        self._storage, self.dtype = storage, kind

    @property
    def device(self) -> device:
        """The processor."""
        return CPU

    def untyped(self) -> Storage:
        """Return the storage itself."""
        return self._storage

    def size(self) -> int:
        """Return the number of elements."""
        return self._storage.data.size

    def nbytes(self) -> int:
        """Return the size in bytes."""
        return self._storage.nbytes()

    def data_ptr(self) -> int:
        """Return the address of the first element."""
        return self._storage.data_ptr()

    def tolist(self) -> list[Any]:
        """Return the elements as Python numbers."""
        return self._storage.data.ravel(order="K").tolist()

    def __len__(self) -> int:
        return self.size()

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist())

    def __getitem__(self, index: int) -> Any:
        return self.tolist()[index]

    def __repr__(self) -> str:
        numbers = "\n ".join([str(each) for each in self.tolist()])
        return (
            f" {numbers}\n[torch.storage.TypedStorage(dtype={self.dtype}, device={self.device}) "
            f"of size {self.size()}]"
        )
