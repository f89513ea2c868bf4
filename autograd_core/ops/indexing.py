"""Reading and writing parts: `x[...]`, `x[...] = v`, gather, scatter_add, index_select, where."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from autograd_core.function import Function
from autograd_core.ops.elementwise import promoted, size_mismatch
from autograd_core.ops.reductions import _dim, sum_to
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
        ctx.index = index
        z = np.zeros(shape, x._array.dtype)
        np.add.at(z, index, x._array)
        return wrap(z)

    @staticmethod
    def backward(ctx, g):
        return Index.apply(g, ctx.index), None, None


class Gather(Function):
    """z = x at the indices along dim;  dL/dx = g added up at the indices."""

    node_name = "GatherBackward0"

    @staticmethod
    def forward(ctx, x, dim, index):
        ctx.shape, ctx.dim = x.shape, dim
        ctx.index = index
        return wrap(np.take_along_axis(x.memory(), index.memory(), dim))

    @staticmethod
    def backward(ctx, g):
        return g.new_zeros(ctx.shape).scatter_add(ctx.dim, ctx.index, g), None, None

    @staticmethod
    def jvp(ctx, dx, *_):
        return dx.gather(ctx.dim, ctx.index)


class ScatterAdd(Function):
    """z = x with y added at the indices along dim;  dL/dx = g,  dL/dy = g at the indices."""

    node_name = "ScatterAddBackward0"

    @staticmethod
    def forward(ctx, x, dim, index, y):
        ctx.dim, ctx.index = dim, index
        z, where = x.memory().copy(), index.memory()
        grid = list(np.indices(where.shape, sparse=True))
        grid[dim] = where
        np.add.at(z, tuple(grid), y.memory()[tuple([slice(n) for n in where.shape])])
        return wrap(z)

    @staticmethod
    def backward(ctx, g):
        return g, None, None, g.gather(ctx.dim, ctx.index)

    @staticmethod
    def jvp(ctx, dx, _dim, _index, dy):
        return dx.scatter_add(ctx.dim, ctx.index, dy)


class IndexSelect(Function):
    """z = x at the indices of one dimension;  dL/dx = g added up there."""

    node_name = "IndexSelectBackward0"

    @staticmethod
    def forward(ctx, x, dim, index):
        ctx.shape, ctx.where = x.shape, (slice(None),) * dim + (index.memory(),)
        return wrap(np.array(x.memory()[ctx.where]))

    @staticmethod
    def backward(ctx, g):
        return IndexAdd.apply(g, ctx.shape, ctx.where), None, None

    @staticmethod
    def jvp(ctx, dx, *_):
        return Index.apply(dx, ctx.where)


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


def gather(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """Return the elements of `input` at `index` along `dim`."""
    return Gather.apply(input, _dim(input, dim), index)


def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """Return `input` with `src` added at `index` along `dim`."""
    return ScatterAdd.apply(input, _dim(input, dim), index, src)


def index_select(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """Return the given indices of one dimension, as a copy."""
    return IndexSelect.apply(input, _dim(input, dim), index)


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
    if not tensor.dim() and any(isinstance(item, int | slice) for item in items):
        if any(isinstance(item, slice) for item in items):
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
