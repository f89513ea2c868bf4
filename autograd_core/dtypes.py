"""Data types: one object for each, PyTorch's names, NumPy's representation, PyTorch's promotion."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np


class dtype:  # noqa: N801 - PyTorch's name
    """A tensor's element type; compared by identity, printed as PyTorch prints it.

    `numpy` is the NumPy equivalent, `legacy` the tensor type's old name that error messages use.
    """

    __slots__ = ("category", "is_floating_point", "legacy", "name", "numpy")

    def __init__(self, name: str, legacy: str) -> None:
        self.name = name
        self.legacy = legacy
        self.numpy = np.dtype(name)
        self.is_floating_point = self.numpy.kind == "f"
        self.category = {"b": 0, "u": 1, "i": 1, "f": 2}[self.numpy.kind]

    @property
    def title(self) -> str:
        """The name in PyTorch's error messages, such as `Float`."""
        return self.legacy.removesuffix("Tensor")

    @property
    def itemsize(self) -> int:
        """Bytes per element."""
        return self.numpy.itemsize

    @property
    def is_complex(self) -> bool:
        """False: complex numbers are out of this package's scope."""
        return False

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> str:
        return "bool_" if self is bool_ else self.name


float16 = dtype("float16", "HalfTensor")
float32 = dtype("float32", "FloatTensor")
float64 = dtype("float64", "DoubleTensor")
uint8 = dtype("uint8", "ByteTensor")
int8 = dtype("int8", "CharTensor")
int16 = dtype("int16", "ShortTensor")
int32 = dtype("int32", "IntTensor")
int64 = dtype("int64", "LongTensor")
bool_ = dtype("bool", "BoolTensor")

ALL = (float16, float32, float64, uint8, int8, int16, int32, int64, bool_)
_OF_NUMPY = {each.numpy: each for each in ALL}


def of(data: Any) -> dtype:
    """Return the dtype of NumPy `data` (an array, a NumPy scalar or a NumPy dtype).

    Raises TypeError for element types that tensors cannot hold.
    """
    numpy_dtype = getattr(data, "dtype", data)
    try:
        return _OF_NUMPY[numpy_dtype]
    except (KeyError, TypeError):
        raise TypeError(
            f"can't convert np.ndarray of type {getattr(numpy_dtype, 'type', numpy_dtype)}. "
            "The only supported types are: float64, float32, float16, int64, int32, int16, int8, "
            "uint8, and bool."
        ) from None


def of_scalar(value: Any) -> dtype:
    """Return the dtype that a Python number takes when it becomes a tensor."""
    if isinstance(value, bool | np.bool_):
        return bool_
    return int64 if isinstance(value, numbers.Integral) else float32


def result_type(*operands: Any) -> dtype:
    """Promote as PyTorch does.

    The kind of number (bool < integer < floating) is decided by all operands, the width only by the
    operands with dimensions, then by 0-d tensors, then by Python numbers. Operands are NumPy data
    (arrays, 0-d arrays, NumPy scalars) or Python numbers.
    """
    with_dims, zero_dim, plain = None, None, None
    for operand in operands:
        if not isinstance(operand, np.ndarray | np.generic):
            plain = _wider(plain, of_scalar(operand))
        elif operand.ndim:
            with_dims = _wider(with_dims, of(operand))
        else:
            zero_dim = _wider(zero_dim, of(operand))
    result = plain
    for stronger in (zero_dim, with_dims):
        if result is None or (stronger is not None and stronger.category >= result.category):
            result = stronger
    assert result is not None, "result_type needs at least one operand"
    return result


def _wider(a: dtype | None, b: dtype) -> dtype:
    if a is None or a is b:
        return b
    if a.category != b.category:
        return a if a.category > b.category else b
    return of(np.promote_types(a.numpy, b.numpy))
