"""Parts and pieces as views: select, narrow, split, chunk, tensor_split, unbind."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from operator import index
from typing import Any

import numpy as np

from autograd_core.function import Function
from autograd_core.messages.arguments import check_arguments
from autograd_core.ops.dims import dim_from_front, dim_that_is, shown_as
from autograd_core.ops.joining import cat, stack
from autograd_core.ops.making import named
from autograd_core.ops.operator import Linear
from autograd_core.ops.shape import ViewOperator
from autograd_core.rules.view_creation import INFERENCE, ONE_OF_SEVERAL
from autograd_core.tensor import Tensor, wrap
from autograd_core.views import view_of


class Unbind(Function):
    """z_i = x at index i of dim;  dL/dx = the g_i along dim."""

    node_name, makes_views = "UnbindBackward0", True

    @staticmethod
    def forward(ctx, x, dim):
        ctx.dim = dim
        rows = np.moveaxis(x.memory(), dim, 0)
        return _one_of_several(x, [rows[i, ...] for i in range(len(rows))])

    @staticmethod
    def backward(ctx, *gs):
        return stack(gs, ctx.dim), None

    @staticmethod
    def jvp(ctx, dx, _):
        return unbind(dx, ctx.dim)


class Split(Function):
    """z_i = the next stretch of x along dim, of the i-th length;  dL/dx = the g_i joined."""

    node_name, makes_views = "SplitBackward0", True

    @staticmethod
    def forward(ctx, x, lengths, dim):
        ctx.lengths, ctx.dim, ctx.shape = lengths, dim, x.shape
        memory, before = x.memory(), (slice(None),) * dim
        stretches = [slice(*ends) for ends in pairwise(accumulate(lengths, initial=0))]
        return _one_of_several(x, [memory[(*before, each)] for each in stretches])

    @staticmethod
    def backward(ctx, *gs):
        return cat(gs, ctx.dim), None, None

    @staticmethod
    def jvp(ctx, dx, *_):
        return ctx._function.apply(dx, ctx.lengths, ctx.dim)


# With several lengths given.
SplitWithSizes = named("SplitWithSizes", Split, "SplitWithSizesBackward0")


class UnsafeSplit(Split):
    """As `Split`, but the tensors are no views: each has its own version counter on x's memory."""

    node_name, makes_views = "UnsafeSplitBackward0", False

    @staticmethod
    def forward(ctx, x, lengths, dim):
        return tuple([each.data for each in Split.forward(ctx, x, lengths, dim)])


UnsafeSplitWithSizes = named("UnsafeSplitWithSizes", UnsafeSplit, "UnsafeSplitWithSizesBackward0")


class Part(ViewOperator):
    """z = x[index], a view of a part;  dL/dx = zeros with g in that part."""

    node_name = ""
    put_back: type[PartBackward]

    @staticmethod
    def forward(x, index):
        view = view_of(x, x.memory()[(*index, ...)])
        if not view._array.size:
            view._offset_if_empty = _offset(x, index)
        return view

    @classmethod
    def backward(cls, ctx, g):
        return cls.put_back.apply(g, ctx.shape, *ctx.arguments), None


def _offset(x: Tensor, index: tuple[Any, ...]) -> int:
    """Return where a part begins, which NumPy does not show if it has no elements."""
    offset = x.storage_offset()
    for each, length, step in zip(index, x.shape, x.stride(), strict=False):
        first = each.indices(length)[0] if isinstance(each, slice) else each % length
        offset += first * step
    return offset


class PartBackward(Linear):
    """z = zeros with x put into a part;  dL/dx = that part of g."""

    node_name = ""
    part: type[Part]

    @staticmethod
    def forward(x, shape, index):
        z = np.zeros(shape, x._array.dtype)
        z[index] = x._array
        return wrap(z)

    @classmethod
    def backward(cls, ctx, g):
        _, index = ctx.arguments
        return cls.part.apply(g, index), None, None


def _both(name: str) -> Any:
    """Return an operator like `Part`, whose gradient's operator takes the same kind of part."""
    part = named(name, Part, f"{name}Backward0")
    part.put_back = named(f"{name}Backward", PartBackward, f"{name}BackwardBackward0")
    part.put_back.part = part
    return part


