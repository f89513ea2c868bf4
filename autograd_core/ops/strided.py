"""`as_strided`: any geometry on a storage. Views that were changed in place are traced by it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autograd_core.ops.shape import ViewOperator
from autograd_core.storage import reach
from autograd_core.tensor import Tensor, wrap
from autograd_core.views import view_of


class AsStrided(ViewOperator):
    """z = x's memory in any geometry;  dL/dx = g added up where elements of x were seen.

    Elements of x that are in one place share the gradient of that place.
    """

    @staticmethod
    def forward(x, size, stride, offset):
        x.memory()
        flat = x.untyped_storage().data.ravel(order="K")
        return view_of(x, _strided(flat, size, stride, offset))

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, *ctx.geometry = inputs
        ctx.input_geometry = x._array.shape, x.stride(), x.storage_offset()

    @staticmethod
    def backward(ctx, g):
        size, stride, offset = ctx.geometry
        shape, input_stride, input_offset = ctx.input_geometry
        steps = reach(shape, input_stride)
        places = _strided(np.arange(offset, offset + reach(size, stride)), size, stride, 0)
        seen = _strided(
            np.arange(input_offset, input_offset + max(steps, 0)), shape, input_stride, 0
        )
        flat = g.new_zeros(max(input_offset + steps, int(places.max(initial=0)) + 1))
        flat = flat.scatter_add(0, wrap(places.ravel().astype(np.int64)), g.reshape(-1))
        dx = flat[wrap(seen.astype(np.int64))]
        sharing = np.bincount(seen.ravel())
        if sharing.max(initial=0) > 1:
            dx = dx / wrap(sharing[seen].astype(dx._array.dtype))
        return dx, None, None, None

    @staticmethod
    def jvp(ctx, dx, *_):
        return dx.contiguous().as_strided(*ctx.geometry)


def as_strided(
    input: Tensor, size: Sequence[int], stride: Sequence[int], storage_offset: int | None = None
) -> Tensor:
    """Return a view of the storage in any geometry; `storage_offset` defaults to the input's."""
    if len(size) != len(stride):
        raise RuntimeError("mismatch in length of strides and shape")
    if any(step < 0 for step in stride):
        raise RuntimeError(
            "as_strided: Negative strides are not supported at the moment, got strides: "
            f"{list(stride)}"
        )
    if any(length < 0 for length in size):
        raise RuntimeError(
            f"Storage size calculation overflowed with sizes={list(size)} and "
            f"strides={list(stride)}"
        )
    offset = input.storage_offset() if storage_offset is None else storage_offset
    if offset < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {offset}")
    return AsStrided.apply(input, tuple(size), tuple(stride), offset)


def _strided(
    flat: np.ndarray, size: Sequence[int], stride: Sequence[int], offset: int
) -> np.ndarray:
    if 0 not in size and offset + reach(size, stride) > flat.size:
        needed = (offset + reach(size, stride)) * flat.itemsize
        raise RuntimeError(
            f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {offset}, "
            f"and itemsize {flat.itemsize} requiring a storage size of {needed} are out of bounds "
            f"for storage of size {flat.nbytes}"
        )
    steps = [step * flat.itemsize for step in stride]
    return np.lib.stride_tricks.as_strided(flat[offset:], size, steps)
