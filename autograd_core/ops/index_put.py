"""Writing at an index: `x[index] = v`, `index_put_` and `index_put`."""

from __future__ import annotations

import operator
from itertools import dropwhile
from typing import Any

import numpy as np

from autograd_core.creation import fitting, zeros_of
from autograd_core.messages import type_name
from autograd_core.ops.in_place import FILLING, Writing, copy_, fill_
from autograd_core.ops.in_turn import copied_memory
from autograd_core.ops.index_parts import in_numpy, taken
from autograd_core.ops.indexing import AtIndices, Index, add_at
from autograd_core.ops.making import named
from autograd_core.ops.order_in_memory import copy_of
from autograd_core.ops.quiet import quiet_context
from autograd_core.ops.shape import all_tensors, expandable
from autograd_core.rules.overlap import check_shared, repeats, warn_of_repeats
from autograd_core.tensor import Tensor, wrap
from autograd_core.tensors import dtypes
from autograd_core.views import check_in_place


class IndexPut_(Writing):  # noqa: N801 - PyTorch marks in-place operators so
    """x[index] = y;  dL/dx = g with 0 there,  dL/dy = g there.

    If it `accumulates`, x[index] += y, for repeated indices several times;  dL/dx = g.
    """

    node_name, accumulates, store = "IndexPutBackward0", False, operator.setitem

    @classmethod
    def forward(cls, ctx, x, index, y):
        ctx.keep(index)
        return super().forward(ctx, x, index, y)

    @classmethod
    def put(cls, x, index, y):
        """Write y at the index, or add it there."""
        try:
            cls.store(x.memory(), in_numpy(index), y._array)
        except (TypeError, ValueError):
            raise RuntimeError(_mismatch(x, index, y)) from None

    @classmethod
    def backward(cls, ctx, g):
        index, elsewhere = ctx.saved_tensors, g
        if not cls.accumulates:
            elsewhere = IndexPut.apply(g, index, zeros_of((), g._array.dtype))
        return elsewhere, None, Index.apply(g, index)

    @classmethod
    def jvp(cls, ctx, dx, _, dy):
        put = IndexPutAdding if cls.accumulates else IndexPut
        return put.apply(dx, ctx.saved_tensors, dy)


class IndexPut(AtIndices):
    """z = x with y put at the index, or added: the operator `changing` applied to a copy of x."""

    saved_names, changing, accumulates = (), IndexPut_, False

    @classmethod
    def forward(cls, x, index, y):
        z = wrap(copy_of(x._array))
        cls.changing.put(z, index, y)
        return z

    @classmethod
    def backward(cls, ctx, g):
        return cls.changing.backward(ctx, g)


def _put_in_turn(x: Tensor, index: Any, y: Tensor) -> None:
    into, read = copied_memory(x, y)
    places = np.arange(into.size).reshape(into.shape)[in_numpy(index)]
    if not expandable(read.shape, places.shape):
        raise RuntimeError(_mismatch(x, index, y))
    read = np.broadcast_to(read, places.shape)
    for place, position in zip(places.flat, np.ndindex(places.shape), strict=True):
        into.flat[place] = read[position]
    x.write(into)


_NODE = IndexPut_.node_name
# For a y that shares memory with x: its elements are read after earlier ones were written.
IndexPutInTurn_ = named("IndexPutInTurn_", IndexPut_, _NODE, put=_put_in_turn)
IndexPutAdding_ = named("IndexPutAdding_", IndexPut_, _NODE, accumulates=True, store=add_at)
IndexPutAdding = named(
    "IndexPutAdding", IndexPut, _NODE, accumulates=True, changing=IndexPutAdding_
)
# Of the operators that write at indices, PyTorch lets only these write to expanded tensors.
FILLING.update((IndexPut_, IndexPutAdding_))


def _mismatch(x: Tensor, index: Any, y: Tensor) -> str:
    return (
        f"shape mismatch: value tensor of shape {list(y.shape)} cannot be broadcast to indexing "
        f"result of shape {list(x.memory()[in_numpy(index)].shape)}"
    )


def index_put_(self: Tensor, indices: Any, values: Tensor, accumulate: bool = False) -> Tensor:
    """Write `values` at the given index tensors, or add them there."""
    part, index = _index(self, indices, values, lambda part: check_in_place(part, values))
    _apply(IndexPutAdding_ if accumulate else IndexPut_, part, index, values)
    return self


