"""Views: other shapes of the same memory."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any

import numpy as np

from autograd_core.messages import type_name
from autograd_core.modes.grad_mode import mode
from autograd_core.modes.inference import detached_storage
from autograd_core.ops.dims import dim_from_front
from autograd_core.ops.elementwise import broadcast_shape
from autograd_core.ops.making import named
from autograd_core.ops.operator import Linear
from autograd_core.ops.order_in_memory import restrided
from autograd_core.tensor import Size, Tensor, wrap
from autograd_core.tensors import dtypes
from autograd_core.views import alias, view_of


class ViewOperator(Linear):
    """An operator whose one output is a view of its input."""

    node_name, makes_views = "", True


class View(ViewOperator):
    """z = x in another shape;  dL/dx = g in the shape of x."""

    @staticmethod
    def forward(x, shape):
        window = x.memory()
        reshaped = window.reshape(shape)
        if not np.may_share_memory(window, reshaped) and window.size:
            raise RuntimeError(
                "view size is not compatible with input tensor's size and stride (at least one "
                "dimension spans across two contiguous subspaces). Use .reshape(...) instead."
            )
        return view_of(x, reshaped)

    @staticmethod
    def backward(ctx, g):
        return g.reshape(ctx.shape), None

    @staticmethod
    def jvp(ctx, dx, _):
        return dx.reshape(*ctx.arguments)


# For `reshape` of a tensor with gaps.
ReshapeAlias = named("ReshapeAlias", View, "ReshapeAliasBackward0")


class UnsafeView(View):
    """As `View`, but of a tensor that nothing else refers to: the result is no view."""

    @staticmethod
    def forward(x, shape):
        return wrap(View.forward(x, shape)._array)


class Alias(ViewOperator):
    """z = x, as a view of the whole;  dL/dx = g."""

    @staticmethod
    def forward(x):
        return alias(x)

    @staticmethod
    def backward(ctx, g):
        return g

    @staticmethod
    def jvp(ctx, dx):
        # Both have the same tangent, not only the same memory.
        return dx


class Primal(Alias):
    """As `Alias`, of a dual tensor: the view carries no tangent."""

    node_name = "torch::autograd::Identity"

    @staticmethod
    def jvp(ctx, dx):
        return None


class Expand(ViewOperator):
    """z = x repeated without copying;  dL/dx = g summed over the repetitions."""

    @staticmethod
    def forward(x, shape):
        memory = x.memory()
        steps = _steps_of_expanded(memory, shape) if memory.ndim else (0,) * len(shape)
        return view_of(x, restrided(memory, shape, steps))

    @staticmethod
    def backward(ctx, g):
        return g.sum_to_size(ctx.shape) if ctx.shape else g.sum(), None


def _steps_of_expanded(array: np.ndarray, shape: tuple[int, ...]) -> list[int]:
    new = len(shape) - array.ndim
    kept = zip(array.strides, array.shape, shape[new:], strict=True)
    # In PyTorch a dimension that is not repeated keeps its stride, even if its length is 1.
    steps = [step if length == wanted else 0 for step, length, wanted in kept]
    for dim in reversed(range(new)):
        steps.insert(0, shape[dim + 1] * steps[0] if shape[dim] == 1 else 0)
    return steps


def view(input: Tensor, *shape: Any, size: Any = None, dtype: Any = None) -> Tensor:
    """Return a view in another shape (-1: whatever fits); RuntimeError if that needs a copy.

    With a dtype: the same bytes read as other numbers, without gradient.
    """
    if dtype is not None or (len(shape) == 1 and isinstance(shape[0], dtypes.dtype)):
        return _view_as_numbers(input, dtype or shape[0])
    sizes = sizes_of(shape, size)
    return View.apply(input, _new_shape(sizes, input.numel()))


def _view_as_numbers(input: Tensor, dtype: dtypes.dtype) -> Tensor:
    window, ratio = input.memory(), dtype.itemsize // input.dtype.itemsize
    names = f"{input.dtype.title} as {dtype.title} (different element sizes)"
    if ratio != 1 and not window.ndim:
        raise RuntimeError(f"self.dim() cannot be 0 to view {names}")
    if ratio != 1 and window.size and window.strides[-1] != window.itemsize:
        step = window.strides[-1] // window.itemsize
        raise RuntimeError(f"self.stride(-1) must be 1 to view {names}, but got {step}")
    if ratio > 1:
        counts = {"storage_offset()": input.storage_offset(), "size(-1)": window.shape[-1]}
        for what, count in counts.items():
            if count % ratio:
                raise RuntimeError(
                    f"self.{what} must be divisible by {ratio} to view {names}, but got {count}"
                )
    seen = input.detach()
    if mode.inference:
        # Not a view of `input`, and so a tensor made in inference mode.
        seen._shared = detached_storage(seen)
    seen._array = window.view(dtype.numpy)
    return seen


def view_as(input: Tensor, other: Tensor) -> Tensor:
    """Return a view in the shape of `other`."""
    return view(input, other._array.shape)


def reshape(input: Tensor, *sizes: Any, shape: Any = None) -> Tensor:
    """Return a view in another shape where that is possible, else a copy.

    One length may be -1: whatever fits. RuntimeError for another number of elements.
    """
    sizes = _new_shape(sizes_of(sizes, shape), input.numel())
    memory = input.memory()
    if np.may_share_memory(memory.reshape(sizes), memory) or not memory.size:
        return (View if input.is_contiguous() else ReshapeAlias).apply(input, sizes)
    return UnsafeView.apply(input.contiguous(), sizes)


def reshape_to(input: Tensor, shape: Any) -> Tensor:
    """Return `input` in a shape, given as one tuple: a view where that is possible, else a copy.

    One length may be -1: whatever fits. RuntimeError for another number of elements.
    """
    if not isinstance(shape, tuple | list):
        raise TypeError
    return reshape(input, shape)


def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Return `input` with a range of dimensions made into one.

    From `start_dim` to `end_dim`, both included. A view where that is possible, else a copy.
    """
    shape = input.shape
    first, last = dim_from_front(input, start_dim), dim_from_front(input, end_dim)
    if not shape:
        return reshape(input, 1)
    if first > last:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if first == last:
        return input
    return reshape(input, (*shape[:first], -1, *shape[last + 1 :]))


