"""Views: other shapes of the same memory. Also clone, contiguous and conversions, which copy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograd_core import creation, dtypes
from autograd_core.function import Function
from autograd_core.ops.reductions import dim_from_front, sum_to
from autograd_core.tensor import Size, Tensor, wrap
from autograd_core.views import alias, view_of


class ViewFunction(Function):
    """An operator whose output looks at the input's memory."""

    makes_views = True


class View(ViewFunction):
    """z = x in another shape;  dL/dx = g in the shape of x."""

    node_name = "ViewBackward0"

    @staticmethod
    def forward(ctx, x, shape):
        ctx.shape, ctx.new_shape = x.shape, shape
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
        return dx.reshape(ctx.new_shape)


class UnsafeView(View):
    """As `View`, of a copy that nobody else will see: the result is no view."""

    node_name = "UnsafeViewBackward0"

    @staticmethod
    def forward(ctx, x, shape):
        reshaped = View.forward(ctx, x, shape)
        reshaped._base = None
        return reshaped


class ViewAs(ViewFunction):
    """z = x, as a view of the whole;  dL/dx = g."""

    node_name = "ViewBackward0"

    @staticmethod
    def forward(ctx, x):
        return alias(x)

    @staticmethod
    def backward(ctx, g):
        return g

    jvp = backward


class Permute(ViewFunction):
    """z = x with its dimensions in another order;  dL/dx = g with the order undone."""

    node_name = "PermuteBackward0"

    @staticmethod
    def forward(ctx, x, order):
        ctx.order = order
        return view_of(x, x.memory().transpose(order))

    @staticmethod
    def backward(ctx, g):
        return g.permute(tuple(np.argsort(ctx.order).tolist())), None

    @staticmethod
    def jvp(ctx, dx, _):
        return dx.permute(ctx.order)


class Transpose(ViewFunction):
    """z = x with two dimensions exchanged;  dL/dx = g with them exchanged back."""

    node_name = "TransposeBackward0"

    @staticmethod
    def forward(ctx, x, first, second):
        ctx.dims = first, second
        memory = x.memory()
        return view_of(x, memory.swapaxes(first, second) if memory.ndim else memory)

    @staticmethod
    def backward(ctx, g):
        return g.transpose(*ctx.dims), None, None

    @staticmethod
    def jvp(ctx, dx, *_):
        return dx.transpose(*ctx.dims)


class T(ViewFunction):
    """z = x^T;  dL/dx = g^T."""

    node_name = "TBackward0"

    @staticmethod
    def forward(ctx, x):
        return view_of(x, x.memory().T)

    @staticmethod
    def backward(ctx, g):
        return g.t()

    jvp = backward


class Expand(ViewFunction):
    """z = x repeated without copying;  dL/dx = g summed over the repetitions."""

    node_name = "ExpandBackward0"

    @staticmethod
    def forward(ctx, x, shape):
        ctx.shapes = x._array.shape, shape
        window = np.broadcast_to(x.memory(), shape)
        window.flags.writeable = x.memory().flags.writeable
        return view_of(x, window)

    @staticmethod
    def backward(ctx, g):
        return sum_to(g, ctx.shapes[0]), None

    @staticmethod
    def jvp(ctx, dx, _):
        return dx.expand(ctx.shapes[1])


class Unsqueeze(ViewFunction):
    """z = x with a dimension of length 1 put in;  dL/dx = g without it."""

    node_name = "UnsqueezeBackward0"

    @staticmethod
    def forward(ctx, x, dim):
        ctx.dim = dim
        return view_of(x, np.expand_dims(x.memory(), dim))

    @staticmethod
    def backward(ctx, g):
        return g.squeeze(ctx.dim), None

    @staticmethod
    def jvp(ctx, dx, _):
        return dx.unsqueeze(ctx.dim)


class Squeeze(ViewFunction):
    """z = x without its dimensions of length 1;  dL/dx = g with them put back."""

    node_name = "SqueezeBackward0"

    @staticmethod
    def forward(ctx, x, dims):
        ctx.shape, ctx.dims = x.shape, dims
        return view_of(x, x.memory().squeeze(dims))

    @staticmethod
    def backward(ctx, g):
        return g.view(ctx.shape), None

    @staticmethod
    def jvp(ctx, dx, _):
        return Squeeze.apply(dx, ctx.dims)


class SqueezeDim(Squeeze):
    """As `Squeeze`, for one dimension: PyTorch gives this node a name of its own."""

    node_name = "SqueezeBackward1"


class Part(ViewFunction):
    """z = x[index], a view of a part;  dL/dx = zeros with g in that part."""

    @staticmethod
    def forward(ctx, x, index):
        ctx.shape, ctx.index = x.shape, index
        return view_of(x, x.memory()[(*index, ...)])

    @staticmethod
    def backward(ctx, g):
        return PartBackward.apply(g, ctx.shape, ctx.index), None

    @staticmethod
    def jvp(ctx, dx, _):
        return Part.apply(dx, ctx.index)


