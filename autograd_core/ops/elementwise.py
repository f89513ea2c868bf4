"""What element-by-element operators share: operands, promotion, broadcasting, exact rounding."""

from __future__ import annotations

from collections.abc import Callable
from operator import mul
from typing import Any

import numpy as np
from numpy import ndarray

from autograd_core import dtypes, grad_mode
from autograd_core.ops.order_in_memory import in_order_of
from autograd_core.quiet import already_quiet, quiet_context
from autograd_core.storage import converted
from autograd_core.tensor import Tensor, new, wrap

# Below this size float32 functions are computed in float64 and rounded, which gives PyTorch's
# digits; NumPy's own float32 functions, one unit in the last place off now and then, are faster.
EXACT_UP_TO = 1024
# Python's numbers take the dtype of a floating operand, in NumPy as in PyTorch.
WEAK = (int, float)
# Likewise by a lone number's type.
_ONE = {kind: kind(1) for kind in (np.float16, np.float32, np.float64)}
# What can stand beside a tensor in arithmetic.
OPERANDS = (Tensor, int, float, np.number, np.bool_, complex)
_FLOAT16, _FLOAT32 = np.dtype(np.float16), np.dtype(np.float32)
# What a tensor holds: an array or a lone number.
_DATA = (ndarray, np.generic)


def operand(value: Any) -> Any:
    """Return a tensor or a Python number; TypeError for anything else."""
    if isinstance(value, Tensor):
        return value
    if isinstance(value, np.generic):
        # NumPy's truth values are floating numbers to PyTorch.
        value = float(value) if isinstance(value, np.bool_) else value.item()
    if isinstance(value, (int, float)):
        return value
    dtypes.refuse_complex(value)
    raise TypeError(f"argument 'other' must be Tensor or Number, not {type(value).__name__}")


def promoted(x: Any, y: Any) -> tuple[Any, Any]:
    """Return the NumPy data of two operands in their common dtype, by PyTorch's rules."""
    a = x._array if isinstance(x, Tensor) else x
    b = y._array if isinstance(y, Tensor) else y
    if isinstance(a, _DATA) and isinstance(b, _DATA) and a.dtype is b.dtype:
        return a, b
    common = dtypes.result_type(a, b).numpy
    return _cast(a, common), _cast(b, common)


def promoted_to_floating(x: Any, y: Any) -> tuple[Any, Any]:
    """As `promoted`, but what would be integers has the default dtype: so PyTorch divides them."""
    a = x._array if isinstance(x, Tensor) else x
    b = y._array if isinstance(y, Tensor) else y
    common = dtypes.result_type(a, b).numpy
    if common.kind != "f":
        common = dtypes.default().numpy
    return _cast(a, common), _cast(b, common)


def _cast(data: Any, common: np.dtype) -> Any:
    if isinstance(data, _DATA):
        return data if data.dtype == common else quiet_context().run(converted, data, common)
    # Python's integers wrap around, as C's do.
    if common.kind in "fb":
        return quiet_context().run(common.type, data)
    if -(2**63) <= data < 2**63:
        return np.int64(data).astype(common)
    if not 0 <= data < 2**64:
        raise OverflowError("int too big to convert")
    return np.uint64(data).astype(common)


def elementwise(
    function: Callable[[Any, Any], Any],
    of_arrays: Callable[[Any, Any], Any] | None = None,
    *,
    promote: Any = promoted,
    widens: bool = False,
) -> Any:
    """Return a forward that computes `function` of two operands, promoted and broadcast.

    It raises RuntimeError if the shapes don't fit. One that `widens` takes halves beside a lone
    number as float32 and rounds to half only at the end. `of_arrays` is what computes the same,
    but sooner if the first operand is an array and later if it is a lone number.
    """
    of_arrays = of_arrays or function

    def forward(x: Any, y: Any) -> Tensor:
        try:
            a = x._array
        except AttributeError:
            # A number, which seldom comes first.
            a = x
        b = y._array if isinstance(y, Tensor) else y
        kind = type(a)
        if kind is type(b):
            if kind is ndarray and a.dtype is not b.dtype:
                a, b = promote(a, b)
        elif type(b) in WEAK and (one := dtypes.ONE.get(a.dtype)) is not None:
            if kind is not ndarray or (b := dtypes.COMMON.get((a.dtype, y))) is None:
                b = one * y
        elif widens and dtypes.result_type(a, b) is dtypes.float16:
            a, b = _cast(a, _FLOAT32), _cast(b, _FLOAT32)
            return wrap(_cast(quiet_context().run(broadcast, function, a, b), _FLOAT16))
        else:
            a, b = promote(a, b)
        try:
            data = quiet_context().run(of_arrays if kind is ndarray else function, a, b)
        except ValueError:
            raise RuntimeError(size_mismatch(a.shape, b.shape)) from None
        if (
            kind is ndarray
            and data.ndim > 1
            and data.strides != a.strides
            and not (a.flags.c_contiguous and b.flags.c_contiguous)
        ):
            data = in_order_of(data, a, b)
        if grad_mode.inference_used:
            return wrap(data)
        z = new(Tensor)
        z._array = data
        z._base = z._shared = None
        return z

    return staticmethod(already_quiet(forward))


def of_one(operator: Any, returned: str) -> Callable[[Tensor], Tensor]:
    """Return the function that is an operator of one tensor, and is called as that is."""

    def function(input: Tensor) -> Tensor:
        return operator.apply(input)

    function.__name__ = function.__qualname__ = operator.__name__.lower()
    function.__doc__, function.__module__ = f"Return {returned}.", operator.__module__
    # From which the method in place is made.
    vars(function)["operator"] = operator
    return function