# By an index in one dimension, and by a slice in one.
Select = _both("Select")
Slice = _both("Slice")


def _one_of_several(x: Tensor, windows: list[np.ndarray]) -> tuple[Tensor, ...]:
    """Return views of `x` that must not be changed in place if that is recorded."""
    views = tuple([view_of(x, window) for window in windows])
    for view in views:
        if view._creation != INFERENCE:
            view._creation = ONE_OF_SEVERAL
    return views


def narrow(input: Tensor, dim: int, start: Any, length: int) -> Tensor:
    """Return a view of `length` indices along `dim` from `start` on.

    IndexError for a start out of range, RuntimeError for a length beyond the end.
    """
    if not input.dim():
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    dim, start = dim_from_front(input, dim), int(start)
    total = input._array.shape[dim]
    if not -total <= start <= total:
        raise IndexError(
            f"start out of range (expected to be in range of [{-total}, {total}], but got {start})"
        )
    start += total if start < 0 else 0
    if start + length > total:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({total}).")
    return Slice.apply(input, _at(dim, slice(start, start + length)))


def select(input: Tensor, dim: int, index: int) -> Tensor:
    """Return a view of one index along `dim`, without that dimension.

    IndexError for an index out of range.
    """
    if not input.dim():
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    dim = dim_from_front(input, dim)
    if not -input.shape[dim] <= index < input.shape[dim]:
        raise IndexError(
            f"select(): index {index} out of range for tensor of size {list(input.shape)} at "
            f"dimension {dim}"
        )
    return Select.apply(input, _at(dim, int(index)))


def _at(dim: int, part: Any) -> tuple[Any, ...]:
    index = (*(slice(None),) * dim, part)
    return shown_as(dim, index) if hasattr(dim, "given") else index


def split(
    tensor: Tensor, split_size_or_sections: int | Sequence[int], dim: int = 0
) -> tuple[Tensor, ...]:
    """Return views of equal length along `dim` (the last may be shorter), or of given lengths.

    Recorded ones may not be changed in place. RuntimeError for lengths that do not add up.
    """
    if not isinstance(split_size_or_sections, int):
        if isinstance(split_size_or_sections, Tensor) and not split_size_or_sections.dim():
            return split(tensor, int(split_size_or_sections), dim)
        sizes = split_size_or_sections
        if not isinstance(sizes, list | tuple) or any(type(each) is not int for each in sizes):
            given = tensor, sizes, dim
            check_arguments("split_with_sizes", given, {}, TypeError(), False, split_with_sizes)
        return split_with_sizes(tensor, sizes, dim)
    _check_rank("split", tensor)
    step = split_size_or_sections
    if step < 0:
        raise RuntimeError(f"split expects split_size be non-negative, but got split_size={step}")
    dim = dim_from_front(tensor, dim)
    total = tensor.shape[dim]
    if not step and total:
        raise RuntimeError(
            f"split_size can only be 0 if dimension size is 0, but got dimension size of {total}"
        )
    if step > total:
        return Split.apply(tensor, shown_as([step], (total,)), dim)
    starts = range(0, total, step) if total else [0]
    return Split.apply(tensor, [min(step, total - start) for start in starts], dim)


