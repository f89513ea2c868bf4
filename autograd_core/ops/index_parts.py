"""What an index means: which views are taken first, and which index tensors are applied after that.

As in PyTorch, each item of an index is an operator of its own: `x[0, 1:]` selects, then slices. The
lists, masks and index tensors among the items are then applied together.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_core import creation
from autograd_core.messages import type_name, warn
from autograd_core.ops.dimensions import unsqueeze
from autograd_core.ops.dims import dim_among
from autograd_core.ops.order_in_memory import laid, steps_in
from autograd_core.ops.splitting import Select, Slice
from autograd_core.tensor import Tensor, wrap, wrap_indices

_SCALAR = (
    "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ "
    "to convert a 0-dim tensor to a number"
)
_NO_INDEX = (
    "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid "
    "indices (got {})"
)
_NO_INDEX_TENSOR = "tensors used as indices must be long, int, byte or bool tensors"
_LIST_AS_TUPLE = (
    "Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed in "
    "pytorch 2.9; use x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be interpreted as "
    "tensor index, x[torch.tensor(seq)], which will result either in an error or a different result"
)
_BYTES = "indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead."
_ALL = slice(None)
_SEQUENCES = list, tuple, range, str, bytes, np.ndarray


def taken(
    input: Tensor, index: Any, check: Callable[[Tensor], None] | None = None
) -> tuple[Tensor, tuple[Any, ...] | None]:
    """Return the view of `input` that an index takes, and the index tensors to apply to the view.

    These are a tuple of index tensors, with full slices for other dimensions; None if there are
    none: the view is the result. `check` is called with the view before index tensors are checked.

    Raises IndexError where PyTorch does.
    """
    if type(index) is int:
        return _selected(input, 0, index, 0), None
    if isinstance(index, slice):
        if not input._array.ndim:
            _check_step(index).indices(0)
            raise IndexError("slice() cannot be applied to a 0-dim tensor.")
        return Slice.apply(input, (_check_step(index),)), None
    items = _as_tuple(index)
    used = sum([_dims_used(item) for item in items])
    if used > input.dim():
        if isinstance(index, int | np.integer):
            return _selected(input, 0, int(index), 0), None
        raise IndexError(f"too many indices for tensor of dimension {input.dim()}")
    items = [_item(item) for item in items]
    part, tensors = _views_taken(input, items, input.dim() - used)
    if not tensors:
        return part, None
    if max(tensors) >= part.dim():
        many = f"too many indices for tensor of dimension {part.dim()}"
        raise IndexError(f"{many} (got {max(tensors) + 1})")
    if check is not None:
        check(part)
    _check(part, tensors)
    if len(tensors) > 1:
        tensors = _one_for_each_dim(tensors)
    return part, tuple([tensors.get(dim, _ALL) for dim in range(max(tensors) + 1)])


def in_numpy(index: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return index tensors and slices as an index for NumPy."""
    return tuple([each.memory() if isinstance(each, Tensor) else each for each in index])


def laid_as_found(data: Any, source: Any, index: tuple[Any, ...]) -> Any:
    """Return `data`, taken from `source` at NumPy's `index`, in PyTorch's memory layout.

    Dimensions with larger strides are further out, those of the source first, then of each index.
    """
    places: list[int] = []
    dim = 0
    for each in index:
        width = each.ndim if type(each) is not slice and each.dtype == bool else 1
        if type(each) is not slice:
            places += range(dim, dim + width)
        dim += width
    together = places[-1] - places[0] + 1 == len(places)
    front = places[0] if together else 0
    others = [stride for dim, stride in enumerate(source.strides) if dim not in places]
    lengths = data.shape[front : front + data.ndim - len(others)]
    operands = [(*others[:front], *[0] * len(lengths), *others[front:])]
    for each in index:
        if type(each) is not slice:
            found = np.flatnonzero(each) if each.dtype == bool else each
            steps = steps_in(found, lengths)
            # It has a length of 1 in the dimensions around, and steps there that count if all have.
            before = [lengths[0] * steps[0] * (length == 1) for length in data.shape[:front]]
            after = [steps[-1] * (length == 1) for length in data.shape[front + len(lengths) :]]
            operands.append((*before, *steps, *after))
    return laid(data, operands)


def _views_taken(input: Tensor, items: list[Any], rest: int) -> tuple[Tensor, dict[int, Tensor]]:
    """Apply the items that make views; return the result and the index tensors by dimension."""
    part, dim, tensors = input, 0, {}
    for position, item in enumerate(items):
        if item is None:
            part, dim = unsqueeze(part, dim), dim + 1
        elif item is Ellipsis:
            dim += rest
        elif isinstance(item, bool):
            # A bool indexes a new dimension of length 1: it takes the only element, or none.
            part = unsqueeze(part, dim)
            tensors[dim] = wrap(np.zeros(int(item), np.int64))
            dim += 1
        elif isinstance(item, int):
            part = _selected(part, dim, item, position)
        elif isinstance(item, slice):
            length = part._array.shape[dim_among(part.dim(), dim)] if item != _ALL else 0
            # As in PyTorch, a slice with a negative start is always taken.
            if _check_step(item).indices(length) != (0, length, 1) or item.start:
                part = Slice.apply(part, (*(_ALL,) * dim, item))
            dim += 1
        else:
            tensors[dim] = item
            dim += item.dim() if item._array.dtype == bool else 1
    return part, tensors


