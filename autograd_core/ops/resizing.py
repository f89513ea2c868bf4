"""Resizing: a tensor takes another shape, and its memory grows as needed."""

from __future__ import annotations

import gc
import math

import numpy as np

from autograd_core.storage import UntypedStorage
from autograd_core.tensor import Tensor


def resized(self: Tensor, lengths: tuple[int, ...]) -> Tensor:
    """Give `self` another shape, whatever history it has."""
    if lengths == self._array.shape:
        return self
    offset, count = self.storage_offset(), math.prod(lengths)
    flat = self._storage.data
    flat = (flat if isinstance(flat, np.ndarray) else self.memory()).ravel(order="K")
    if count and offset + count > flat.size:
        if not self._storage.resizable():
            raise RuntimeError("Trying to resize storage that is not resizable")
        grown = np.zeros(offset + count, flat.dtype)
        grown[: flat.size] = flat
        if flat.size:
            _move(self._storage.data, grown)
        self._storage.data = flat = grown
    self._array = flat[offset : offset + count].reshape(lengths)
    return self


def _move(data: np.ndarray, grown: np.ndarray) -> None:
    """Let all tensors that look at the memory `data` look at `grown` instead.

    There is no list of them, so they are found by Python's garbage collector.
    """
    for storage in gc.get_referrers(data):
        if isinstance(storage, UntypedStorage):
            holders = gc.get_referrers(storage)
            attributes = [each for each in holders if type(each) is dict]
            for each in (*holders, *gc.get_referrers(*attributes)):
                if isinstance(each, Tensor) and each.numel():
                    seen, start = each._array, each.storage_offset() * data.itemsize
                    each._array = np.ndarray(seen.shape, data.dtype, grown, start, seen.strides)
            storage.data = grown
