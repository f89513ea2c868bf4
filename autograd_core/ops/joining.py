"""Putting tensors together: cat, stack, repeat. Also narrow and select, their counterparts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograd_core.function import Function
from autograd_core.ops.reductions import dim_from_front
from autograd_core.tensor import Tensor, wrap


class Cat(Function):
    """z = the x_i one after the other along dim;  dL/dx_i = its stretch of g."""

    node_name = "CatBackward0"

    @staticmethod
    def forward(ctx, dim, *xs):
        arrays = [x._array for x in xs]
        ctx.dim, ctx.lengths = dim, [a.shape[dim] for a in arrays]
        return wrap(np.concatenate(arrays, axis=dim))

    @staticmethod
    def backward(ctx, g):
        grads, start = [], 0
        for length, needed in zip(ctx.lengths, ctx.needs_input_grad[1:], strict=True):
            grads.append(g.narrow(ctx.dim, start, length) if needed else None)
            start += length
        return None, *grads

    @staticmethod
    def jvp(ctx, _, *tangents):
        return cat(tangents, ctx.dim)


class Stack(Function):
    """z = the x_i along a new dim;  dL/dx_i = g at its index."""

    node_name = "StackBackward0"

    @staticmethod
    def forward(ctx, dim, *xs):
        ctx.dim = dim
        return wrap(np.stack([x._array for x in xs], axis=dim))

    @staticmethod
    def backward(ctx, g):
        needed = ctx.needs_input_grad[1:]
        return None, *[g.select(ctx.dim, i) if needs else None for i, needs in enumerate(needed)]

    @staticmethod
    def jvp(ctx, _, *tangents):
        return stack(tangents, ctx.dim)


def cat(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Return tensors joined along an existing dimension; the others have to agree."""
    tensors = tuple(tensors)
    if not tensors:
        raise RuntimeError("torch.cat(): expected a non-empty list of Tensors")
    return Cat.apply(dim_from_front(tensors[0], dim), *tensors)


def stack(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Return tensors of one shape joined along a new dimension."""
    tensors = tuple(tensors)
    if not tensors:
        raise RuntimeError("stack expects a non-empty TensorList")
    for position, each in enumerate(tensors):
        if each.shape != tensors[0].shape:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(tensors[0].shape)} at "
                f"entry 0 and {list(each.shape)} at entry {position}"
            )
    rank = tensors[0].dim() + 1
    return Stack.apply(dim % rank, *tensors)


def narrow(input: Tensor, dim: int, start: int, length: int) -> Tensor:
    """Return a view of `length` indices along `dim` from `start` on."""
    from autograd_core.ops.shape import Slice

    dim = dim_from_front(input, dim)
    return Slice.apply(input, (slice(None),) * dim + (slice(start, start + length),))


def select(input: Tensor, dim: int, index: int) -> Tensor:
    """Return a view of one index along `dim`, without that dimension."""
    from autograd_core.ops.indexing import getitem

    dim = dim_from_front(input, dim)
    if not -input.shape[dim] <= index < input.shape[dim]:
        raise IndexError(
            f"select(): index {index} out of range for tensor of size {list(input.shape)} at "
            f"dimension {dim}"
        )
    return getitem(input, (slice(None),) * dim + (index,))


def repeat(input: Tensor, *sizes: Any) -> Tensor:
    """Return copies of `input` side by side, `sizes[i]` of them along dimension i."""
    counts = sizes[0] if len(sizes) == 1 and isinstance(sizes[0], Sequence) else sizes
    shape = (1,) * (len(counts) - input.dim()) + tuple(input.shape)
    result = input.view(shape)
    for dim, count in enumerate(counts):
        result = cat([result] * count, dim)
    return result