def _one_for_each_dim(tensors: dict[int, Tensor]) -> dict[int, Tensor]:
    """Return index tensors; masks of several dimensions become one index for each of these."""
    single: dict[int, Tensor] = {}
    for dim, tensor in tensors.items():
        if tensor._array.dtype == bool and tensor.dim() > 1:
            single.update(enumerate(map(wrap_indices, np.nonzero(tensor._array)), dim))
        else:
            single[dim] = tensor
    return single


def _selected(part: Tensor, dim: int, index: int, position: int) -> Tensor:
    # After several Ellipses, each of which takes the dimensions that others leave, there is none.
    length = part._array.shape[dim] if dim < part._array.ndim else 0
    if not -length <= index < length:
        if not -(2**63) <= index < 2**63:
            raise ValueError("Overflow when unpacking long long")
        if not (index or part._array.ndim):
            raise IndexError(_SCALAR)
        raise IndexError(
            f"index {index} is out of bounds for dimension {position} with size {length}"
        )
    return Select.apply(part, (*(_ALL,) * dim, index))


def _check_step(item: slice) -> slice:
    if isinstance(item.step, int) and item.step < 0:
        raise ValueError("step must be greater than zero")
    return item


def _as_tuple(index: Any) -> Any:
    """Return the items of an index; a list of anything but numbers counts as a tuple of items."""
    if isinstance(index, tuple):
        return index
    if not isinstance(index, list | str | bytes) or len(index) >= 32:
        return (index,)
    for each in index:
        if each is None or each is Ellipsis or isinstance(each, (Tensor, slice, *_SEQUENCES)):
            warn(_LIST_AS_TUPLE)
            return index
    return (index,)


def _dims_used(item: Any) -> int:
    if item is None or item is Ellipsis or isinstance(item, bool):
        return 0
    if isinstance(item, Tensor) and item._array.dtype.char in "?B":
        return item._array.ndim
    return 1


def _item(item: Any) -> Any:
    """Return an item of an index: numbers as int, lists and arrays as index tensors."""
    if item is None or item is Ellipsis or isinstance(item, bool | slice):
        return item
    if isinstance(item, _SEQUENCES):
        made = creation.as_tensor(item)
        item = made if made.dtype.category == 0 else made.long()
    if isinstance(item, Tensor):
        return _index_tensor(item)
    if isinstance(item, np.bool_) or not hasattr(item, "__index__"):
        raise IndexError(_NO_INDEX.format(type_name(item)))
    return operator.index(item)


def _index_tensor(item: Tensor) -> Any:
    """Return an index tensor in a dtype that NumPy takes, or as a number if it holds just one."""
    array = item.memory()
    kind = array.dtype.kind
    if not array.ndim and kind in "biu":
        return bool(array) if array.dtype.itemsize == 1 and kind != "i" else int(array)
    if array.dtype == np.uint8:
        warn(_BYTES)
        return wrap(array.astype(bool))
    if array.dtype not in (np.int64, np.int32, np.bool_):
        raise IndexError(_NO_INDEX_TENSOR)
    return item


def _check(part: Tensor, tensors: dict[int, Tensor]) -> None:
    """Raise PyTorch's IndexError if the index tensors do not fit the tensor or each other."""
    shape, shapes = part._array.shape, []
    for dim, tensor in tensors.items():
        array = tensor.memory()
        if array.dtype != bool:
            shapes.append(array.shape)
            continue
        for place, length in enumerate(array.shape):
            if dim + place >= len(shape) or length != shape[dim + place]:
                raise IndexError(
                    f"The shape of the mask {list(array.shape)} at index {place} does not match "
                    f"the shape of the indexed tensor {list(shape)} at index {dim + place}"
                )
        shapes += [(int(np.count_nonzero(array)),)] * max(array.ndim, 1)
    if len(shapes) > 1:
        try:
            np.broadcast_shapes(*shapes)
        except ValueError:
            raise IndexError(
                "shape mismatch: indexing tensors could not be broadcast together with shapes "
                + ", ".join([str(list(each)) for each in shapes])
            ) from None
    for number, (dim, tensor) in enumerate(tensors.items()):
        array, length = tensor.memory(), shape[dim]
        if array.dtype == bool or not array.size:
            continue
        if not length:
            raise IndexError("index is out of bounds for dimension with size 0")
        refuse_outside(array, -length, length, number)


def refuse_outside(
    places: Any, low: int, length: int, dim: int, error: Any = IndexError, name: str = ""
) -> None:
    """Raise `error`, its text after `name`, unless all indices are in [low, length)."""
    outside = first_outside(places, low, length)
    if outside is not None:
        raise error(
            f"{name}index {outside} is out of bounds for dimension {dim} with size {length}"
        )


def first_outside(places: Any, low: int, high: int) -> Any:
    """Return the first of the indices that is not in [low, high); None if all are."""
    wrong = (places < low) | (places >= high)
    return places[wrong].flat[0] if wrong.any() else None
