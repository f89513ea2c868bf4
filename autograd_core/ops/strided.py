"""`as_strided`: any geometry on a storage. It remakes views of a base that was changed in place."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autograd_core.creation import zeros_of
from autograd_core.ops.order_in_memory import in_order, reach, restrided
from autograd_core.ops.shape import ViewOperator
from autograd_core.tensor import Tensor, wrap, wrap_indices
from autograd_core.views import view_of


class AsStrided(ViewOperator):
    """z = x's memory in any geometry;  dL/dx = g added up at the elements of x that z shows.

    Elements of x that share memory share its gradient equally.
    """

    @staticmethod
    def forward(x, size, stride, offset):
        x.memory()
        flat = x.untyped_storage().data.ravel(order="K")
        return view_of(x, window(flat, size, stride, _offset(x, offset)))

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, size, stride, offset = inputs
        ctx.arguments, ctx.geometry = inputs[1:], (size, stride, _offset(x, offset))
        ctx.input_geometry = x._array.shape, x.stride(), x.storage_offset()

    @staticmethod
    def backward(ctx, g):
        if not g._array.size:
            return zeros_of(ctx.input_geometry[0], g._array.dtype), None, None, None
        # Only the memory that x and z span is needed: count offsets from the first of the two.
        start = min(ctx.geometry[2], ctx.input_geometry[2])
        seen, own = [
            (size, stride, offset - start)
            for size, stride, offset in (ctx.geometry, ctx.input_geometry)
        ]
        flat = g.new_zeros(
            max(offset + reach(size, stride) for size, stride, offset in (seen, own))
        )
        if _may_overlap(*seen[:2]):
            flat = flat.index_add(0, wrap_indices(_places(*seen)), g.reshape(-1))
        else:
            flat.as_strided(*seen).copy_(g)
        if _may_overlap(*own[:2]):
            sharing = np.bincount(_places(*own), minlength=len(flat)).clip(min=1)
            flat = flat / wrap(sharing.astype(g._array.dtype))
        return flat.as_strided(*own), None, None, None


def _offset(x: Tensor, offset: int | None) -> int:
    return x.storage_offset() if offset is None else offset


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
    return AsStrided.apply(input, tuple(size), tuple(stride), storage_offset)


def _may_overlap(size: Sequence[int], stride: Sequence[int]) -> bool:
    """Return whether elements may share memory, by PyTorch's test."""
    reached = 0
    for step, length in sorted(zip(stride, size, strict=True)):
        if length == 1:
            continue
        if step <= reached:
            return True
        reached += step * (length - 1)
    return False


def _places(size: Sequence[int], stride: Sequence[int], offset: int) -> np.ndarray:
    """Return the position of each element in memory."""
    return window(np.arange(offset + reach(size, stride)), size, stride, offset).ravel()


def window(
    flat: np.ndarray, size: Sequence[int], stride: Sequence[int] | None, offset: int
) -> np.ndarray:
    """Return an array that looks at `flat` in this geometry, contiguous if `stride` is None.

    Raises PyTorch's RuntimeErrors for an impossible geometry, or one that `flat` is too short for.
    """
    if stride is None:
        stride = in_order(tuple(size))
    if len(size) != len(stride):
        raise RuntimeError(f"unequal size length ({len(size)}) and stride length ({len(stride)})")
    if offset < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {offset}")
    if any(each < 0 for each in (*size, *stride)):
        raise RuntimeError(
            f"Storage size calculation overflowed with sizes={list(size)} and "
            f"strides={list(stride)}"
        )
    if 0 not in size and offset + reach(size, stride) > flat.size:
        needed = (offset + reach(size, stride)) * flat.itemsize
        raise RuntimeError(
            f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {offset}, "
            f"and itemsize {flat.itemsize} requiring a storage size of {needed} are out of bounds "
            f"for storage of size {flat.nbytes}"
        )
    steps = [step * flat.itemsize for step in stride]
    return restrided(flat[offset:], size, steps)
