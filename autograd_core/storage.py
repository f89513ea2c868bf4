"""Memory: a storage owns NumPy data and the version counter that everyone who shares it sees."""

from __future__ import annotations

from typing import Any

import numpy as np


class Storage:
    """NumPy data and the number of in-place changes made to it so far.

    A tensor, its views and its detached tensors hold the same storage, hence the same `version`.
    `data` is an array, or for a lone number a NumPy scalar: scalars are an order of magnitude
    faster to compute with. They are immutable, so an in-place change replaces `data`; whoever needs
    real memory (a view, `numpy()`) asks for `array()`, which turns the number into an array for
    good.
    """

    __slots__ = ("__weakref__", "data", "version")

    def __init__(self, data: Any) -> None:
        self.data = data
        self.version = 0

    def array(self) -> np.ndarray:
        """Return the data as memory that can be shared."""
        if not isinstance(self.data, np.ndarray):
            self.data = np.array(self.data)
        return self.data

    def data_ptr(self) -> int:
        """Return the address of the first element."""
        return self.array().__array_interface__["data"][0]

    def nbytes(self) -> int:
        """Return the size of the data in bytes."""
        return self.data.nbytes
