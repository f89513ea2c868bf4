"""Copies: clone, contiguous, other dtypes, reversed dimensions, new tensors like a given one."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_core import creation, dtypes
from autograd_core.function import Function
from autograd_core.ops.reductions import dim_from_front
from autograd_core.ops.shape import sizes_of
from autograd_core.tensor import Tensor, wrap


class Clone(Function):
    """z = a copy of x;  dL/dx = g."""

    node_name = "CloneBackward0"

    @staticmethod
    def forward(ctx, x):
        return wrap(x._array.copy())

    @staticmethod
    def backward(ctx, g):
        return g

    jvp = backward


class ToCopy(Function):
    """z = x in another dtype;  dL/dx = g in the dtype of x."""

    node_name = "ToCopyBackward0"

    @staticmethod
    def forward(ctx, x, dtype):
        ctx.dtypes = x._array.dtype, dtype
        with np.errstate(all="ignore"):
            return wrap(x._array.astype(dtype))

    @staticmethod
    def backward(ctx, g):
        return g.to(ctx.dtypes[0]), None

    @staticmethod
    def jvp(ctx, dx, _):
        return dx.to(ctx.dtypes[1])


class Flip(Function):
    """z = x with dimensions reversed;  dL/dx = g with them reversed."""

    node_name = "FlipBackward0"

    @staticmethod
    def forward(ctx, x, dims):
        ctx.dims = dims
        return wrap(np.flip(x._array, dims).copy())

    @staticmethod
    def backward(ctx, g):
        return g.flip(ctx.dims), None

    @staticmethod
    def jvp(ctx, dx, _):
        return dx.flip(ctx.dims)


def clone(input: Tensor) -> Tensor:
    """Return a copy, through which gradients flow back."""
    return Clone.apply(input)


def contiguous(input: Tensor) -> Tensor:
    """Return `input` if its elements lie in order, else a copy in which they do."""
    return input if input.is_contiguous() else Clone.apply(input)


def flip(input: Tensor, *dims: Any) -> Tensor:
    """Return a copy with the given dimensions reversed."""
    return Flip.apply(input, tuple([dim_from_front(input, dim) for dim in sizes_of(dims)]))


def to(input: Tensor, dtype: Any = None) -> Tensor:
    """Return `input` in another dtype (PyTorch's or NumPy's), itself if it has it already."""
    if isinstance(dtype, Tensor):
        dtype = dtype.dtype
    if dtype is None or dtype == "cpu":
        return input
    kind = dtype.numpy if isinstance(dtype, dtypes.dtype) else dtype
    if not isinstance(kind, np.dtype):
        raise NotImplementedError(f"to({dtype!r}): the processor is the only device")
    return input if input._array.dtype == kind else ToCopy.apply(input, kind)


def type(input: Tensor, dtype: Any = None) -> Any:
    """Return the old name of the tensor's type, or the tensor in another dtype."""
    return f"torch.{input.dtype.legacy}" if dtype is None else to(input, dtype)


def new_zeros(input: Tensor, *size: Any) -> Tensor:
    """Return zeros of the given shape in the dtype of `input`."""
    return wrap(np.zeros(sizes_of(size), input._array.dtype))


def new_ones(input: Tensor, *size: Any) -> Tensor:
    """Return ones of the given shape in the dtype of `input`."""
    return wrap(np.ones(sizes_of(size), input._array.dtype))


def new_tensor(input: Tensor, data: Any) -> Tensor:
    """Return `data` as a new tensor in the dtype of `input`."""
    return creation.tensor(data, dtype=input.dtype)
