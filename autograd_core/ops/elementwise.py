"""What element-by-element operators share: operands, promotion, broadcasting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy import ndarray

from autograd_core.modes import grad_mode
from autograd_core.ops.order_in_memory import converted, in_order_of
from autograd_core.ops.quiet import already_quiet, quiet_context
from autograd_core.tensor import Tensor, new, wrap
from autograd_core.tensors import dtypes

# Python's numbers take the dtype of a floating operand, in NumPy as in PyTorch.
WEAK = (int, float)
# The types of operands beside a tensor in arithmetic.
OPERANDS = (Tensor, int, float, np.number, np.bool_, complex)
_FLOAT16, _FLOAT32 = np.dtype(np.float16), np.dtype(np.float32)
# What a tensor holds: an array or a NumPy scalar.
_DATA = (ndarray, np.generic)


def operand(value: Any) -> Any:
    """Return a tensor or a Python number; TypeError for anything else."""
    if isinstance(value, Tensor) or type(value) is float:
        return value
    if type(value) is not int and isinstance(value, np.generic):
        # PyTorch makes floats of NumPy's bools.
        value = float(value) if isinstance(value, np.bool_) else value.item()
    if isinstance(value, WEAK):
        return dtypes.within_64_bits(value)
    dtypes.refuse_complex(value)
    raise TypeError(f"argument 'other' must be Tensor or Number, not {type(value).__name__}")


def promoted(x: Any, y: Any) -> tuple[Any, Any]:
    """Return the NumPy data of two operands in their common dtype, by PyTorch's rules."""
    a = x._array if isinstance(x, Tensor) else x
    b = y._array if isinstance(y, Tensor) else y
    if isinstance(a, _DATA) and isinstance(b, _DATA) and a.dtype is b.dtype:
        return a, b
    common = dtypes.result_type(a, b).numpy
    return cast(a, common), cast(b, common)


def promoted_to_floating(x: Any, y: Any) -> tuple[Any, Any]:
    """As `promoted`, but integers become the default dtype, as in PyTorch's division."""
    a = x._array if isinstance(x, Tensor) else x
    b = y._array if isinstance(y, Tensor) else y
    common = dtypes.result_type(a, b).numpy
    if common.kind != "f":
        common = dtypes.default().numpy
    return cast(a, common), cast(b, common)


def cast(data: Any, common: np.dtype) -> Any:
    """Return NumPy data, or a Python number as NumPy data, in a dtype."""
    if isinstance(data, _DATA):
        return data if data.dtype == common else quiet_context().run(converted, data, common)
    # Python's integers wrap around, as C's do.
    if common.kind in "fb":
        return quiet_context().run(common.type, data)
    kind = np.int64 if dtypes.within_64_bits(data) < 2**63 else np.uint64
    return kind(data).astype(common)


def elementwise(
    function: Callable[[Any, Any], Any],
    of_arrays: Callable[[Any, Any], Any] | None = None,
    *,
    promote: Any = promoted,
    widens: bool = False,
) -> Any:
    """Return a forward that computes `function` of two operands, promoted and broadcast.

    It raises RuntimeError if the shapes don't fit. With `widens`, operands of different types that
    promote to float16 are computed in float32, and rounded to half only at the end. `of_arrays`
    computes the same as `function`, faster for arrays and slower for scalars.
    """
    of_arrays = of_arrays or function

    def forward(x: Any, y: Any) -> Tensor:
        try:
            a = x._array
        except AttributeError:
            # A number, which rarely comes first.
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
            a, b = cast(a, _FLOAT32), cast(b, _FLOAT32)
            return wrap(cast(quiet_context().run(broadcast, function, a, b), _FLOAT16))
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
    dim = max(i for i in range(rank) if left[i] != right[i] and 1 not in (left[i], right[i]))
    return (
        f"The size of tensor a ({left[dim]}) must match the size of tensor b "
        f"({right[dim]}) at non-singleton dimension {dim}"
    )
