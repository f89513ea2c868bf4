"""Tensors of different shapes brought to the one that they have in common, and back again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograd_core.ops.elementwise import broadcast_shape
from autograd_core.ops.reductions import sum_to
from autograd_core.ops.shape import expand, expandable, sizes_of
from autograd_core.tensor import Size, Tensor


def broadcast_to(input: Tensor, *sizes: Any, size: Sequence[int] | None = None) -> Tensor:
    """Return a view repeated to a larger shape."""
    return expand(input, *sizes, size=size)


def sum_to_size(self: Tensor, *size: Any) -> Tensor:
    """Return the sum that broadcasting to this shape would undo; RuntimeError if none would."""
    wanted, have = sizes_of(size), tuple(self.shape)
    if not expandable(wanted, have):
        raise RuntimeError(f"size {{{list(wanted)}}} is not expandable to size {{{list(have)}}}.")
    return sum_to(self, wanted)


def broadcast_tensors(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Return views of all tensors in the shape that they have in common."""
    shape: tuple[int, ...] = ()
    for tensor in tensors:
        shape = broadcast_shape(shape, tensor._array.shape)
    return tuple([each if each._array.shape == shape else expand(each, shape) for each in tensors])


def broadcast_shapes(*shapes: Any) -> Size:
    """Return the shape that tensors of these shapes have in common."""
    common: list[int] = []
    for position, given in enumerate(shapes):
        shape = (given,) if isinstance(given, int) else tuple(given)
        common = [1] * (len(shape) - len(common)) + common
        for back in range(1, len(shape) + 1):
            if shape[-back] != 1 and common[-back] not in (1, shape[-back]):
                raise RuntimeError(
                    f"Attempting to broadcast a dimension of length {shape[-back]} at -{back}! "
                    f"Mismatching argument at index {position} had {shape}; but expected shape "
                    f"should be broadcastable to {common}"
                )
            common[-back] = shape[-back] if shape[-back] != 1 else common[-back]
    return Size(common)
