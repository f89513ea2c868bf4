"""Element by element at indices along one dimension: gather, scatter, scatter_add, take.

Operators get indices in a tuple: they have no gradient, and so no edge in the graph either.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_core.creation import fitting, zeros_like, zeros_of
from autograd_core.messages import warn_once
from autograd_core.ops.dims import dim_among, dim_from_front, dim_that_is, length_of
from autograd_core.ops.elementwise import broadcast_shape
from autograd_core.ops.index_parts import first_outside, refuse_outside
from autograd_core.ops.indexing import AtIndices
from autograd_core.ops.making import named
from autograd_core.ops.not_differentiable import NotDifferentiable
from autograd_core.ops.order_in_memory import laid_in_order
from autograd_core.tensor import Tensor, wrap

_SOURCE_IS_DEPRECATED = (
    "The reduce argument of torch.scatter with Tensor src is deprecated and will be removed in a "
    "future PyTorch release. Use torch.scatter_reduce instead for more reduction options."
)
_REDUCTIONS = {"add": np.add, "multiply": np.multiply}


class Gather(AtIndices):
    """z = x at the indices along dim;  dL/dx = g added up at the indices."""

    saved_names, setup_context = ("index", "self"), AtIndices.keep_x_too

    @staticmethod
    def forward(x, dim, indices):
        a, places = np.atleast_1d(x.memory()), indices[0].memory()
        if not places.size:
            return wrap(np.zeros(places.shape, a.dtype))
        return wrap(laid_in_order(a[_places_of(places, dim)]).reshape(places.shape))

    @staticmethod
    def backward(ctx, g):
        zeros = zeros_of(ctx.shape, g._array.dtype)
        return ScatterAdd.apply(zeros, *ctx.arguments, ctx.saved_tensors[:1], g), None, None


class Scatter(AtIndices):
    """z = x with y put at the indices along dim;  dL/dx = g, 0 there,  dL/dy = g there."""

    @staticmethod
    def forward(x, dim, indices, y):
        z, index = x.memory().copy(), indices[0].memory()
        if index.size:
            values = _upper_left(y.memory(), index.shape) if isinstance(y, Tensor) else y
            np.atleast_1d(z)[_places_of(index, dim)] = values
        return wrap(z)

    @staticmethod
    def backward(ctx, g):
        indices, to_y = ctx.saved_tensors, ctx.needs_input_grad[3]
        elsewhere = ScatterNumber.apply(g, *ctx.arguments, indices, 0.0)
        there = Gather.apply(g, *ctx.arguments, indices) if to_y else None
        return elsewhere, None, None, there


# For a number y.
ScatterNumber = named("ScatterNumber", Scatter, "ScatterBackward1")


class Take(AtIndices):
    """z = x at indices counted through the flattened tensor;  dL/dx = g added up there."""

    saved_names, setup_context = ("index", "self"), AtIndices.keep_x_too

    @staticmethod
    def forward(x, indices):
        return wrap(np.take(x.memory(), indices[0].memory()))

    @staticmethod
    def backward(ctx, g):
        index, x = ctx.saved_tensors
        return zeros_like(x).put(index, g, accumulate=True), None


class ScatterAdd(AtIndices):
    """z = x with y added at the indices along dim;  dL/dx = g,  dL/dy = g at the indices."""

    @staticmethod
    def forward(x, dim, indices, y):
        return ScatterReducing.forward(x, dim, indices, y, np.add)

    @staticmethod
    def setup_context(ctx, inputs, output):
        indices = AtIndices.noted(ctx, inputs)
        # As in PyTorch: without a gradient for y, its indices may be changed later.
        ctx.keep(indices if ctx.needs_input_grad[3] else ())

    @staticmethod
    def backward(ctx, g):
        there = None
        if ctx.needs_input_grad[3]:
            there = Gather.apply(g, *ctx.arguments, ctx.saved_tensors)
        return g, None, None, there


class ScatterReducing(NotDifferentiable):
    """z = x with elements increased by, or multiplied with, y;  PyTorch gives it no derivative."""

    aten = "scatter"

    @staticmethod
    def forward(x, dim, indices, y, function):
        z, index = x.memory().copy(), indices[0].memory()
        values = _upper_left(y.memory(), index.shape) if isinstance(y, Tensor) else y
        if index.size:
            # NumPy is far faster with flat indices than with one index for each dimension.
            flat = np.ravel_multi_index(_places_of(index, dim), np.atleast_1d(z).shape)
            function.at(z.reshape(-1), flat.reshape(-1), np.asarray(values, z.dtype).reshape(-1))
        return wrap(z)


def gather(input: Tensor, dim: int, index: Tensor, *, sparse_grad: bool = False) -> Tensor:
    """Return the elements of `input` at `index` along `dim`.

    For two dimensions and `dim` 0, z[i][j] = input[index[i][j]][j]; z has the shape of `index`,
    int32 or int64 in as many dimensions as `input`. RuntimeError for others.
    """
    if sparse_grad:
        raise NotImplementedError("gather(sparse_grad=True): autograd_core has no sparse tensors")
    dim = dim_from_front(input, dim)
    check_index("gather", input, dim, index)
    return Gather.apply(input, dim, (index,))


def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None) -> Tensor:
    """Return the elements at `indices` along `dim`, broadcast; without dim of the flat tensor."""
    if dim is not None and input.dim() != indices.dim():
        raise RuntimeError(
            "torch.take_along_dim(): input and indices should have the same number of dimensions, "
            f"but got {input.dim()} dimensions for input, and {indices.dim()} dimensions for "
            "indices"
        )
    if indices._array.dtype != np.int64:
        raise RuntimeError(
            f"torch.take_along_dim(): dtype of indices should be Long but got {indices.dtype.title}"
        )
    if dim is None:
        return input.reshape(-1).gather(0, indices.reshape(-1))
    dim = int(dim_that_is(input, dim_from_front(input, dim)))
    lengths = [list(input.shape), list(indices.shape)]
    lengths[0][dim] = lengths[1][dim] = 1
    shape = list(broadcast_shape(*map(tuple, lengths)))
    whole, places = [
        [*shape[:dim], each.shape[dim], *shape[dim + 1 :]] for each in (input, indices)
    ]
    # As in PyTorch, any index wraps around.
    return input.broadcast_to(whole).gather(dim, indices.broadcast_to(places) % whole[dim])


def scatter(
    input: Tensor,
    dim: int,
    index: Tensor,
    src: Any = None,
    *,
    value: Any = None,
    reduce: Any = None,
) -> Tensor:
    """Return `input` with `src`, a tensor or a number, put at `index` along `dim`.

    Or, if `reduce` is "add" or "multiply", added to or multiplied with its elements.
    """
    dim, source = dim_from_front(input, dim), value if src is None else src
    check_index("scatter", input, dim, index, source)
    if reduce is not None:
        if isinstance(source, Tensor):
            warn_once(_SOURCE_IS_DEPRECATED)
        if reduce not in _REDUCTIONS:
            raise RuntimeError("reduce argument must be either add or multiply.")
        return ScatterReducing.apply(input, dim, (index,), source, _REDUCTIONS[reduce])
    if isinstance(source, Tensor):
        return Scatter.apply(input, dim, (index,), source)
    return ScatterNumber.apply(input, dim, (index,), fitting(source, input._array.dtype))


def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """Return `input` with `src` added at `index` along `dim`.

    For two dimensions and `dim` 0, z[index[i][j]][j] += src[i][j]. `index`, int32 or int64, has as
    many dimensions: none longer than in `src`, nor, but for `dim`, in `input`. RuntimeError if not.
    """
    if not isinstance(src, Tensor):
        raise TypeError
    dim = dim_from_front(input, dim)
    check_index("scatter_add", input, dim, index, src)
    return ScatterAdd.apply(input, dim, (index,), src)


def take(input: Tensor, index: Tensor) -> Tensor:
    """Return the elements at `index`, counted through the flattened tensor.

    In the shape of `index`, which holds int64. IndexError for indices out of range.
    """
    if index._array.dtype != np.int64:
        raise RuntimeError("take(): Expected a long tensor for index, but got " + index.dtype.title)
    check_flat_index(input, index, "take(): tried to take from an empty tensor")
    return Take.apply(input, (index,))


def check_flat_index(input: Tensor, index: Tensor, empty: str) -> None:
    """Raise PyTorch's IndexError for an index outside of the flattened tensor.

    `empty` is the message if the tensor has no elements.
    """
    size = input.numel()
    if index.numel() and not size:
        raise IndexError(empty)
    outside = first_outside(index._array, -size, size)
    if outside is not None:
        raise IndexError(
            f"out of range: tried to access index {outside} on a tensor of {size} elements."
        )


def check_index(name: str, input: Tensor, dim: int, index: Tensor, src: Any = None) -> None:
    """Raise PyTorch's errors for an index that gather or scatter cannot use."""
    places = index._array
    if places.dtype not in (np.int64, np.int32):
        name = "gather" if name == "gather" else "scatter"
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index")
    if isinstance(src, Tensor) and src._array.dtype != input._array.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    if not places.size:
        return
    shape = input._array.shape
    if max(places.ndim, 1) != max(len(shape), 1):
        raise RuntimeError(
            "Index tensor must have the same number of dimensions as "
            + ("input tensor" if name == "gather" else "self tensor")
        )
    larger = [
        each
        for each, (have, want) in enumerate(zip(shape, places.shape, strict=False))
        if each != dim and want > have
    ]
    if larger and name == "gather":
        raise RuntimeError(
            f"Size does not match at dimension {larger[0]} expected index {list(places.shape)} "
            f"to be no larger than self {list(shape)} apart from dimension {dim}"
        )
    if isinstance(src, Tensor):
        sizes = src._array.shape or (1,)
        both = zip(places.shape, sizes, strict=False)
        of_src = [each for each, (want, have) in enumerate(both) if want > have]
        if 0 < src._array.ndim < places.ndim and not (larger or of_src):
            dim_among(len(sizes), len(sizes))
        if len(sizes) != max(places.ndim, 1):
            raise RuntimeError("Index tensor must have the same number of dimensions as src tensor")
        larger += of_src
    if larger:
        also = isinstance(src, Tensor)
        than_src = f" and to be no larger size than src {list(src.shape)}" if also else ""
        raise RuntimeError(
            f"Expected index {list(places.shape)} to be no larger than self {list(shape)} apart "
            f"from dimension {dim}{than_src}"
        )
    refuse_outside(places, 0, length_of(input, dim), dim, RuntimeError)


def _places_of(index: np.ndarray, dim: int) -> tuple[np.ndarray, ...]:
    """Return, for all dimensions, the indices of the elements that `index` names along `dim`."""
    if not index.ndim:
        return (index.reshape(1),)
    grid: list[np.ndarray] = list(np.indices(index.shape, sparse=True))
    grid[dim] = index
    return tuple(grid)


def _upper_left(values: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Return the part of `values` that an index of `shape` uses."""
    return values[tuple([slice(length) for length in shape or (1,)])] if values.ndim else values
