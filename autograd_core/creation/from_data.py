"""Tensors from data: numbers, nested sequences, NumPy arrays, other tensors."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from autograd_core.creation.options import Options
from autograd_core.messages import type_name, warn, warn_once
from autograd_core.messages.arguments import explained
from autograd_core.ops.order_in_memory import converted, copy_of, reach, to_be_rounded
from autograd_core.ops.quiet import quietly
from autograd_core.tensor import Tensor, wrap
from autograd_core.tensors import dtypes

_COPY_CONSTRUCT = (
    "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
    "sourceTensor.detach().clone().requires_grad_(True), rather than {}(sourceTensor)."
)
_ARRAYS_IN_LIST = (
    "Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider converting "
    "the list to a single numpy.ndarray with numpy.array() before converting to a tensor."
)
_NEGATIVE_STRIDE = (
    "At least one stride in the given numpy array is negative, and tensors with negative strides "
    "are not currently supported. (You can probably work around this by making a copy of your "
    "array  with array.copy().) "
)
_REQUIRES_GRAD_KEPT = (
    "torch.asarray: unspecified requires_grad now defaults to obj.requires_grad instead of False. "
    "Pass requires_grad=False explicitly to get the old behavior and silence this warning."
)
_FOREIGN_BYTES = (
    "given numpy array has byte order different from the native byte order. Conversion between "
    "byte orders is currently not supported."
)
_READ_ONLY = (
    "The given NumPy array is not writable, and PyTorch does not support non-writable tensors. "
    "This means writing to this tensor will result in undefined behavior. You may want to copy the "
    "array to protect its data or make it writable before converting it to a tensor. This type of "
    "warning will be suppressed for the rest of this program."
)
_SEQUENCES = list, tuple, range
# What is no sequence, or not only one.
_NO_ROWS = np.generic, Tensor, int, float, dict, str, np.ndarray
_PLAIN = {int, float, bool}
_MAX_DIMS = 128


def tensor(data: Any, **options: Any) -> Tensor:
    """Copy `data` (numbers, nested sequences, an array or a tensor) into a new leaf.

    Python floats take the default dtype (float32), Python ints int64; arrays keep theirs. Raises
    RuntimeError if an integer tensor is asked to require grad, ValueError for ragged data,
    TypeError for what holds no numbers.
    """
    if isinstance(data, Tensor):
        warn(_COPY_CONSTRUCT.format("torch.tensor"))
    settled = Options("tensor", options)
    return settled.finish(copied(data, settled.dtype))


def new_tensor(input: Tensor, data: Any, **options: Any) -> Tensor:
    """Copy `data` into a new leaf in the dtype of `input`."""
    if isinstance(data, Tensor):
        warn(_COPY_CONSTRUCT.format("tensor.new_tensor"))
    settled = Options("new_tensor", options)
    return settled.finish(copied(data, settled.dtype or input.dtype))


def as_tensor(data: Any, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Return `data` as a tensor; a tensor or an array is not copied unless its dtype changes."""
    kind = Options("as_tensor", {"dtype": dtype, "device": device}).dtype
    if isinstance(data, np.ndarray):
        data = from_numpy(data)
    if isinstance(data, Tensor):
        return data if kind is None else data.to(kind)
    array = copied(data, kind)
    return wrap(array if array.ndim else array[()])


def asarray(
    obj: Any, *, dtype: Any = None, device: Any = None, copy: bool | None = None, **options: Any
) -> Tensor:
    """Return `obj` as a tensor; `copy` forces or (False, ValueError) forbids a copy."""
    settled = Options("asarray", {"dtype": dtype, "device": device, **options})
    wanted = options.get("requires_grad")
    if isinstance(obj, Tensor | np.ndarray):
        result = source = as_tensor(obj)
        if wanted is None and source.requires_grad:
            warn(_REQUIRES_GRAD_KEPT)
        if settled.dtype is not None and settled.dtype is not source.dtype:
            if copy is False:
                raise ValueError(
                    f"can't alias tensor with dtype '{source.dtype.title}' into dtype "
                    f"'{settled.dtype.title}'."
                )
            result = source.to(settled.dtype)
        elif copy:
            result = source.clone()
        if wanted is None:
            return result
        if not wanted and not result.is_leaf:
            return result.detach()
        return result.requires_grad_(wanted)
    if copy is False:
        raise ValueError("can't alias arbitrary sequence into a tensor.")
    return settled.finish(copied(obj, settled.dtype))