def index_put(input: Tensor, indices: Any, values: Tensor, accumulate: bool = False) -> Tensor:
    """Return `input` with `values` put at the given index tensors, or added there."""
    part, index = _index(input, indices, values)
    _check_dtypes(part, index, values)
    put = (IndexPutAdding if accumulate else IndexPut).apply(part, index, values)
    return put if part is input else put.view(input.shape)


def _index(input: Tensor, indices: Any, values: Any, check: Any = None) -> tuple[Tensor, Any]:
    """Return the tensor and the index tensors."""
    all_tensors(indices)
    if len(indices) > input.dim():
        if check is not None:
            check(input)
        raise IndexError(
            f"too many indices for tensor of dimension {input.dim()} (got {len(indices)})"
        )
    _refuse_bytes(indices, values)
    # A 0-d index would make a view; with one element it is like any other.
    whole = [each if each.dim() or each.dtype.category == 0 else each[None] for each in indices]
    return taken(input, tuple(whole), check)


def _refuse_bytes(index: Any, value: Tensor) -> None:
    """Raise PyTorch's error for a single number that is put where a mask of uint8 holds."""
    if value._array.size != 1:
        return
    tensors = [each for each in index if isinstance(each, list | np.ndarray | Tensor)]
    masks = [each for each in tensors if isinstance(each, Tensor) and each.dim()]
    if len(tensors) == 1 and masks and masks[0]._array.dtype == np.uint8:
        raise RuntimeError(
            "masked_fill_ only supports boolean masks, but got mask with dtype unsigned char"
        )


def _apply(writing: Any, part: Tensor, index: Any, values: Tensor) -> None:
    _check_dtypes(part, index, values)
    adds, fills = writing is IndexPutAdding_, _fills(index, values)
    if repeats(part):
        warn_of_repeats("index_put_", "indices] = tensor")
        if fills:
            warn_of_repeats("masked_fill_")
    if (adds or not fills) and check_shared(part, *index, values, moving=True) and not adds:
        writing = IndexPutInTurn_
    writing.apply(part, index, values)


def _fills(index: Any, values: Tensor) -> bool:
    """Return whether a single number is put where a mask holds, which PyTorch does by filling."""
    tensors = [each for each in index if isinstance(each, Tensor)]
    return len(tensors) == 1 and tensors[0]._array.dtype == bool and values.numel() == 1


def _check_dtypes(part: Tensor, index: Any, values: Tensor) -> None:
    if part._array.dtype == values._array.dtype:
        return
    if _fills(index, values):
        # A number that is filled in may have any dtype.
        fitting(values.item(), part._array.dtype)
        return
    if not expandable(values._array.shape, part.memory()[in_numpy(index)].shape):
        raise RuntimeError(_mismatch(part, index, values))
    raise RuntimeError(
        "Index put requires the source and destination dtypes match, got "
        f"{part.dtype.title} for the destination and {values.dtype.title} for the source."
    )


def setitem(self: Tensor, index: Any, value: Any) -> None:
    """Write `value`, a number or a tensor that broadcasts, into the part x[index]."""
    if not isinstance(value, Tensor):
        if not isinstance(value, bool | int | float | np.integer):
            dtypes.refuse_complex(value)
            raise TypeError(f"can't assign a {type_name(value)} to a torch.{self.dtype.legacy}")
        if isinstance(value, int) and not -(2**63) <= value < 2**63:
            raise ValueError("Overflow when unpacking long long")
        kind = self._array.dtype
        # A number that is too large becomes infinite in float16.
        fits = value if kind.char == "e" else fitting(value, kind)
        value = wrap(quiet_context().run(kind.type, fits))
    if index is False:
        return
    if index is True:
        index = None
    if isinstance(index, Tensor | tuple):
        _refuse_bytes(index if isinstance(index, tuple) else (index,), value)
    # A full slice makes no view if it is an item of a tuple.
    whole = (index,) if isinstance(index, slice) and self.dim() else index
    part, arrays = taken(self, whole, lambda part: check_in_place(part, value))
    if arrays is not None:
        begins_with_one = value._array.shape[:1] == (1,)
        _apply(IndexPut_, part, arrays, _without_ones(value) if begins_with_one else value)
    elif value._array.shape == part._array.shape:
        copy_(part, value)
    elif not value.dim():
        fill_(part, value)
    else:
        value = _without_ones(value)
        copy_(part, value if value.shape == part.shape else value.expand(part.shape))


def _without_ones(value: Tensor) -> Tensor:
    """Return a view without the leading dimensions of length 1."""
    return value.view(tuple(dropwhile((1).__eq__, value._array.shape)))
