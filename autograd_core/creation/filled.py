"""Tensors filled with one number, of a given size or like another tensor."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Any

import numpy as np

from autograd_core.creation.options import Options, size_of
from autograd_core.messages import wrong_type
from autograd_core.messages.arguments import explained
from autograd_core.ops.order_in_memory import alike, reach
from autograd_core.rules import alignment
from autograd_core.storage import new_storage
from autograd_core.tensor import Tensor, wrap
from autograd_core.tensors import dtypes
from autograd_core.tensors.device import preserve_format

# The largest float16: up to it, no floating dtype overflows.
_SMALLEST_LIMIT = 65504


@explained
def zeros(*size: Any, **options: Any) -> Tensor:
    """Return zeros of the given shape, of the default dtype unless said otherwise."""
    return _sized("zeros", size, alignment.zeros, options, "out")


@explained
def ones(*size: Any, **options: Any) -> Tensor:
    """Return ones of the given shape, of the default dtype unless said otherwise."""
    return _sized("ones", size, _filled(1), options, "out")


@explained
def empty(*size: Any, **options: Any) -> Tensor:
    """Return a tensor with arbitrary values (here zeros, to be reproducible)."""
    if options.get("memory_format") is preserve_format:
        raise RuntimeError("unsupported memory format Preserve")
    return _sized("empty", size, alignment.zeros, options, "out", "memory_format")


@explained
def empty_strided(size: Any, stride: Any, **options: Any) -> Tensor:
    """Return a tensor of the given shape and strides with arbitrary values.

    Raises RuntimeError for impossible shapes and strides.
    """
    if len(size) != len(stride):
        raise RuntimeError(
            f"dimensionality of sizes ({len(size)}) must match dimensionality of strides "
            f"({len(stride)})"
        )
    size = size_of("empty_strided", (size,), {})
    if any(step < 0 for step in stride):
        raise RuntimeError(
            f"Storage size calculation overflowed with sizes={list(size)} and "
            f"strides={list(stride)}"
        )
    settled = Options("empty_strided", options)
    flat = np.zeros(0 if 0 in size else reach(size, stride), settled.numpy())
    steps = [step * flat.itemsize for step in stride]
    window: Any = np.ndarray(size, flat.dtype, flat, 0, steps)
    result = settled.finish(window)
    if result._array is window:
        # The gaps between the elements belong to its memory, too.
        result._storage = new_storage(flat)
    return result


@explained
def full(size: Any, fill_value: Any, **options: Any) -> Tensor:
    """Return a tensor of shape `size` filled with one number, of that number's dtype."""
    if not isinstance(size, tuple | list):
        raise TypeError
    value = plain_number(fill_value)
    otherwise = dtypes.of_scalar(value)
    return _sized("full", (size,), _filled(value), options, "out", otherwise=otherwise)


def _alike(name: str, number: int, returned: str) -> tuple[Any, Any]:
    """Return a function such as `zeros_like`, and a method such as `new_zeros`."""

    def like_it(input: Tensor, **options: Any) -> Tensor:
        return _like(f"{name}_like", input, number, options)

    def of_size(input: Tensor, *size: Any, **options: Any) -> Tensor:
        make = _filled(1) if number else alignment.zeros
        return _sized(f"new_{name}", size, make, options, otherwise=input.dtype)

    for function, form in ((like_it, "{}_like"), (of_size, "new_{}")):
        function.__name__ = function.__qualname__ = form.format(name)
        function.__doc__ = f"Return {returned} in the dtype of `input`, of its or a given shape."
    return explained(like_it), of_size


zeros_like, new_zeros = _alike("zeros", 0, "zeros")
ones_like, new_ones = _alike("ones", 1, "ones")
empty_like, new_empty = _alike("empty", 0, "a tensor without meaning")


@explained
def full_like(input: Tensor, fill_value: Any, **options: Any) -> Tensor:
    """Return a tensor in the shape and dtype of `input`, filled with one number."""
    return _like("full_like", input, plain_number(fill_value), options)


