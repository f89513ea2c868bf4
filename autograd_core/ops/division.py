"""Division, rounded or not, and remainders: div, floor_divide, remainder, fmod."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_core.ops.arithmetic import Div, first_number, knowing
from autograd_core.ops.elementwise import elementwise, operand
from autograd_core.ops.making import named, tensor_only
from autograd_core.ops.not_differentiable import NotDifferentiable
from autograd_core.ops.operator import Operator, Symmetric
from autograd_core.ops.piecewise import Flat
from autograd_core.tensor import Tensor
from autograd_core.tensors.dtypes import NUMBERS, check_kernel


def _of_whole_numbers(function: Any, kernel: str, widens: bool = False) -> Any:
    """Return a forward that refuses, as PyTorch does, bools and integers divided by zero."""

    def compute(a: Any, b: Any) -> Any:
        check_kernel(kernel, a, NUMBERS)
        # Shapes that do not fit are refused first.
        if a.dtype.kind in "iu" and not np.all(b) and np.broadcast(a, b).size:
            raise RuntimeError("ZeroDivisionError")
        return function(a, b)

    return elementwise(compute, widens=widens)


def _truncated(a: Any, b: Any) -> Any:
    # Exact for large integers too, whose quotient as a float would be rounded.
    return np.trunc(a / b) if a.dtype.kind == "f" else (a - np.fmod(a, b)) // b


def _left_over(a: Any, b: Any) -> Any:
    z = np.remainder(a, b)
    # If the remainder is zero, NumPy gives it the sign of b, and PyTorch that of a.
    return np.where(z == 0, np.copysign(z, a), z)[()] if z.dtype.kind == "f" else z


_floor = _of_whole_numbers(np.floor_divide, "div_floor_cpu", widens=True)
_remainder = _of_whole_numbers(_left_over, "remainder_cpu")
_fmod = _of_whole_numbers(np.fmod, "fmod_cpu")


class DivFloor(Flat):
    """z = x / y rounded down;  the gradients are 0."""

    node_name, edges_for_numbers, saved_names = "DivBackward2", True, ("self", "other")
    forward, setup_context, rounding_mode = _floor, Div.setup_context, "floor"

    @classmethod
    def backward(cls, ctx, g):
        # Only to raise if they were changed: PyTorch unpacks its saved tensors here.
        assert ctx.saved_tensors
        return super().backward(ctx, g)


class DivTrunc(DivFloor):
    """z = x / y rounded towards zero;  the gradients are 0."""

    node_name, rounding_mode = "DivBackward2", "trunc"
    forward = _of_whole_numbers(_truncated, "div_trunc_cpu", widens=True)


# With an explicit `rounding_mode=None`.
DivUnrounded = named("DivUnrounded", Div, "DivBackward2", rounding_mode=None)
# PyTorch's graph shows whether a rounding mode was given, even if it is None.
NOT_SAID: Any = object()
_ROUNDED = {NOT_SAID: Div, None: DivUnrounded, "floor": DivFloor, "trunc": DivTrunc}


class FloorDivide(NotDifferentiable):
    """z = x / y rounded down;  PyTorch gives it no derivative."""

    aten, forward = "floor_divide", _floor


class FloorDivide_(FloorDivide):  # noqa: N801 - PyTorch marks in-place operators so
    """As `FloorDivide`, but PyTorch's error names the in-place operator."""

    aten = "floor_divide_"


class Remainder(Symmetric):
    """z = x - y * floor(x / y);  dL/dx = g,  dL/dy = -g * floor(x / y)."""

    node_name, saved_names = "RemainderBackward1", ("self", "other")
    forward, rounded, materialize_grads = _remainder, DivFloor, False

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.keep(inputs if ctx.needs_input_grad[1] else (None, None))

    @classmethod
    def backward(cls, ctx, g):
        if not ctx.needs_input_grad[1]:
            return g, None
        # Before -g, in PyTorch's order.
        quotient = cls.rounded.apply(*ctx.saved_tensors)
        return g, -g * quotient

    @classmethod
    def jvp(cls, ctx, dx, dy):
        tangent = super().jvp(ctx, dx, dy)
        return knowing(tangent, cls.rounded.apply(*ctx.saved_tensors)) if dy is None else tangent


class RemainderNumber(Symmetric):
    """z = x - n * floor(x / n) for a number n;  dL/dx = g."""

    node_name, forward = "RemainderBackward0", _remainder

    @staticmethod
    def backward(ctx, g):
        return g, None


class RemainderOfNumber(NotDifferentiable):
    """z = n - x * floor(n / x) for a number n;  PyTorch gives it no derivative."""

    aten, forward = "remainder", _remainder


class Fmod(Remainder):
    """z = x - y * trunc(x / y);  dL/dx = g,  dL/dy = -g * trunc(x / y)."""

    node_name, forward, rounded = "FmodBackward1", _fmod, DivTrunc


# With a number for y.
FmodNumber: Any = named("FmodNumber", RemainderNumber, "FmodBackward0", forward=_fmod)


def operator_for(rounding_mode: Any) -> type[Operator]:
    """Return the operator that divides with this rounding; RuntimeError for an unknown mode."""
    if rounding_mode not in _ROUNDED:
        raise RuntimeError(
            "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found "
            f"'{rounding_mode}'"
        )
    return _ROUNDED[rounding_mode]


def div(input: Tensor, other: Any, *, rounding_mode: Any = NOT_SAID) -> Tensor:
    """Return input / other, broadcast; integers divide to float32.

    `rounding_mode` "floor" or "trunc" rounds the quotient, to integers if both are.
    """
    if not isinstance(input, Tensor):
        input = first_number(input, other)
    return operator_for(rounding_mode).apply(input, operand(other))


def floor_divide(input: Tensor, other: Any) -> Tensor:
    """Return the quotient rounded down; RuntimeError for an integer divided by zero."""
    if not isinstance(input, Tensor):
        input = first_number(input, other)
    return FloorDivide.apply(input, operand(other))


def remainder(input: Any, other: Any) -> Tensor:
    """Return the remainder, with the divisor's sign."""
    input, other = operand(input), operand(other)
    if not isinstance(input, Tensor):
        return RemainderOfNumber.apply(input, tensor_only("remainder", other))
    return (Remainder if isinstance(other, Tensor) else RemainderNumber).apply(input, other)


def fmod(input: Tensor, other: Any) -> Tensor:
    """Return the remainder, with the sign of `input`."""
    if not isinstance(input, Tensor):
        raise TypeError("input must be a Tensor")
    other = operand(other)
    return (Fmod if isinstance(other, Tensor) else FmodNumber).apply(input, other)