def split_with_sizes(input: Tensor, split_sizes: Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
    """Return views of the given lengths along `dim`, which they fill exactly."""
    if not isinstance(split_sizes, list | tuple):
        raise TypeError
    _check_rank("split", input)
    dim = dim_from_front(input, dim)
    sizes, total = list(split_sizes), input.shape[dim]
    if any(size < 0 for size in sizes):
        raise RuntimeError(
            "split_with_sizes expects split_sizes have only non-negative entries, but got "
            f"split_sizes={sizes}"
        )
    if sum(sizes) != total:
        raise RuntimeError(
            f"split_with_sizes expects split_sizes to sum exactly to {total} (input tensor's size "
            f"at dimension {getattr(dim, 'given', dim)}), but got split_sizes={sizes}"
        )
    return SplitWithSizes.apply(input, sizes, dim)


def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Return at most `chunks` views of nearly equal length along `dim`."""
    _check_rank("chunk", input)
    chunks = index(chunks)
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    dim = dim_from_front(input, dim)
    total = input.shape[dim]
    if not total:
        return split_with_sizes(input, [0] * chunks, dim)
    return split(input, -(-total // chunks), dim)


def unsafe_split(input: Tensor, split_size: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Return parts as `split` does, but no views: to be changed only if `input` is not used."""
    return _unsafe(UnsafeSplit, split, input, index(split_size), dim)


def unsafe_chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Return parts as `chunk` does, but no views: to be changed only if `input` is not used."""
    return _unsafe(UnsafeSplit, chunk, input, chunks, dim)


def unsafe_split_with_sizes(
    input: Tensor, split_sizes: Sequence[int], dim: int = 0
) -> tuple[Tensor, ...]:
    """As `split_with_sizes`, but no views: to be changed only if `input` is not used."""
    return _unsafe(UnsafeSplitWithSizes, split_with_sizes, input, split_sizes, dim)


def _unsafe(operator: Any, safe: Any, input: Tensor, how: Any, dim: int) -> tuple[Tensor, ...]:
    parts = safe(input.data, how, dim)
    return operator.apply(input, [part.shape[dim] for part in parts], dim_from_front(input, dim))


def tensor_split(
    input: Tensor, indices_or_sections: int | Sequence[int] | Tensor, dim: int = 0
) -> tuple[Tensor, ...]:
    """Return views of nearly equal length along `dim`, or those between the given indices.

    As in PyTorch, each is a view of its own, which may be changed in place.
    """
    if not input.dim():
        raise RuntimeError(
            "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims"
        )
    dim = dim_from_front(input, dim)
    total = input.shape[dim]
    if isinstance(indices_or_sections, Tensor):
        indices_or_sections = indices_or_sections.tolist()
    if not isinstance(indices_or_sections, Sequence):
        sections = index(indices_or_sections)
        if sections <= 0:
            raise RuntimeError(f"number of sections must be larger than 0, got {sections}")
        lengths = [total // sections + (i < total % sections) for i in range(sections)]
        ends = list(accumulate(lengths))[:-1]
    else:
        ends = [slice(end).indices(total)[1] for end in indices_or_sections]
    pairs = pairwise([0, *ends, total])
    return tuple([narrow(input, dim, start, max(end - start, 0)) for start, end in pairs])


def hsplit(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """Return `tensor_split` along the second dimension (the first of a vector)."""
    return _split_evenly("hsplit", input, indices_or_sections, 1, min(input.dim() - 1, 1))


def vsplit(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """Return `tensor_split` along the first dimension, of two or more."""
    return _split_evenly("vsplit", input, indices_or_sections, 2, 0)


def _split_evenly(
    name: str, input: Tensor, sections: Any, least: int, dim: int
) -> tuple[Tensor, ...]:
    """Return `tensor_split`, checked: `least` dimensions, and sections of equal length."""
    if input.dim() < least:
        raise RuntimeError(
            f"torch.{name} requires a tensor with at least {least} dimension, but got a tensor "
            f"with {input.dim()} dimensions!"
        )
    is_number = not isinstance(sections, Sequence | Tensor)
    if is_number and sections and input.shape[dim] % sections:
        raise RuntimeError(
            f"torch.{name} attempted to split along dimension {dim}, but the size of the dimension "
            f"{input.shape[dim]} is not divisible by the split_size {sections}!"
        )
    return tensor_split(input, sections, dim)


def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """Return the views at each index of `dim`.

    They lack that dimension. Recorded ones may not be changed in place.
    """
    # As in PyTorch, a `dim` out of range is refused first.
    return Unbind.apply(input, dim_that_is(input, dim_from_front(input, dim)))


def _check_rank(name: str, input: Tensor) -> None:
    if not input.dim():
        raise RuntimeError(f"{name} expects at least a 1-dimensional tensor")


def method_split(self: Tensor, split_size: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Return views of equal length along `dim` (the last may be shorter), or of given lengths."""
    return split(self, split_size, dim)