def new_full(input: Tensor, size: Any, fill_value: Any, **options: Any) -> Tensor:
    """Return a tensor of the given shape in the dtype of `input`, filled with one number."""
    if not isinstance(size, tuple | list):
        raise TypeError
    filled = _filled(plain_number(fill_value))
    return _sized("new_full", (size,), filled, options, otherwise=input.dtype)


def new_empty_strided(input: Tensor, size: Any, stride: Any, **options: Any) -> Tensor:
    """Return a tensor of the given shape and strides in the dtype of `input`, with any values."""
    return empty_strided(size, stride, **{"dtype": input.dtype, **options})


def zeros_of(shape: tuple[int, ...], dtype: np.dtype) -> Tensor:
    """Return zeros, as the gradient of an output that nothing was computed from."""
    return wrap(np.zeros(shape, dtype))


def ones_of(shape: tuple[int, ...], dtype: np.dtype) -> Tensor:
    """Return ones, as the gradient of a root that was given none."""
    return wrap(np.ones(shape, dtype) if shape else dtypes.ONE.get(dtype) or dtype.type(1))


def like(function: str, input: Any, options: dict[str, Any]) -> tuple[Options, np.ndarray]:
    """Return the parsed options of `function`, and a new array in the shape of `input`."""
    settled = Options(function, options, "memory_format", "generator")
    array, kind = input.memory(), settled.numpy(input.dtype)
    keeps = settled.keeps_strides
    return settled, alike(array, kind) if keeps else alignment.empty(array.shape, kind)


def _like(function: str, input: Any, value: Any, options: dict[str, Any]) -> Tensor:
    settled, array = like(function, input, options)
    array[...] = fitting(value, array.dtype)
    return settled.finish(array)


def _sized(
    function: str,
    size: tuple[Any, ...],
    make: Callable[[tuple[int, ...], np.dtype], np.ndarray],
    options: dict[str, Any],
    *also: str,
    otherwise: dtypes.dtype | None = None,
) -> Tensor:
    shape = size_of(function, size, options)
    settled = Options(function, options, *also)
    return settled.finish(make(shape, settled.numpy(otherwise)))


def _filled(value: Any) -> Callable[[tuple[int, ...], np.dtype], np.ndarray]:
    def make(shape: tuple[int, ...], kind: np.dtype) -> np.ndarray:
        array = alignment.empty(shape, kind)
        array[...] = fitting(value, kind)
        return array

    return make


def fitting(value: Any, kind: np.dtype) -> Any:
    """Return a number in a dtype; RuntimeError if the dtype cannot hold it."""
    dtypes.refuse_complex(value)
    if not isinstance(value, int | float):
        value = plain_number(value)
    dtypes.within_64_bits(value)
    if kind.kind == "f" and not -_SMALLEST_LIMIT <= value <= _SMALLEST_LIMIT:
        if isfinite(value) and abs(value) > float(np.finfo(kind).max):
            name = dtypes.of(kind).in_c
            raise RuntimeError(f"value cannot be converted to type {name} without overflow")
        return value
    if kind.kind not in "iu":
        return bool(value) if kind.kind == "b" else value
    limits = np.iinfo(kind)
    # As in C, a negative integer wraps around in an unsigned dtype; a float does not.
    lowest = limits.min if limits.min or isinstance(value, float) else -limits.max
    if not lowest <= value <= limits.max:
        name = "int" if kind == np.int32 else f"{kind.name}_t"
        raise RuntimeError(f"value cannot be converted to type {name} without overflow")
    return np.int64(int(value)).astype(kind)


def plain_number(value: Any, place: str = "it") -> Any:
    """Return a number, or that of a 0-d tensor that requires no grad, as a Python number.

    Anything else is a TypeError, which names the `place` as in PyTorch.
    """
    number = value
    if isinstance(value, np.bool_):
        # PyTorch makes floats of NumPy's bools.
        number = float(value)
    elif isinstance(value, np.generic) or (
        isinstance(value, Tensor) and not (value.dim() or value.requires_grad)
    ):
        number = value.item()
    dtypes.refuse_complex(number)
    if not isinstance(number, int | float):
        raise wrong_type(place, "float", value)
    return number
