"""Putting tensors together: cat, stack and their relatives, repeat, tile, roll."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from typing import Any

import numpy as np

from autograd_core.creation import zeros_of
from autograd_core.creation.options import negative_size
from autograd_core.ops.dims import dim_among, dim_from_front, dim_that_is, several
from autograd_core.ops.operator import Linear, Operator
from autograd_core.ops.order_in_memory import laid_in_order
from autograd_core.ops.shape import all_tensors, sizes_of
from autograd_core.tensor import Tensor, wrap, wrap_indices
from autograd_core.tensors import dtypes
from autograd_core.tensors.device import contiguous_format


class Cat(Operator):
    """z = the x_i one after the other along dim;  dL/dx_i = its stretch of g."""

    @staticmethod
    def forward(dim, *xs):
        # As in PyTorch, empty vectors can be joined with tensors of any shape.
        arrays = [x._array for x in xs if x._array.shape != (0,)] or [xs[0]._array]
        return wrap(laid_in_order(np.concatenate(arrays, axis=dim, dtype=_common(xs))))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.dim, *xs = inputs
        shapes = [x._array.shape for x in xs]
        ctx.lengths = [None if shape == (0,) else shape[ctx.dim] for shape in shapes]

    @staticmethod
    def backward(ctx, g):
        starts = accumulate([length or 0 for length in ctx.lengths], initial=0)
        pairs = zip(starts, ctx.lengths, strict=False)
        return None, *[
            g.new_zeros(0) if length is None else g.narrow(ctx.dim, start, length)
            for start, length in pairs
        ]

    @classmethod
    def jvp(cls, ctx, _, *tangents):
        return cls.apply(ctx.dim, *tangents)


class Stack(Cat):
    """z = the x_i along a new dim;  dL/dx_i = g at its index."""

    @staticmethod
    def forward(dim, *xs):
        arrays = [x._array for x in xs]
        return wrap(laid_in_order(np.stack(arrays, axis=dim, dtype=_common(xs))))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.dim = inputs[0]

    @staticmethod
    def backward(ctx, g):
        return None, *[g.select(ctx.dim, i) for i in range(g.shape[ctx.dim])]


class Repeat(Linear):
    """z = copies of x side by side;  dL/dx = g summed over the copies."""

    @staticmethod
    def forward(x, counts):
        return wrap(np.tile(laid_in_order(x._array), counts) if counts else x._array.copy())

    @staticmethod
    def backward(ctx, g):
        (counts,) = ctx.arguments
        if 0 in counts:
            return zeros_of(ctx.shape, g._array.dtype), None
        for _ in counts[len(ctx.shape) :]:
            g = g.sum(0)
        counts = counts[len(counts) - len(ctx.shape) :]
        if any(count != 1 for count in counts):
            apart = [size for pair in zip(counts, ctx.shape, strict=True) for size in pair]
            g = g.reshape(apart).sum(tuple(range(0, len(apart), 2)))
        return g, None


class Roll(Linear):
    """z = x moved round along dims;  dL/dx = g moved back."""

    @staticmethod
    def forward(x, shifts, dims):
        return wrap(np.roll(laid_in_order(x._array), shifts, dims or None))

    @staticmethod
    def backward(ctx, g):
        shifts, dims = ctx.arguments
        return Roll.apply(g, tuple([-shift for shift in shifts]), dims), None, None


def cat(tensors: Any, dim: int = 0) -> Tensor:
    """Return tensors joined along an existing dimension; the others have to agree.

    In the dtype that all promote to. RuntimeError for other dimensions that differ.
    """
    tensors = all_tensors(tensors)
    if not tensors:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    first: Tensor | None = None
    for position, each in enumerate(tensors):
        shape = each._array.shape
        if not shape:
            raise RuntimeError(
                f"zero-dimensional tensor (at position {position}) cannot be concatenated"
            )
        if shape == (0,):
            continue
        if first is None:
            first = each
            dim = dim_from_front(first, dim)
        elif shape != first._array.shape:
            _check_fits(first._array.shape, shape, dim, position)
    return Cat.apply(0 if first is None else dim, *tensors)


def stack(tensors: Any, dim: int = 0) -> Tensor:
    """Return tensors of one shape joined along a new dimension.

    It is put in at `dim`: with 0, n tensors (a, b) become (n, a, b). RuntimeError for different
    shapes.
    """
    tensors = all_tensors(tensors)
    if not tensors:
        raise RuntimeError("stack expects a non-empty TensorList")
    dim = dim_among(tensors[0].dim() + 1, dim)
    first = tensors[0]._array.shape
    for position, each in enumerate(tensors):
        if each._array.shape != first:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(tensors[0].shape)} at "
                f"entry 0 and {list(each.shape)} at entry {position}"
            )
    return Stack.apply(dim, *tensors)


def hstack(tensors: Any) -> Tensor:
    """Return tensors side by side: along the second dimension, vectors along the first."""
    tensors = [_as_vector(each) for each in all_tensors(tensors)]
    if not tensors:
        raise RuntimeError("hstack expects a non-empty TensorList")
    return cat(tensors, 0 if tensors[0].dim() == 1 else 1)


def vstack(tensors: Any) -> Tensor:
    """Return tensors one below the other; vectors are rows."""
    tensors = all_tensors(tensors)
    if not tensors:
        raise RuntimeError("vstack expects a non-empty TensorList")
    return cat([_as_matrix(each) for each in tensors], 0)


def atleast_1d(*tensors: Any) -> Any:
    """Return the tensor, a number as a vector of one element; of several tensors a tuple."""
    return _of_each(_as_vector, tensors)


def atleast_2d(*tensors: Any) -> Any:
    """Return the tensor, a vector as a matrix of one row; of several tensors a tuple."""
    return _of_each(_as_matrix, tensors)


def _of_each(function: Callable[[Tensor], Tensor], tensors: Any) -> Any:
    if len(tensors) == 1:
        (tensors,) = tensors
    if isinstance(tensors, Tensor):
        return function(tensors)
    return tuple(map(function, all_tensors(tensors)))


def _as_vector(tensor: Tensor) -> Tensor:
    return tensor if tensor.dim() else tensor.reshape(1)


def _as_matrix(tensor: Tensor) -> Tensor:
    if not tensor.dim():
        return tensor.reshape(1, 1)
    return tensor.unsqueeze(0) if tensor.dim() == 1 else tensor


def repeat(input: Tensor, *sizes: Any) -> Tensor:
    """Return copies of `input` side by side, `sizes[i]` of them along dimension i."""
    counts = sizes_of(sizes)
    if len(counts) < input.dim():
        raise RuntimeError(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of "
            "tensor"
        )
    shape = (1,) * (len(counts) - input.dim()) + tuple(input.shape)
    target = [count * length for count, length in zip(counts, shape, strict=True)]
    for size in target:
        if size < 0:
            raise RuntimeError(negative_size("repeat", tuple(target), size))
    return Repeat.apply(input, counts)


def tile(input: Tensor, *sizes: Any, dims: Any = None) -> Tensor:
    """Return copies side by side as `repeat`; missing leading counts are 1."""
    counts = sizes_of(sizes, dims)
    return repeat(input, (1,) * (input.dim() - len(counts)) + counts)


def repeat_interleave(
    input: Any = None, repeats: Any = None, dim: int | None = None, *, output_size: Any = None
) -> Tensor:
    """Do what the method does; of `repeats` alone, return each of its places so many times."""
    if input is not None and repeats is not None:
        return repeat_each(input, repeats, dim, output_size=output_size)
    counts = repeats if input is None else input
    if dim is not None or not isinstance(counts, Tensor):
        raise TypeError
    if counts.dim() != 1:
        raise RuntimeError("repeat_interleave only accept 1D vector as repeat")
    places = wrap(np.arange(counts.numel()).astype(counts._array.dtype))
    return repeat_each(places, counts, output_size=output_size)


def repeat_each(
    input: Tensor, repeats: Any, dim: int | None = None, *, output_size: int | None = None
) -> Tensor:
    """Return each element (or index of `dim`) so many times in a row: `output_size` in all."""
    if isinstance(repeats, Tensor) and repeats._array.dtype.kind not in "i":
        raise dtypes.no_kernel("repeat_interleave_cpu", repeats._array)
    if dim is None:
        input, dim = input if input.dim() == 1 else input.reshape(-1), 0
    dim = dim_from_front(input, dim)
    if isinstance(repeats, Tensor):
        dim_that_is(input, dim)
        if repeats.dim() > 1:
            raise RuntimeError("repeats must be 0-dim or 1-dim tensor")
    if isinstance(repeats, Tensor) and repeats.dim():
        if repeats.shape[0] not in (1, input.shape[dim]):
            raise RuntimeError(
                "repeats must have the same size as input along dim, but got repeats.size(0) = "
                f"{repeats.shape[0]} and input.size({dim}) = {input.shape[dim]}"
            )
        if (repeats.memory() < 0).any():
            raise RuntimeError("repeats can not be negative")
        places = np.arange(input.shape[dim]).repeat(repeats.memory().astype(np.intp))
        if output_size not in (None, len(places)):
            raise RuntimeError("allocated size does not match required size")
        return input.index_select(dim, wrap_indices(places))
    if repeats < 0:
        raise RuntimeError("Repeats must be non-negative")
    if not input.dim():
        # PyTorch puts a dimension after this one, to expand it.
        dim_from_front(input, dim + 1)
    before, after, times = input.shape[:dim], input.shape[dim + 1 :], int(repeats)
    length = input.shape[dim]
    if output_size not in (None, length * times):
        raise RuntimeError(
            f"repeat_interleave: Invalid output_size, expected {length * times} but got "
            f"{output_size}"
        )
    several = input.unsqueeze(dim + 1).expand(*before, length, times, *after)
    joined = (*before, length * times, *after)
    return several.clone(memory_format=contiguous_format).reshape(joined)


def roll(input: Tensor, shifts: Any, dims: Any = ()) -> Tensor:
    """Return `input` moved round along dimensions, or through the flattened tensor."""
    shifts, dims = several(shifts), several(dims)
    if not shifts:
        raise RuntimeError("`shifts` required")
    if len(shifts) != len(dims) and (dims or len(shifts) > 1):
        raise RuntimeError(
            f"shifts and dimensions must align. shifts: {len(shifts)}, dims:{len(dims)}"
        )
    return Roll.apply(input, shifts, tuple([dim_that_is(input, dim) for dim in dims]))


def _common(xs: tuple[Tensor, ...]) -> np.dtype:
    kinds = {x._array.dtype for x in xs}
    return kinds.pop() if len(kinds) == 1 else dtypes.result_type(*[x._array for x in xs]).numpy


def _check_fits(a: tuple[int, ...], b: tuple[int, ...], dim: int, position: int) -> None:
    if len(a) != len(b):
        raise RuntimeError(
            f"Tensors must have same number of dimensions: got {len(a)} and {len(b)}"
        )
    for each, (expected, got) in enumerate(zip(a, b, strict=True)):
        if each != dim and expected != got:
            raise RuntimeError(
                f"Sizes of tensors must match except in dimension {dim}. Expected size {expected} "
                f"but got size {got} for tensor number {position} in the list."
            )
