"""Along one dimension by indices: gather, scatter, index_select, index_add, index_copy, take."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_core.function import Function
from autograd_core.ops.indexing import Index, IndexAdd
from autograd_core.ops.reductions import dim_from_front
from autograd_core.tensor import Tensor, wrap


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


class Scatter(Function):
    """z = x with y put at the indices along dim;  dL/dx = g, 0 there,  dL/dy = g there."""

    node_name = "ScatterBackward0"

    @staticmethod
    def forward(ctx, x, dim, index, y):
        ctx.dim, ctx.index = dim, index
        z = x.memory().copy()
        values = _upper_left(y.memory(), index.shape) if isinstance(y, Tensor) else y
        z[_places(index.memory(), dim)] = values
        return wrap(z)

    @staticmethod
    def backward(ctx, g):
        elsewhere = Scatter.apply(g, ctx.dim, ctx.index, 0.0)
        there = g.gather(ctx.dim, ctx.index) if ctx.needs_input_grad[3] else None
        return elsewhere, None, None, there

    @staticmethod
    def jvp(ctx, dx, _dim, _index, dy):
        return Scatter.apply(dx, ctx.dim, ctx.index, 0.0 if dy is None else dy)


class ScatterAdd(Function):
    """z = x with y added at the indices along dim;  dL/dx = g,  dL/dy = g at the indices."""

    node_name = "ScatterAddBackward0"

    @staticmethod
    def forward(ctx, x, dim, index, y):
        ctx.dim, ctx.index = dim, index
        z = x.memory().copy()
        np.add.at(z, _places(index.memory(), dim), _upper_left(y.memory(), index.shape))
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


class IndexAddDim(Function):
    """z = x with y added at the indices of one dimension;  dL/dx = g,  dL/dy = g there."""

    node_name = "IndexAddBackward0"

    @staticmethod
    def forward(ctx, x, dim, index, y):
        ctx.dim, ctx.index = dim, index
        z = x.memory().copy()
        np.add.at(z, (slice(None),) * dim + (index.memory(),), y.memory())
        return wrap(z)

    @staticmethod
    def backward(ctx, g):
        return g, None, None, g.index_select(ctx.dim, ctx.index)

    @staticmethod
    def jvp(ctx, dx, _dim, _index, dy):
        return dx.index_add(ctx.dim, ctx.index, dy)


class IndexCopy(Function):
    """z = x with y put at the indices of one dimension;  dL/dx = g, 0 there,  dL/dy = g there."""

    node_name = "IndexCopyBackward0"

    @staticmethod
    def forward(ctx, x, dim, index, y):
        ctx.dim, ctx.index = dim, index
        z = x.memory().copy()
        z[(slice(None),) * dim + (index.memory(),)] = y.memory()
        return wrap(z)

    @staticmethod
    def backward(ctx, g):
        there = g.index_select(ctx.dim, ctx.index)
        return g.index_copy(ctx.dim, ctx.index, there * 0), None, None, there

    @staticmethod
    def jvp(ctx, dx, _dim, _index, dy):
        return dx.index_copy(ctx.dim, ctx.index, dy)


def gather(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """Return the elements of `input` at `index` along `dim`."""
    return Gather.apply(input, dim_from_front(input, dim), index)


def scatter(input: Tensor, dim: int, index: Tensor, src: Any) -> Tensor:
    """Return `input` with `src`, a tensor or a number, put at `index` along `dim`."""
    return Scatter.apply(input, dim_from_front(input, dim), index, src)


def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """Return `input` with `src` added at `index` along `dim`."""
    return ScatterAdd.apply(input, dim_from_front(input, dim), index, src)


def index_select(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """Return the given indices of one dimension, as a copy."""
    return IndexSelect.apply(input, dim_from_front(input, dim), index)


def index_add(input: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor:
    """Return `input` with `source` added at the given indices of one dimension."""
    return IndexAddDim.apply(input, dim_from_front(input, dim), index, source)


def index_copy(input: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor:
    """Return `input` with `source` put at the given indices of one dimension."""
    return IndexCopy.apply(input, dim_from_front(input, dim), index, source)


def take(input: Tensor, index: Tensor) -> Tensor:
    """Return the elements at `index`, counted through the flattened tensor."""
    return Index.apply(input.reshape(-1), index.memory())


def _places(index: np.ndarray, dim: int) -> tuple[np.ndarray, ...]:
    """Return the full indices of the elements that `index` names along `dim`."""
    grid: list[np.ndarray] = list(np.indices(index.shape, sparse=True))
    grid[dim] = index
    return tuple(grid)


def _upper_left(values: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    return values[tuple([slice(length) for length in shape])]
