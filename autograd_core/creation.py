"""Making tensors: from data, filled, in ranges, at random. Names and defaults are PyTorch's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from autograd_core import dtypes
from autograd_core.tensor import Tensor, wrap

_generator = np.random.default_rng(0)


def tensor(data: Any, *, dtype: Any = None, requires_grad: bool = False) -> Tensor:
    """Copy `data` (numbers, nested sequences, an array or a tensor) into a new leaf.

    Python floats become float32, Python ints int64; arrays keep their dtype. Raises RuntimeError
    if an integer tensor is asked to require grad, ValueError for ragged data, TypeError for others.
    """
    array = _array_of(data, dtype)
    return _finished(array.copy() if array.ndim else array[()], requires_grad)


def as_tensor(data: Any, dtype: Any = None) -> Tensor:
    """Return `data` as a tensor, without a copy where it is one already or an array."""
    if isinstance(data, Tensor):
        return data if dtype is None else data.to(dtype)
    if isinstance(data, np.ndarray) and dtype is None:
        return from_numpy(data)
    return tensor(data, dtype=dtype)


def from_numpy(array: np.ndarray) -> Tensor:
    """Return a tensor that shares the memory of `array`; TypeError for unsupported dtypes."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(array).__name__})")
    dtypes.of(array)
    return wrap(array)


def zeros(*size: Any, dtype: Any = None, requires_grad: bool = False) -> Tensor:
    """Return zeros of the given shape, float32 unless said otherwise."""
    return full(_shape(size), 0, dtype=dtype or dtypes.float32, requires_grad=requires_grad)


def ones(*size: Any, dtype: Any = None, requires_grad: bool = False) -> Tensor:
    """Return ones of the given shape, float32 unless said otherwise."""
    return full(_shape(size), 1, dtype=dtype or dtypes.float32, requires_grad=requires_grad)


def empty(*size: Any, dtype: Any = None, requires_grad: bool = False) -> Tensor:
    """Return a tensor whose values mean nothing yet (they are zeros, to be reproducible)."""
    return zeros(*size, dtype=dtype, requires_grad=requires_grad)


def full(
    size: Sequence[int], fill_value: Any, *, dtype: Any = None, requires_grad: bool = False
) -> Tensor:
    """Return a tensor of shape `size` filled with one number, of that number's dtype."""
    value = fill_value.item() if isinstance(fill_value, Tensor) else fill_value
    kind = dtype or dtypes.of_scalar(value)
    return _finished(np.full(tuple(size), value, dtype=kind.numpy), requires_grad)


def zeros_like(input: Tensor, *, dtype: Any = None, requires_grad: bool = False) -> Tensor:
    """Return zeros in the shape and dtype of `input`."""
    return zeros(input.shape, dtype=dtype or input.dtype, requires_grad=requires_grad)


def ones_like(input: Tensor, *, dtype: Any = None, requires_grad: bool = False) -> Tensor:
    """Return ones in the shape and dtype of `input`."""
    return ones(input.shape, dtype=dtype or input.dtype, requires_grad=requires_grad)


def empty_like(input: Tensor, *, dtype: Any = None, requires_grad: bool = False) -> Tensor:
    """Return a tensor in the shape and dtype of `input`, values without meaning."""
    return zeros_like(input, dtype=dtype, requires_grad=requires_grad)


def full_like(
    input: Tensor, fill_value: Any, *, dtype: Any = None, requires_grad: bool = False
) -> Tensor:
    """Return a tensor in the shape and dtype of `input`, filled with one number."""
    kind = dtype or input.dtype
    return full(input.shape, fill_value, dtype=kind, requires_grad=requires_grad)


def arange(
    start: Any, end: Any = None, step: Any = 1, *, dtype: Any = None, requires_grad: bool = False
) -> Tensor:
    """Return the numbers from `start` (or 0) to `end`, which is left out, in steps."""
    if end is None:
        start, end = 0, start
    kind = dtype or dtypes.result_type(start, end, step)
    values = np.arange(start, end, step, dtype=np.float64 if kind.is_floating_point else None)
    return _finished(values.astype(kind.numpy), requires_grad)


def linspace(
    start: float, end: float, steps: int, *, dtype: Any = None, requires_grad: bool = False
) -> Tensor:
    """Return `steps` evenly spaced numbers from `start` to `end`, both included."""
    kind = dtype or dtypes.float32
    return _finished(np.linspace(start, end, steps).astype(kind.numpy), requires_grad)


def eye(n: int, m: int | None = None, *, dtype: Any = None, requires_grad: bool = False) -> Tensor:
    """Return ones on the diagonal of an (n, m) matrix of zeros."""
    return _finished(np.eye(n, m, dtype=(dtype or dtypes.float32).numpy), requires_grad)


def manual_seed(seed: int) -> None:
    """Start the random numbers of this package anew; they are NumPy's, not PyTorch's."""
    global _generator
    _generator = np.random.default_rng(seed)