def expand(input: Tensor, *sizes: Any, size: Any = None) -> Tensor:
    """Return a view repeated over dimensions of length 1 and new ones in front (-1: as it is).

    It takes no memory; repeated elements cannot be changed in place. RuntimeError for other sizes.
    """
    return Expand.apply(input, expanded_shape(input, sizes_of(sizes, size)))


def expanded_shape(input: Tensor, sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Return `sizes` with each -1 replaced; PyTorch's RuntimeError if `input` can't be expanded."""
    have = input._array.shape
    added = len(sizes) - len(have)
    if added >= 0 and sizes[added:] == have and -1 not in sizes:
        return sizes
    shape = tuple(
        [have[i - added] if size == -1 and i >= added else size for i, size in enumerate(sizes)]
    )
    if added < 0:
        kind = "CPUBoolType" if input._array.dtype == bool else f"torch.{input.dtype.legacy}"
        raise RuntimeError(
            f"expand({kind}{{{list(have)}}}, size={list(sizes)}): the number of sizes provided "
            f"({len(shape)}) must be greater or equal to the number of dimensions in the tensor "
            f"({len(have)})"
        )
    for dim in reversed(range(added, len(shape))):
        if have[dim - added] not in (1, shape[dim]):
            raise RuntimeError(
                f"The expanded size of the tensor ({shape[dim]}) must match the existing size "
                f"({have[dim - added]}) at non-singleton dimension {dim}.  Target sizes: "
                f"{list(sizes)}.  Tensor sizes: {list(have)}"
            )
    if -1 in shape:
        raise RuntimeError(
            "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing "
            f"dimension {added - 1 - shape[:added][::-1].index(-1)}"
        )
    return shape


def expandable(shape: tuple[int, ...], target: tuple[int, ...]) -> bool:
    """Return whether a tensor of `shape` broadcasts to `target`."""
    added = len(target) - len(shape)
    return added >= 0 and all(
        have in (1, want) for have, want in zip(shape, target[added:], strict=True)
    )


def expand_as(input: Tensor, other: Tensor) -> Tensor:
    """Return a view repeated to the shape of `other`."""
    return expand(input, other._array.shape)


def sizes_of(sizes: tuple[Any, ...], named: Any = None) -> tuple[int, ...]:
    """Return the sizes of a call such as `view(2, 3)` or `view((2, 3))`, or given by name."""
    sizes = sizes if named is None else (named,)
    if len(sizes) == 1 and isinstance(sizes[0], tuple | Sequence):
        sizes = tuple(sizes[0])
    return tuple([index(size) for size in sizes])


def _new_shape(shape: tuple[int, ...], count: int) -> tuple[int, ...]:
    """Return `shape` with its -1 worked out, or raise PyTorch's RuntimeError."""
    known = Size([size for size in shape if size != -1]).numel()
    unknown = shape.count(-1)
    for position, size in enumerate(shape):
        if size < -1:
            raise RuntimeError(
                f"invalid shape dimension {size} at index {position} of shape {list(shape)}"
            )
    if unknown == 1 and not known and not count:
        raise RuntimeError(
            f"cannot reshape tensor of 0 elements into shape {list(shape)} because the unspecified "
            "dimension size -1 can be any value and is ambiguous"
        )
    if unknown > 1:
        raise RuntimeError("only one dimension can be inferred")
    if unknown and known and count % known == 0:
        return tuple([count // known if size == -1 else size for size in shape])
    if unknown or known != count:
        raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {count}")
    return shape


def reshape_as(input: Tensor, other: Tensor) -> Tensor:
    """Return `input` in the shape of `other`, as `reshape` does."""
    return reshape(input, other._array.shape)


def ravel(input: Tensor) -> Tensor:
    """Return all elements as one dimension: a view of a contiguous tensor, else a copy."""
    return view(input.contiguous(), -1)


def unflatten(input: Tensor, dim: int, sizes: Sequence[int]) -> Tensor:
    """Return a view with one dimension made into several, whose product is its length."""
    dim, sizes = dim_from_front(input, dim), list(sizes)
    if not sizes:
        raise RuntimeError("unflatten: sizes must be non-empty")
    if not input.dim():
        raise RuntimeError(
            "unflatten got an unexpected error:\n"
            f"Dimension specified as {dim} but tensor has no dimensions"
        )
    if sizes.count(-1) > 1:
        raise RuntimeError("unflatten got an unexpected error:\nonly one dimension can be inferred")
    length = input.shape[dim]
    known = Size([size for size in sizes if size != -1]).numel()
    if known != length and (-1 not in sizes or not known or length % known):
        raise RuntimeError(
            f"unflatten: Provided sizes {sizes} don't multiply up to the size of dim {dim} "
            f"({length}) in the input tensor"
        )
    # If it cannot be inferred, `view` raises.
    sizes = [length // known if size == -1 and known else size for size in sizes]
    return view(input, (*input.shape[:dim], *sizes, *input.shape[dim + 1 :]))


def all_tensors(values: Any, argument: int = 0) -> tuple[Tensor, ...]:
    """Return the elements of a function's n-th argument; TypeError unless all are tensors."""
    if not isinstance(values, tuple | list):
        raise TypeError
    for position, each in enumerate(values):
        if not isinstance(each, Tensor):
            raise TypeError(
                f"expected Tensor as element {position} in argument {argument}, but got "
                + type_name(each)
            )
    return tuple(values)


def broadcast_tensors(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Return views of all tensors in the shape that they have in common."""
    shape: tuple[int, ...] = ()
    for tensor in all_tensors(tensors):
        shape = broadcast_shape(shape, tensor._array.shape)
    return tuple([each if each._array.shape == shape else expand(each, shape) for each in tensors])


def broadcast_shapes(*shapes: Any) -> Size:
    """Return the shape that tensors of these shapes have in common."""
    common: list[int] = []
    for position, given in enumerate(shapes):
        if not isinstance(given, int | tuple | list):
            raise RuntimeError(
                "Input shapes should be of type ints, a tuple of ints, or a list of ints, got "
                f"{given}"
            )
        shape = (given,) if isinstance(given, int) else given
        common = [1] * (len(shape) - len(common)) + common
        for back in range(1, len(shape) + 1):
            if shape[-back] != 1 and common[-back] not in (1, shape[-back]):
                raise RuntimeError(
                    f"Attempting to broadcast a dimension of length {shape[-back]} at -{back}! "
                    f"Mismatching argument at index {position} had {shape}; but expected shape "
                    f"should be broadcastable to {common}"
                )
            common[-back] = shape[-back] if shape[-back] != 1 else common[-back]
    return Size(common)