def from_numpy(ndarray: np.ndarray) -> Tensor:
    """Return a tensor that shares the memory of an array; TypeError for unsupported dtypes."""
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type_name(ndarray)})")
    array = _checked(ndarray)
    if not array.flags.writeable:
        warn_once(_READ_ONLY)
    tensor = wrap(array)
    if not array.flags.forc:
        # The storage is all the memory that the array spans, with its gaps.
        length = reach(array.shape, [step // array.itemsize for step in array.strides])
        flat = np.lib.stride_tricks.as_strided(array, (length,), (array.itemsize,))
        tensor._storage.data = flat
    tensor._storage.show_to_numpy()
    return tensor


@explained
def scalar_tensor(s: Any, **options: Any) -> Tensor:
    """Return a number as a 0-d tensor of the default dtype."""
    dtypes.refuse_complex(s)
    if isinstance(s, Tensor) and not s.dim() and not s.requires_grad:
        s = s.item()
    if not isinstance(s, int | float | np.generic):
        raise TypeError
    settled = Options("scalar_tensor", options)
    number = dtypes.within_64_bits(s) if isinstance(s, int) else s
    return settled.finish(copied(number, settled.dtype or dtypes.default()))


def copied(data: Any, kind: dtypes.dtype | None) -> np.ndarray:
    """Return `data` as a new array of a dtype, by default the one that its numbers imply."""
    if isinstance(data, Tensor):
        return _copied(data.memory(), kind or data.dtype)
    if isinstance(data, np.ndarray):
        array = _checked(data)
        return copy_of(array) if kind is None else _copied(array, kind)
    if type(data) in _PLAIN:
        return _stored(data, kind or dtypes.of_scalar(data))
    _refuse_text(data)
    shape = _shape(data)
    found = _inferred(data) if kind is None else kind
    if 0 in shape:
        return np.empty(shape, found.numpy)
    numbers = _numbers(data, shape, 0, _CONVERSIONS[found.category])
    return _stored(numbers, found)


def _checked(array: np.ndarray) -> np.ndarray:
    if not array.dtype.isnative:
        raise ValueError(_FOREIGN_BYTES)
    dtypes.of(array)
    if min(array.strides, default=0) < 0:
        raise ValueError(_NEGATIVE_STRIDE)
    return array


def is_row(data: Any) -> bool:
    """Return whether numbers are taken out of `data` one by one, as out of Python's sequences."""
    return isinstance(data, _SEQUENCES) or (
        not isinstance(data, _NO_ROWS)
        and any("__getitem__" in vars(base) for base in type(data).__mro__)
    )


def _refuse_text(data: Any) -> None:
    if isinstance(data, str | bytes):
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'")


def _shape(data: Any) -> tuple[int, ...]:
    """Return the shape of nested sequences, judged by the first element of each."""
    lengths = []
    while is_row(data) or isinstance(data, np.ndarray):
        lengths.append(len(data))
        if not lengths[-1]:
            break
        try:
            first = data[0]
        except Exception:
            name = type_name(data)
            raise ValueError(f"could not determine the shape of object type '{name}'") from None
        data = first
        if isinstance(data, str) or len(lengths) > _MAX_DIMS:
            raise ValueError(f"too many dimensions '{type(data).__name__}'")
    return tuple(lengths)


def _inferred(data: Any) -> dtypes.dtype:
    """Return the dtype that holds all numbers of nested data."""
    if not isinstance(data, _SEQUENCES):
        _refuse_text(data)
        if not is_row(data):
            return _dtype_of(data)
    if not len(data):
        return dtypes.default()
    kinds = set(map(type, data))
    if kinds <= _PLAIN:
        if float in kinds:
            return dtypes.default()
        return dtypes.int64 if int in kinds else dtypes.bool_
    return reduce(dtypes.wider, map(_inferred, data))


def _dtype_of(value: Any) -> dtypes.dtype:
    if isinstance(value, Tensor):
        return value.dtype
    if isinstance(value, np.ndarray | np.generic):
        return dtypes.of(value)
    if isinstance(value, bool | int | float):
        return dtypes.of_scalar(value)
    dtypes.refuse_complex(value)
    raise RuntimeError(f"Could not infer dtype of {type_name(value)}")


def _numbers(data: Any, shape: tuple[int, ...], dim: int, convert: Callable[[Any], Any]) -> Any:
    """Return nested data as lists of Python numbers that all have the same shape."""
    listed = isinstance(data, _SEQUENCES)
    if isinstance(data, np.ndarray):
        warn_once(_ARRAYS_IN_LIST)
    elif not listed and dim < len(shape) and not is_row(data):
        raise TypeError("not a sequence")
    if dim == len(shape):
        return data if type(data) in _PLAIN else convert(data)
    if len(data) != shape[dim]:
        raise ValueError(f"expected sequence of length {shape[dim]} at dim {dim} (got {len(data)})")
    if dim == len(shape) - 1 and set(map(type, data)) <= _PLAIN:
        return data if listed else list(data)
    return [_numbers(each, shape, dim + 1, convert) for each in data]


def _whole(value: Any) -> int:
    if isinstance(value, float):
        return value  # type: ignore[return-value]  # cut off when stored
    return operator.index(value)


def _truth(value: Any) -> bool:
    return bool(value if isinstance(value, float | np.bool_) else operator.index(value))


def _real(value: Any) -> float:
    # Unlike float() this takes no text.
    return math.ldexp(value, 0)


_CONVERSIONS: tuple[Callable[[Any], Any], ...] = (_truth, _whole, _real)


@quietly
def _copied(data: np.ndarray, kind: dtypes.dtype) -> np.ndarray:
    return converted(data, kind.numpy)


@quietly
def _stored(numbers: Any, kind: dtypes.dtype) -> np.ndarray:
    """Return numbers as an array; RuntimeError for those that an integer dtype cannot hold."""
    if kind.category != 1:
        return to_be_rounded(np.array(numbers), kind.numpy).astype(kind.numpy)
    values = np.array(numbers)
    if values.dtype.kind == "f" and values.size and values.max() >= 2**63:
        # Integers of 64 bits beside smaller ones: NumPy makes floats of these too.
        wide = [each for each in np.array(numbers, object).flat if isinstance(each, int)]
        values = np.array([max(wide)]) if wide and max(wide) >= 2**63 else values
    if values.dtype.kind in "Ou":
        raise ValueError("Overflow when unpacking long long")
    if kind is not dtypes.int64 or values.dtype.kind == "f":
        limits = np.iinfo(kind.numpy)
        low = limits.min if limits.min else -limits.max
        if values.size and not (low <= values.min() and values.max() <= limits.max):
            raise RuntimeError(f"value cannot be converted to type {kind.name} without overflow")
        values = values.astype(np.int64)
    return values.astype(kind.numpy)
