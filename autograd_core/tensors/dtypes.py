"""Data types: one object for each, PyTorch's names, NumPy's representation, PyTorch's promotion."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from autograd_core.messages import check_argument, type_name


class dtype:  # noqa: N801 - PyTorch's name
    """A tensor's element type; compared by identity, printed as PyTorch prints it.

    `numpy` is the NumPy equivalent. Error messages use `legacy`, the tensor type's old name, and
    `in_c`, what C++ calls such a number.
    """

    __slots__ = ("category", "in_c", "is_floating_point", "legacy", "name", "numpy")

    name: str
    legacy: str
    in_c: str
    numpy: np.dtype
    is_floating_point: bool
    category: int

    def __init__(self) -> None:
        raise TypeError("cannot create 'torch.dtype' instances")

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

    @property
    def is_signed(self) -> bool:
        """Whether there are negative numbers of this type."""
        return self.numpy.kind in "if"

    def to_real(self) -> dtype:
        """Return the type of the real part: this one."""
        return self

    def to_complex(self) -> dtype:
        """Refuse: complex numbers are out of this package's scope."""
        raise NotImplementedError("complex dtypes are not supported by autograd_core")

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> str:
        return "bool_" if self is bool_ else self.name


def _made(name: str, legacy: str, in_c: str) -> dtype:
    made = object.__new__(dtype)
    made.name, made.legacy, made.in_c, made.numpy = name, legacy, in_c, np.dtype(name)
    made.is_floating_point = made.numpy.kind == "f"
    made.category = {"b": 0, "u": 1, "i": 1, "f": 2}[made.numpy.kind]
    return made


float16 = _made("float16", "HalfTensor", "c10::Half")
float32 = _made("float32", "FloatTensor", "float")
float64 = _made("float64", "DoubleTensor", "double")
uint8 = _made("uint8", "ByteTensor", "unsigned char")
int8 = _made("int8", "CharTensor", "signed char")
int16 = _made("int16", "ShortTensor", "short int")
int32 = _made("int32", "IntTensor", "int")
int64 = _made("int64", "LongTensor", "long int")
bool_ = _made("bool", "BoolTensor", "bool")

ALL = (float16, float32, float64, uint8, int8, int16, int32, int64, bool_)
_OF_NUMPY = {each.numpy: each for each in ALL}
_OF_PYTHON = {float: float64, int: int64, bool: bool_}
# A Python number times this is a number of the dtype: several times faster than a conversion.
ONE: dict[np.dtype, Any] = {each.numpy: each.numpy.type(1) for each in (float32, float64)}
# Numbers that are frequent in formulas, as arrays, which NumPy need not convert at all. Without 0,
# because -0.0 is the same key.
COMMON: dict[tuple[np.dtype, float], np.ndarray] = {
    (kind, sign * number): np.array(sign * number, kind)
    for kind in ONE
    for number in (0.5, 1, 2, 3, 4, 10)
    for sign in (1, -1)
}
# What kernels take, as NumPy's letters for kinds of dtypes.
FLOATING, NUMBERS, WHOLE = "f", "iuf", "biu"
_default = float32


def default() -> dtype:
    """Return the dtype that Python floats take."""
    return _default


def set_default(kind: dtype) -> None:
    """Set the dtype that Python floats take from now on."""
    global _default
    _default = kind


def asked(function: str, kind: Any) -> dtype | None:
    """Return the dtype that a caller of `function` asked for, perhaps by a Python type.

    Raises TypeError for anything else.
    """
    kind = of_type(kind)
    if kind is not None:
        check_argument(function, "dtype", kind, dtype, wanted="torch.dtype")
    return kind


def of_type(kind: Any) -> Any:
    """Return the dtype for which a Python type stands, and anything else as it is."""
    return _OF_PYTHON.get(kind, kind) if isinstance(kind, type) else kind


def of(data: Any) -> dtype:
    """Return the dtype of NumPy `data` (an array, a NumPy scalar or a NumPy dtype).

    Raises TypeError for element types that tensors cannot hold.
    """
    numpy_dtype = getattr(data, "dtype", data)
    try:
        return _OF_NUMPY[numpy_dtype]
    except (KeyError, TypeError):
        name = f"numpy.{numpy_dtype.type.__name__}"
    if numpy_dtype.name in ("uint16", "uint32", "uint64", "complex64", "complex128"):
        raise NotImplementedError(f"{numpy_dtype.name} is not supported by autograd_core")
    raise TypeError(
        f"can't convert np.ndarray of type {name}. The only supported types are: float64, float32, "
        "float16, complex64, complex128, int64, int32, int16, int8, uint64, uint32, uint16, uint8, "
        "and bool."
    )


def no_kernel(kernel: str, data: Any) -> NotImplementedError:
    """Return PyTorch's error for NumPy data (as in `of`) whose dtype `kernel` does not support."""
    return NotImplementedError(f"\"{kernel}\" not implemented for '{of(data).title}'")


def check_kernel(kernel: str, data: Any, kinds: str) -> None:
    """Raise `no_kernel` unless the dtype of NumPy data is of one of these `kinds`."""
    if getattr(data, "dtype", data).kind not in kinds:
        raise no_kernel(kernel, data)


def no_gradient(kind: dtype) -> RuntimeError:
    """Return PyTorch's error for an integer tensor that is to require grad."""
    return RuntimeError(f"Autograd not support dtype: {kind.title}")


def refuse_complex(value: Any) -> None:
    """Raise NotImplementedError for a complex number: they are out of this package's scope."""
    if isinstance(value, complex):
        raise NotImplementedError("complex numbers are not supported by autograd_core")


def within_64_bits(value: Any) -> Any:
    """Return `value`; OverflowError for an integer of more than 64 bits."""
    if not -(2**63) <= value < 2**64 and isinstance(value, int):
        words = "int too big to convert" if value > 0 else "can't convert negative int to unsigned"
        raise OverflowError(words)
    return value


def of_scalar(value: Any) -> dtype:
    """Return the dtype that a Python number takes when it becomes a tensor."""
    if isinstance(value, bool | np.bool_):
        return bool_
    if isinstance(value, float):
        return _default
    refuse_complex(value)
    if not isinstance(value, numbers.Real):
        raise TypeError(f"a number is needed, not {type_name(value)}")
    return int64 if isinstance(value, numbers.Integral) else _default


def result_type(*operands: Any) -> dtype:
    """Promote as PyTorch does.

    The kind of number (bool < integer < floating) is decided by all operands, the width only by the
    operands with dimensions, then by 0-d tensors, then by Python numbers. Operands are NumPy data
    (arrays, 0-d arrays, NumPy scalars) or Python numbers.
    """
    with_dims, zero_dim, plain = None, None, None
    for operand in operands:
        if not isinstance(operand, np.ndarray | np.generic):
            plain = wider(plain, of_scalar(operand))
        elif operand.ndim:
            with_dims = wider(with_dims, of(operand))
        else:
            zero_dim = wider(zero_dim, of(operand))
    result = plain
    for stronger in (zero_dim, with_dims):
        if result is None or (stronger is not None and stronger.category >= result.category):
            result = stronger
    assert result is not None, "result_type needs at least one operand"
    return result


def wider(a: dtype | None, b: dtype) -> dtype:
    """Return the dtype that holds the numbers of both; `a` may be missing."""
    if a is None or a is b:
        return b
    if a.category != b.category:
        return a if a.category > b.category else b
    return of(np.promote_types(a.numpy, b.numpy))