def get_rng_state() -> Mapping[str, Any]:
    """Return the state of the random numbers, for `set_rng_state`."""
    return _generator.bit_generator.state


def set_rng_state(state: Mapping[str, Any]) -> None:
    """Put the random numbers back into a state that `get_rng_state` returned."""
    _generator.bit_generator.state = state


def rand(*size: Any, dtype: Any = None, requires_grad: bool = False) -> Tensor:
    """Return numbers evenly distributed over [0, 1)."""
    return _drawn(_generator.random(_shape(size)), dtype, requires_grad)


def randn(*size: Any, dtype: Any = None, requires_grad: bool = False) -> Tensor:
    """Return numbers of the standard normal distribution."""
    return _drawn(_generator.standard_normal(_shape(size)), dtype, requires_grad)


def rand_like(input: Tensor) -> Tensor:
    """Return numbers evenly distributed over [0, 1) in the shape and dtype of `input`."""
    return rand(input.shape, dtype=input.dtype)


def randn_like(input: Tensor) -> Tensor:
    """Return standard normal numbers in the shape and dtype of `input`."""
    return randn(input.shape, dtype=input.dtype)


def randint(low: int, high: Any = None, size: Any = None, *, dtype: Any = None) -> Tensor:
    """Return integers from `low` (or 0) to `high`, which is left out."""
    if not isinstance(high, int | np.integer):
        low, high, size = 0, low, high
    values = _generator.integers(low, high, tuple(size))
    return _finished(values.astype((dtype or dtypes.int64).numpy), False)


def randperm(n: int) -> Tensor:
    """Return the numbers 0 to n-1 in random order."""
    return wrap(_generator.permutation(n).astype(np.int64))


def uniform(size: Sequence[int], low: float, high: float) -> np.ndarray:
    """Return an array of numbers evenly distributed over [low, high)."""
    return _generator.uniform(low, high, tuple(size))


def zeros_of(shape: tuple[int, ...], dtype: np.dtype) -> Tensor:
    """Return zeros, as the gradient of an output that nothing was computed from."""
    return wrap(np.zeros(shape, dtype))


def ones_of(shape: tuple[int, ...], dtype: np.dtype) -> Tensor:
    """Return ones, as the gradient of a lone number by itself."""
    return wrap(np.ones(shape, dtype))


def _drawn(values: Any, dtype: Any, requires_grad: bool) -> Tensor:
    kind = (dtype or dtypes.float32).numpy
    return _finished(np.asarray(values).astype(kind), requires_grad)


def _shape(size: tuple[Any, ...]) -> tuple[int, ...]:
    if len(size) == 1 and isinstance(size[0], Sequence):
        return tuple(size[0])
    return size


def _finished(data: Any, requires_grad: bool) -> Tensor:
    if isinstance(data, np.ndarray) and not data.ndim:
        data = data[()]
    result = wrap(data)
    if requires_grad:
        if not result.is_floating_point():
            raise RuntimeError(
                "Only Tensors of floating point and complex dtype can require gradients"
            )
        result._requires_grad = True
    return result


def _array_of(data: Any, dtype: Any) -> Any:
    kind = None if dtype is None else dtype.numpy
    if isinstance(data, Tensor):
        return data._array.astype(kind or data._array.dtype)
    if isinstance(data, np.ndarray | np.generic):
        dtypes.of(data)
        return np.asarray(data).astype(kind or data.dtype)
    values = _numbers(data)
    try:
        array = np.array(values)
    except ValueError:
        raise ValueError(_ragged(values)) from None
    if array.dtype.kind == "c":
        raise NotImplementedError("complex tensors are not supported by autograd_core")
    if array.dtype.kind not in "biuf":
        if array.dtype.kind == "O" and array.size and isinstance(array.flat[0], int):
            raise RuntimeError("Overflow when unpacking long long")
        raise TypeError(f"new(): invalid data type '{type(_first(values)).__name__}'")
    if kind is None:
        kind = {"f": np.float32, "b": np.bool_}.get(array.dtype.kind, np.int64)
        kind = np.float32 if not array.size else kind
    return array.astype(kind)


def _numbers(data: Any) -> Any:
    """Return `data` with the tensors inside it as numbers."""
    if isinstance(data, Tensor):
        return data.tolist()
    if isinstance(data, list | tuple | range):
        return [_numbers(each) for each in data]
    return data


def _first(values: Any) -> Any:
    while isinstance(values, list) and values:
        values = values[0]
    return values


def _ragged(values: list[Any], dim: int = 0) -> str:
    expected = len(values[0]) if isinstance(values[0], list) else 0
    for each in values:
        length = len(each) if isinstance(each, list) else 0
        if length != expected:
            return f"expected sequence of length {expected} at dim {dim + 1} (got {length})"
    return _ragged([inner for each in values for inner in each], dim + 1)
