"""Reading parts: `x[...]`, `where`, `masked_fill`, and what belongs to `x[...] = v`."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from autograd_core.function import Function
from autograd_core.ops.elementwise import promoted, size_mismatch
from autograd_core.ops.reductions import sum_to
from autograd_core.ops.shape import Select, Slice, ViewFunction, unsqueeze
from autograd_core.tensor import Tensor, data_of, wrap
from autograd_core.views import alias


class Index(Function):
    """z = x[indices], a copy;  dL/dx = g added up at the indices, repeated ones several times."""

    node_name = "IndexBackward0"

    @staticmethod
    def forward(ctx, x, index):
        ctx.shape, ctx.index = x.shape, index
        return wrap(np.array(x.memory()[index]))

    @staticmethod
    def backward(ctx, g):
        return IndexAdd.apply(g, ctx.shape, ctx.index), None

    @staticmethod
    def jvp(ctx, dx, _):
        return Index.apply(dx, ctx.index)


class IndexAdd(Function):
    """z = zeros with x added at the indices;  dL/dx = g[indices]."""

    node_name = "IndexPutBackward0"

    @staticmethod
    def forward(ctx, x, shape, index):
        ctx.shape, ctx.index = shape, index
        z = np.zeros(shape, x._array.dtype)
        np.add.at(z, index, x._array)
        return wrap(z)

    @staticmethod
    def backward(ctx, g):
        return Index.apply(g, ctx.index), None, None

    @staticmethod
    def jvp(ctx, dx, *_):
        return IndexAdd.apply(dx, ctx.shape, ctx.index)


class Where(Function):
    """z = x where the condition holds, else y;  g goes to the one that was taken."""

    node_name, edges_for_numbers = "WhereBackward0", True

    @staticmethod
    def forward(ctx, condition, x, y):
        ctx.condition = condition
        a, b = promoted(x, y)
        ctx.shapes = np.shape(a), np.shape(b)
        try:
            return wrap(np.where(condition._array, a, b))
        except ValueError:
            raise RuntimeError(size_mismatch(np.shape(a), np.shape(b))) from None

    @staticmethod
    def backward(ctx, g):
        zero = g.new_zeros(())
        _, dx, dy = ctx.needs_input_grad
        return (
            None,
            sum_to(where(ctx.condition, g, zero), ctx.shapes[0]) if dx else None,
            sum_to(where(ctx.condition, zero, g), ctx.shapes[1]) if dy else None,
        )

    @staticmethod
    def jvp(ctx, _, dx, dy):
        return where(ctx.condition, 0 if dx is None else dx, 0 if dy is None else dy)


class MaskedFill(Function):
    """z = x with a number put where the mask holds;  dL/dx = g, 0 there."""

    node_name = "MaskedFillBackward0"

    @staticmethod
    def forward(ctx, x, mask, value):
        ctx.mask = mask
        return wrap(np.where(mask._array, x._array.dtype.type(value), x._array))

    @staticmethod
    def backward(ctx, g):
        return g.masked_fill(ctx.mask, 0), None, None

    @staticmethod
    def jvp(ctx, dx, *_):
        return dx.masked_fill(ctx.mask, 0)


def getitem(input: Tensor, index: Any) -> Tensor:
    """Return x[index]: a view for integers, slices, None and Ellipsis, a copy for masks and lists.

    As in PyTorch each item of the index is an operator of its own: `x[0, 1:]` selects, then slices.
    """
    items = split_index(input, index)
    if any(isinstance(item, np.ndarray) for item in items):
        return Index.apply(input, items if len(items) > 1 else items[0])
    result, dim = input, 0
    for item in items:
        before = (slice(None),) * dim
        if item is None:
            result, dim = unsqueeze(result, dim), dim + 1
        elif isinstance(item, slice):
            if item != slice(None):
                result = Slice.apply(result, (*before, item))
            dim += 1
        else:
            result = Select.apply(result, (*before, item))
    return ViewOfAll.apply(input) if result is input else result


class ViewOfAll(ViewFunction):
    """z = x[:], a view of the whole;  dL/dx = g."""

    node_name = "AliasBackward0"

    @staticmethod
    def forward(ctx, x):
        return alias(x)

    @staticmethod
    def backward(ctx, g):
        return g

    jvp = backward


def where(condition: Tensor, input: Any = None, other: Any = None) -> Any:
    """Return `input` where the condition holds, else `other`; alone: the indices where it holds."""
    if input is None and other is None:
        return tuple([wrap(each) for each in np.nonzero(condition.memory())])
    return Where.apply(condition, input, other)


def masked_fill(input: Tensor, mask: Tensor, value: Any) -> Tensor:
    """Return `input` with the number `value` where `mask` holds."""
    return MaskedFill.apply(input, mask, data_of(value))


def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """Return the elements where `mask` holds, as one dimension."""
    return input[mask]


def nonzero(input: Tensor) -> Tensor:
    """Return the indices of the elements that are not zero, one row each."""
    return wrap(np.argwhere(input.memory()))


def split_index(tensor: Tensor, index: Any) -> tuple[Any, ...]:
    """Return the index as a tuple of ints, slices, None and arrays, its Ellipsis worked out."""
    items = tuple([_item(each) for each in (index if isinstance(index, tuple) else (index,))])
    if not tensor.dim() and len(items) == 1 and isinstance(items[0], int | slice):
        if isinstance(items[0], slice):
            raise IndexError("slice() cannot be applied to a 0-dim tensor.")
        raise IndexError(
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` "
            "in C++ to convert a 0-dim tensor to a number"
        )
    used = sum(_dims_used(item) for item in items)
    if used > tensor.dim():
        raise IndexError(f"too many indices for tensor of dimension {tensor.dim()}")
    if any(item is Ellipsis for item in items):
        at = next(i for i, item in enumerate(items) if item is Ellipsis)
        rest = (slice(None),) * (tensor.dim() - used)
        items = items[:at] + rest + items[at + 1 :]
    _check_bounds(tensor, items)
    return items


def _item(item: Any) -> Any:
    if isinstance(item, bool):
        return np.array(item)
    if isinstance(item, Tensor):
        array = item._array
        if array.dtype.kind not in "biu":
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
        return int(array) if not array.ndim and array.dtype.kind != "b" else np.asarray(array)
    if isinstance(item, np.integer):
        return int(item)
    if isinstance(item, slice):
        parts = [
            None if p is None else operator.index(p) for p in (item.start, item.stop, item.step)
        ]
        if parts[2] is not None and parts[2] <= 0:
            raise ValueError("step must be greater than zero")
        return slice(*parts)
    if isinstance(item, list | np.ndarray | range):
        return np.asarray(item)
    if item is None or item is Ellipsis or isinstance(item, int):
        return item
    raise TypeError(
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid "
        f"indices (got {type(item).__name__})"
    )


def _dims_used(item: Any) -> int:
    if item is None or item is Ellipsis:
        return 0
    return item.ndim if isinstance(item, np.ndarray) and item.dtype == bool else 1


def _check_bounds(tensor: Tensor, items: tuple[Any, ...]) -> None:
    dim = 0
    for item in items:
        if isinstance(item, int) and not -tensor.shape[dim] <= item < tensor.shape[dim]:
            raise IndexError(
                f"index {item} is out of bounds for dimension {dim} with size {tensor.shape[dim]}"
            )
        dim += _dims_used(item)