class Select(Part):
    """As `Part`, for one index of one dimension."""

    node_name = "SelectBackward0"


class Slice(Part):
    """As `Part`, for a slice of one dimension."""

    node_name = "SliceBackward0"


class PartBackward(Function):
    """z = zeros with x put into a part;  dL/dx = that part of g."""

    node_name = "PartBackwardBackward0"

    @staticmethod
    def forward(ctx, x, shape, index):
        ctx.index = index
        z = np.zeros(shape, x._array.dtype)
        z[index] = x._array
        return wrap(z)

    @staticmethod
    def backward(ctx, g):
        return Part.apply(g, ctx.index), None, None


class AsStrided(ViewFunction):
    """z = x's memory in any geometry;  dL/dx = g added up where elements of x were seen."""

    node_name = "AsStridedBackward0"

    @staticmethod
    def forward(ctx, x, size, stride, offset):
        ctx.geometry = size, stride, offset
        ctx.input_geometry = x.shape, x.stride(), x.storage_offset()
        flat = x.untyped_storage().array().ravel(order="K")
        return view_of(x, _strided(flat, size, stride, offset))

    @staticmethod
    def backward(ctx, g):
        size, stride, offset = ctx.geometry
        shape, input_stride, input_offset = ctx.input_geometry
        reach = 1 + sum(
            (length - 1) * step for length, step in zip(shape, input_stride, strict=True)
        )
        places = _strided(np.arange(offset, offset + _reach(size, stride)), size, stride, 0)
        seen = _strided(
            np.arange(input_offset, input_offset + max(reach, 0)), shape, input_stride, 0
        )
        flat = g.new_zeros(max(input_offset + reach, int(places.max(initial=0)) + 1))
        flat = flat.scatter_add(0, wrap(places.ravel().astype(np.int64)), g.reshape(-1))
        return flat[wrap(seen.astype(np.int64))], None, None, None

    @staticmethod
    def jvp(ctx, dx, *_):
        return dx.contiguous().as_strided(*ctx.geometry)


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


def view(input: Tensor, *shape: Any) -> Tensor:
    """Return a view in another shape (-1: whatever fits); RuntimeError if that needs a copy."""
    return View.apply(input, _new_shape(_sizes(shape), input.numel()))


def view_as(input: Tensor, other: Tensor) -> Tensor:
    """Return a view in the shape of `other`."""
    return ViewAs.apply(input) if input.shape == other.shape else view(input, other.shape)


def reshape(input: Tensor, *shape: Any) -> Tensor:
    """Return a view in another shape where that is possible, else a copy."""
    sizes = _new_shape(_sizes(shape), input.numel())
    memory = input.memory()
    if np.may_share_memory(memory.reshape(sizes), memory) or not memory.size:
        return View.apply(input, sizes)
    return UnsafeView.apply(clone(input), sizes)


def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Return `input` with a range of dimensions made into one."""
    shape = input.shape
    if not shape:
        return reshape(input, 1)
    first, last = dim_from_front(input, start_dim), dim_from_front(input, end_dim)
    if first == last:
        return input
    return reshape(input, (*shape[:first], -1, *shape[last + 1 :]))


def permute(input: Tensor, *dims: Any) -> Tensor:
    """Return a view with the dimensions in the given order."""
    return Permute.apply(input, tuple([dim_from_front(input, dim) for dim in _sizes(dims)]))


def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Return a view with two dimensions exchanged."""
    return Transpose.apply(input, dim_from_front(input, dim0), dim_from_front(input, dim1))


def t(input: Tensor) -> Tensor:
    """Return the transposed view of a tensor of at most two dimensions."""
    if input.dim() > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {input.dim()}D")
    return T.apply(input)


def expand(input: Tensor, *sizes: Any) -> Tensor:
    """Return a view repeated over dimensions of length 1 and new ones in front (-1: as it is)."""
    wanted, have = _sizes(sizes), input._array.shape
    added = len(wanted) - len(have)
    shape = tuple(
        [have[i - added] if size == -1 and i >= added else size for i, size in enumerate(wanted)]
    )
    if not expandable(have, shape):
        for dim in reversed(range(len(shape))):
            if dim >= added and have[dim - added] not in (1, shape[dim]):
                raise RuntimeError(
                    f"The expanded size of the tensor ({shape[dim]}) must match the existing size "
                    f"({have[dim - added]}) at non-singleton dimension {dim}.  Target sizes: "
                    f"{list(shape)}.  Tensor sizes: {list(have)}"
                )
        raise RuntimeError(
            f"expand(torch.{input.dtype.legacy}{{{list(have)}}}, size={list(shape)}): the number "
            f"of sizes provided ({len(shape)}) must be greater or equal to the number of "
            f"dimensions in the tensor ({len(have)})"
        )
    if -1 in shape:
        raise RuntimeError(
            "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing "
            f"dimension {shape.index(-1)}"
        )
    return Expand.apply(input, shape)


