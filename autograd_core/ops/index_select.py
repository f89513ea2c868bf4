"""Slice by slice at indices of one dimension: index_select, index_add, index_copy, index_fill.

Operators get indices in a tuple: they have no gradient, and so no edge in the graph either.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_core.creation import zeros_of
from autograd_core.ops.dims import dim_from_front, dim_that_is, length_of
from autograd_core.ops.index_parts import first_outside, refuse_outside
from autograd_core.ops.indexing import AddedAt, AtIndices, add_at, filled, refuse_dims
from autograd_core.ops.matrix_products import scale_of, scaled
from autograd_core.ops.order_in_memory import copy_of
from autograd_core.tensor import Tensor, data_of, wrap


class IndexFill(AtIndices):
    """z = x with a number at the indices of one dimension;  dL/dx = g, 0 there."""

    @staticmethod
    def forward(x, dim, indices, value):
        z = copy_of(x.memory())
        np.atleast_1d(z)[_places(dim, indices)] = data_of(value)
        return wrap(z)

    @staticmethod
    def backward(ctx, g):
        return IndexFill.apply(g, *ctx.arguments, ctx.saved_tensors, 0.0), None, None, None


class IndexFillTensor(IndexFill):
    """As `IndexFill`, with the number y of a tensor;  dL/dy = g there, summed."""

    node_name = "IndexFillBackward1"

    @staticmethod
    def backward(ctx, g):
        indices, (dim,), to_y = ctx.saved_tensors, ctx.arguments, ctx.needs_input_grad[3]
        once = wrap(np.unique(indices[0].memory()))
        there = g.index_select(dim, once).sum() if to_y else None
        return IndexFill.apply(g, dim, indices, 0.0), None, None, there


class IndexSelect(AtIndices):
    """z = x at the indices of one dimension;  dL/dx = g added up there."""

    @staticmethod
    def forward(x, dim, indices):
        a = x.memory()
        return wrap(np.take(a, indices[0].memory().reshape(-1), dim) if a.ndim else a.copy())

    @staticmethod
    def backward(ctx, g):
        zeros = zeros_of(ctx.shape, g._array.dtype)
        return IndexAddDim.apply(zeros, *ctx.arguments, 1, ctx.saved_tensors, g), None, None


class Embedding(AtIndices):
    """z = the rows of W at the indices;  dL/dW = g added up there, 0 at the padding."""

    saved_names = ("indices",)

    @staticmethod
    def forward(weight, padding, indices):
        return wrap(weight.memory()[indices[0].memory()])

    @staticmethod
    def backward(ctx, g):
        index, (padding,) = ctx.saved_tensors, ctx.arguments
        if padding >= 0:
            g = g.masked_fill(index[0].eq(padding).unsqueeze(-1), 0)
        return AddedAt.apply(zeros_of(ctx.shape, g._array.dtype), index, g), None, None


class IndexAddDim(AtIndices):
    """z = x with alpha y added at indices of one dimension;  dL/dx = g,  dL/dy = alpha g there."""

    node_name, saved_names = "IndexAddBackward0", ("index", "source")

    @staticmethod
    def forward(x, dim, alpha, indices, y):
        z, added = x.memory().copy(), y.memory()
        add_at(np.atleast_1d(z), _places(dim, indices), added if alpha == 1 else added * alpha)
        return wrap(z)

    @staticmethod
    def setup_context(ctx, inputs, output):
        indices = AtIndices.noted(ctx, inputs)
        ctx.keep((*indices, inputs[4]) if ctx.needs_input_grad[4] else ())

    @staticmethod
    def backward(ctx, g):
        (dim, alpha), there = ctx.arguments, None
        if ctx.needs_input_grad[4]:
            there = scaled(_slices(g, dim, *ctx.saved_tensors), alpha)
        return g, None, None, None, there


class IndexCopy(AtIndices):
    """z = x with y put at the indices of one dimension;  dL/dx = g, 0 there,  dL/dy = g there."""

    saved_names, setup_context = ("index", "source"), AtIndices.keep_y_too

    @staticmethod
    def forward(x, dim, indices, y):
        z = x.memory().copy()
        np.atleast_1d(z)[_places(dim, indices)] = y.memory()
        return wrap(z)

    @staticmethod
    def backward(ctx, g):
        (index, y), (dim,), (to_x, *_) = ctx.saved_tensors, ctx.arguments, ctx.needs_input_grad
        elsewhere = IndexFill.apply(g, dim, (index,), 0.0) if to_x else None
        there = None if y is None else _slices(g, dim, index, y)
        return elsewhere, None, None, there


def _slices(g: Tensor, dim: int, index: Tensor, y: Tensor) -> Tensor:
    """Return the gradient of what was written at the indices of one dimension."""
    there = g.index_select(dim, index)
    return there.expand_as(y) if y.dim() else there


def _places(dim: int, indices: tuple[Tensor]) -> Any:
    """Return NumPy's index for the indices of one dimension."""
    return (*(slice(None),) * dim, indices[0].memory().reshape(-1))