def into_memory(ufunc: Callable[..., Any]) -> Any:
    """Return an operator's `into`, which computes x = ufunc(x, y) in the memory of x.

    It declines what is not plain: other dtypes than a floating one for both, other shapes.
    """

    def into(x: Tensor, y: Any) -> bool:
        a = x._array
        b = y._array if isinstance(y, Tensor) else y
        if not _is_plain(a, b):
            return False
        ufunc(a, b, out=a)
        return True

    return staticmethod(into)


def into_memory_scaled(ufunc: np.ufunc) -> Any:
    """Return `into_memory` for x = ufunc(x, scale * y), where x is large."""

    def into(x: Tensor, y: Any, scale: Any) -> bool:
        a = x._array
        b = y._array if isinstance(y, Tensor) else y
        if not _is_plain(a, b) or a.size <= EXACT_UP_TO:
            return False
        ufunc(a, b * a.dtype.type(scale), out=a)
        return True

    return staticmethod(into)


# In what a product is exact, or nearly so, of numbers of a dtype.
_WIDER: dict[Any, np.dtype[Any]] = {
    _FLOAT32: np.dtype(np.float64),
    np.dtype(np.float64): np.dtype(np.longdouble),
}


def plus_product(a: Any, b: Any, c: Any) -> Any:
    """Return a + b * c of NumPy data of one dtype, rounded once, as by PyTorch's instruction.

    Of large arrays the product is rounded as well. Halves are taken as float32 before.
    """
    wider = _WIDER.get(a.dtype)
    if wider is None or max(a.size, b.size, c.size) > EXACT_UP_TO:
        return a + b * c
    # One is enough, and the last is often a lone number: NumPy widens what meets it.
    return (a + b * c.astype(wider)).astype(a.dtype)


def add_product(a: Any, b: Any, c: Any) -> None:
    """Add b * c to the array `a` in its memory, as `plus_product`; c is a lone number."""
    wider = _WIDER.get(a.dtype, a.dtype)
    np.add(a, b * wider.type(c), out=a, casting="same_kind")


def opened(data: Any) -> Any:
    """Return halves as float32, in which PyTorch takes several steps, and others as they are."""
    return data.astype(np.float32) if data.dtype == np.float16 else data


def _is_plain(a: Any, b: Any) -> bool:
    if type(a) is not ndarray or a.dtype.kind != "f" or a.dtype.itemsize == 2:
        return False
    return type(b) in WEAK or (type(b) is ndarray and b.dtype is a.dtype and b.shape == a.shape)


def combined(function: Callable[[Any, Any], Any], x: Any, y: Any) -> Tensor:
    """Return `function` of two operands, promoted and broadcast; RuntimeError if they don't fit."""
    a, b = promoted(x, y)
    data = broadcast(function, a, b)
    if data.ndim > 1 and not (a.flags.c_contiguous and b.flags.c_contiguous):
        data = in_order_of(data, a, b)
    return wrap(data)


def broadcast(function: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    """Return `function` of NumPy data; RuntimeError, in PyTorch's words, if shapes don't fit."""
    try:
        return function(a, b)
    except ValueError:
        raise RuntimeError(size_mismatch(a.shape, b.shape)) from None


def broadcast_shape(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    """Return the common shape of two tensors, or raise PyTorch's RuntimeError."""
    try:
        return np.broadcast_shapes(a, b)
    except ValueError:
        raise RuntimeError(size_mismatch(a, b)) from None


def size_mismatch(a: tuple[int, ...], b: tuple[int, ...]) -> str:
    """Say in PyTorch's words which dimension keeps two shapes from being broadcast."""
    rank = max(len(a), len(b))
    left, right = (1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b
    for dim in reversed(range(rank)):
        if left[dim] != right[dim] and 1 not in (left[dim], right[dim]):
            return (
                f"The size of tensor a ({left[dim]}) must match the size of tensor b "
                f"({right[dim]}) at non-singleton dimension {dim}"
            )
    return f"shapes {list(a)} and {list(b)} cannot be broadcast"


# Whole numbers as wide as each kind of element.
_BITS = {1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}


def kept_where(mask: Any, data: Any, out: Any = None) -> Any:
    """Return NumPy `data` where `mask`, of its shape, holds, and 0 elsewhere.

    Unlike a product of the numbers themselves it leaves no -0, nor nan of what is infinite.
    """
    if not isinstance(data, ndarray):
        return data if mask else type(data)(0)
    if out is None:
        out = np.empty_like(data)
    bits = _BITS[data.itemsize]
    # All bits of an element, or none.
    np.multiply(data.view(bits), mask, out=out.view(bits))
    return out


def floating(data: Any) -> Any:
    """Return NumPy data as floating numbers: integers and bools take the default dtype."""
    return data if data.dtype.kind == "f" else converted(data, dtypes.default().numpy)


def exact(scalar: Callable[[float], float], ufunc: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a function of NumPy data that rounds as PyTorch does, and of which NumPy never warns.

    `scalar` is Python's function for one number, `ufunc` NumPy's for arrays.
    """

    def compute(data: Any) -> Any:
        one = _ONE.get(type(data))
        if one is not None:
            try:
                return quiet_context().run(mul, one, scalar(float(data)))
            except (ValueError, OverflowError):
                pass
        elif data.dtype.kind != "f":
            return compute(floating(data))
        return quiet_context().run(of_array, data)

    def of_array(data: Any) -> Any:
        if data.dtype != np.float64 and data.size <= EXACT_UP_TO:
            return ufunc(converted(data, np.float64)).astype(data.dtype)
        return ufunc(data)

    return compute
