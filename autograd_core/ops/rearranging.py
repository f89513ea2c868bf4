"""Views put together from other views: ravel, unflatten, movedim, swapaxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograd_core.ops.dimensions import permute, transpose
from autograd_core.ops.dims import dim_from_front
from autograd_core.ops.indexing import ViewOfAll
from autograd_core.ops.shape import reshape, view
from autograd_core.tensor import Size, Tensor


def reshape_as(input: Tensor, other: Tensor) -> Tensor:
    """Return `input` in the shape of `other`, as `reshape` does."""
    return reshape(input, other.shape)


def ravel(input: Tensor) -> Tensor:
    """Return all elements as one dimension: a view if they lie in order, else a copy."""
    return view(input.contiguous(), -1)


def unflatten(input: Tensor, dim: int, sizes: Sequence[int]) -> Tensor:
    """Return a view with one dimension made into several, whose product is its length."""
    dim, sizes = dim_from_front(input, dim), list(sizes)
    if not sizes:
        raise RuntimeError("unflatten: sizes must be non-empty")
    if sizes.count(-1) > 1:
        raise RuntimeError("unflatten got an unexpected error:\nonly one dimension can be inferred")
    if not input.dim():
        raise RuntimeError(
            "unflatten got an unexpected error:\n"
            f"Dimension specified as {dim} but tensor has no dimensions"
        )
    length = input.shape[dim]
    known = Size([size for size in sizes if size != -1]).numel()
    if known != length and (-1 not in sizes or length % (known or 1)):
        raise RuntimeError(
            f"unflatten: Provided sizes {sizes} don't multiply up to the size of dim {dim} "
            f"({length}) in the input tensor"
        )
    sizes = [length // known if size == -1 else size for size in sizes]
    return view(input, (*input.shape[:dim], *sizes, *input.shape[dim + 1 :]))


def movedim(input: Tensor, source: Any, destination: Any) -> Tensor:
    """Return a view with dimensions moved to other places, the others in their order."""
    moved = [[each] if isinstance(each, int) else list(each) for each in (source, destination)]
    if len(moved[0]) != len(moved[1]):
        raise RuntimeError(
            f"movedim: Invalid source or destination dims: source ({moved[0]} dims) should contain "
            f"the same number of dims as destination ({moved[1]} dims)"
        )
    for name, given in zip(("source", "destination"), moved, strict=True):
        if len({dim_from_front(input, dim) for dim in given}) < len(given):
            raise RuntimeError(f"movedim: repeated dim in `{name}` ({given})")
    sources, targets = [[dim_from_front(input, dim) for dim in given] for given in moved]
    if not input.dim():
        return ViewOfAll.apply(input)
    order = [dim for dim in range(input.dim()) if dim not in sources]
    for target, dim in sorted(zip(targets, sources, strict=True)):
        order.insert(target, dim)
    return permute(input, order)


def swapaxes(input: Tensor, axis0: int, axis1: int) -> Tensor:
    """Return a view with two dimensions exchanged, by NumPy's name."""
    return transpose(input, axis0, axis1)