def index_select(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """Return a copy of the slices at the given indices of one dimension.

    `index` holds int32 or int64 in one dimension; a slice taken twice gets the sum of gradients.
    RuntimeError for other dtypes, IndexError for other ranks and indices out of range.
    """
    dim = dim_from_front(input, dim)
    if index.dim() > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    if not input.dim() and index.numel() != 1:
        raise RuntimeError(
            f"index_select(): Index to scalar can have only 1 value, got {index.numel()} value(s)"
        )
    if index._array.dtype not in (np.int64, np.int32):
        raise RuntimeError("index_select(): Expected dtype int32 or int64 for index")
    length = length_of(input, dim)
    outside = first_outside(index._array, 0, length)
    if outside is not None:
        if (dim, input.dim()) == (1, 2):
            raise RuntimeError(
                f"INDICES element is out of DATA bounds, id={outside} axis_dim={length}"
            )
        raise IndexError("index out of range in self")
    return IndexSelect.apply(input, dim, (index,))


def index_add(
    input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: float = 1
) -> Tensor:
    """Return `input` with alpha * source added at the given indices of one dimension."""
    dim = dim_from_front(input, dim)
    if index.dim() > 1:
        raise IndexError(
            f"index_add_(): Index is supposed to be a vector, but got dim: {index.dim()} with "
            f"type: {index.dtype.title} and size: {list(index.shape)}"
        )
    if index._array.dtype not in (np.int64, np.int32):
        raise RuntimeError(
            "index_add_(): Expected dtype int32/int64 for index but got: " + index.dtype.title
        )
    if source._array.dtype != input._array.dtype:
        raise RuntimeError(
            f"index_add_(): self ({input.dtype.title}) and source ({source.dtype.title}) must have "
            "the same scalar type"
        )
    if dim and dim >= source.dim():
        raise RuntimeError(
            f"index_add_(): Indexing dim {dim} is out of bounds of the source tensor with dim "
            f"{source.dim()}"
        )
    count = index.numel()
    if count != 1:
        dim_that_is(source, dim)
    if source.dim() and source.shape[dim] != count:
        raise RuntimeError(
            f"index_add_(): Number of indices ({count}) should be equal to "
            f"source.size(dim): ({source.shape[dim]}), for dim: {dim}"
        )
    have, added = list(input.shape), list(source.shape)
    if len(have) != len(added) or have[:dim] + have[dim + 1 :] != added[:dim] + added[dim + 1 :]:
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. "
            f"Got self.shape = {have} source.shape = {added}"
        )
    places, length = index._array, length_of(input, dim)
    if (input.dim() < 2 or alpha != 1) and first_outside(places, 0, length) is not None:
        # PyTorch has code of its own for vectors, and for matrices that are scaled.
        raise IndexError("index out of range in self")
    refuse_outside(places, 0, length, dim, RuntimeError)
    return IndexAddDim.apply(input, dim, scale_of(input, alpha), (index,), source)


def index_copy(input: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor:
    """Return `input` with `source` put at the given indices of one dimension."""
    dim = dim_from_front(input, dim)
    count = index.numel()
    if index.dim() > 1:
        raise IndexError(f"index_copy_(): Index should have dimension 1 or 0 (got {index.dim()})")
    if not source.dim() and count != 1:
        raise IndexError(
            f"index_copy_(): When source is scalar, index should have one element (got {count})"
        )
    if input.dim() and source.dim() and input.dim() != source.dim():
        raise IndexError(
            "index_copy_(): When source and destination are not scalars, their dimensionality must "
            f"match. Source dimensionality ({source.dim()}), destination dimensionality "
            f"({input.dim()})"
        )
    if index._array.dtype != np.int64:
        raise RuntimeError(
            f"index_copy_(): Expected a long tensor for index, but got {index.dtype.title}"
        )
    if source._array.dtype != input._array.dtype:
        raise RuntimeError(
            "index_copy_(): self and source expected to have the same dtype, but got (self) "
            f"{input.dtype.title} and (source) {source.dtype.title}"
        )
    have, put = [
        [size for place, size in enumerate(each.shape) if place != dim] for each in (input, source)
    ]
    if have != put:
        texts = [" ".join(map(str, each)) for each in (have, put)]
        raise RuntimeError(
            "index_copy_(): Source/destination tensor must have same slice shapes. Destination "
            f"slice shape: {texts[0]} at dimension {dim} and source slice shape: {texts[1]} at "
            "dimension 0."
        )
    if source.dim() and source.shape[dim] != count:
        raise IndexError(
            f"index_copy_(): Number of indices ({count}) should be equal to source.size(dim) "
            f"({source.shape[dim]})"
        )
    refuse_outside(index._array, 0, length_of(input, dim), dim, name="index_copy_(): ")
    return IndexCopy.apply(input, dim, (index,), source)


def index_fill(input: Tensor, dim: int, index: Tensor, value: Any) -> Tensor:
    """Return `input` with a number put at the given indices of one dimension."""
    dim = dim_from_front(input, dim)
    refuse_dims("index_fill", value)
    if index._array.dtype != np.int64:
        raise IndexError("index_fill_(): Expected dtype int64 for index.")
    if index.dim() > 1:
        raise RuntimeError("Index has to be a vector/scalar")
    length = length_of(input, dim)
    refuse_outside(index._array, -length, length, dim)
    return filled(IndexFill, IndexFillTensor, input, (dim, (index,)), value)
