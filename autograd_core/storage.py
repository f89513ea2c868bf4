"""Memory: a storage owns NumPy data and the version counter that everyone who shares it sees."""

from __future__ import annotations

from typing import Any

import numpy as np


class Storage:
    """NumPy data and the number of in-place changes made to it so far.

    A tensor, its views and its detached tensors hold the same storage, hence the same `version`.
    `data` is an array, or for a lone number a NumPy scalar: scalars are an order of magnitude
    faster to compute with. They are immutable, so only one tensor can hold one, and an in-place
    change replaces it; before anyone shares the memory, `Tensor.memory` makes it an array.
    """

    __slots__ = ("__weakref__", "data", "version")

    data: Any
    version: int

    def data_ptr(self) -> int:
        """Return the address of the first element."""
        return np.asarray(self.data).__array_interface__["data"][0]

    def nbytes(self) -> int:
        """Return the size of the data in bytes."""
        return self.data.nbytes


def storage_of(data: Any) -> Storage:
    """Return a new storage of NumPy `data`, at version 0."""
    storage = Storage()
    storage.data, storage.version = data, 0
    return storage