def expandable(shape: tuple[int, ...], target: tuple[int, ...]) -> bool:
    """Return whether a tensor of `shape` broadcasts to `target`."""
    added = len(target) - len(shape)
    return added >= 0 and all(
        have in (1, want) for have, want in zip(shape, target[added:], strict=True)
    )


def expand_as(input: Tensor, other: Tensor) -> Tensor:
    """Return a view repeated to the shape of `other`."""
    return expand(input, other.shape)


def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """Return a view with a dimension of length 1 put in at `dim`."""
    rank = input.dim() + 1
    if not -rank <= dim < rank:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], "
            f"but got {dim})"
        )
    return Unsqueeze.apply(input, dim % rank)


def squeeze(input: Tensor, dim: int | None = None) -> Tensor:
    """Return a view without dimensions of length 1: all of them, or `dim` if it is one."""
    shape = input._array.shape
    if dim is None:
        return Squeeze.apply(input, tuple([i for i, size in enumerate(shape) if size == 1]))
    dim = dim_from_front(input, dim)
    return SqueezeDim.apply(input, (dim,) if shape and shape[dim] == 1 else ())


def as_strided(
    input: Tensor, size: Sequence[int], stride: Sequence[int], storage_offset: int | None = None
) -> Tensor:
    """Return a view of the storage in any geometry; `storage_offset` defaults to the input's."""
    offset = input.storage_offset() if storage_offset is None else storage_offset
    return AsStrided.apply(input, tuple(size), tuple(stride), offset)


def clone(input: Tensor) -> Tensor:
    """Return a copy, through which gradients flow back."""
    return Clone.apply(input)


def contiguous(input: Tensor) -> Tensor:
    """Return `input` if its elements lie in order, else a copy in which they do."""
    return input if input.is_contiguous() else Clone.apply(input)


def flip(input: Tensor, *dims: Any) -> Tensor:
    """Return a copy with the given dimensions reversed."""
    return Flip.apply(input, tuple([dim_from_front(input, dim) for dim in _sizes(dims)]))


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


def broadcast_to(input: Tensor, size: Sequence[int]) -> Tensor:
    """Return a view repeated to a larger shape."""
    return expand(input, size)


def broadcast_tensors(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Return views of all tensors in the shape that they have in common."""
    shape = np.broadcast_shapes(*[tensor.shape for tensor in tensors])
    return tuple([expand(tensor, shape) for tensor in tensors])


def new_zeros(input: Tensor, *size: Any) -> Tensor:
    """Return zeros of the given shape in the dtype of `input`."""
    return wrap(np.zeros(_sizes(size), input._array.dtype))


def new_ones(input: Tensor, *size: Any) -> Tensor:
    """Return ones of the given shape in the dtype of `input`."""
    return wrap(np.ones(_sizes(size), input._array.dtype))


def new_tensor(input: Tensor, data: Any) -> Tensor:
    """Return `data` as a new tensor in the dtype of `input`."""
    return creation.tensor(data, dtype=input.dtype)


def _sizes(sizes: tuple[Any, ...]) -> tuple[int, ...]:
    if len(sizes) == 1 and isinstance(sizes[0], Sequence):
        sizes = tuple(sizes[0])
    return tuple([int(size) for size in sizes])


def _new_shape(shape: tuple[int, ...], count: int) -> tuple[int, ...]:
    """Return `shape` with its -1 worked out, or raise PyTorch's RuntimeError."""
    known = Size([size for size in shape if size != -1]).numel()
    unknown = shape.count(-1)
    if unknown > 1:
        raise RuntimeError("only one dimension can be inferred")
    if unknown and known and count % known == 0:
        return tuple([count // known if size == -1 else size for size in shape])
    if unknown or known != count:
        raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {count}")
    return shape


def _strided(
    flat: np.ndarray, size: Sequence[int], stride: Sequence[int], offset: int
) -> np.ndarray:
    if 0 not in size and offset + _reach(size, stride) > flat.size:
        needed = (offset + _reach(size, stride)) * flat.itemsize
        raise RuntimeError(
            f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {offset}, "
            f"and itemsize {flat.itemsize} requiring a storage size of {needed} are out of bounds "
            f"for storage of size {flat.nbytes}"
        )
    steps = [step * flat.itemsize for step in stride]
    return np.lib.stride_tricks.as_strided(flat[offset:], size, steps)


def _reach(size: Sequence[int], stride: Sequence[int]) -> int:
    return 1 + sum((length - 1) * step for length, step in zip(size, stride, strict=True))
