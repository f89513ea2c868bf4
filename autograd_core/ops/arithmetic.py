"""Arithmetic of two operands, with broadcasting: add, sub, mul, div, pow, maximum, minimum."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from autograd_core import dtypes, forward_ad
from autograd_core.function import Function
from autograd_core.ops.elementwise import broadcast, combined, is_operand, operand, promoted
from autograd_core.ops.reductions import sum_to
from autograd_core.tensor import Tensor, wrap


class Add(Function):
    """z = x + alpha * y;  dL/dx = g,  dL/dy = alpha * g."""

    node_name, edges_for_numbers = "AddBackward0", True

    @staticmethod
    def forward(ctx, x, y, alpha=1):
        ctx.shapes, ctx.alpha = (_shape(x), _shape(y)), alpha
        if alpha != 1:
            y = wrap(y._array * alpha) if isinstance(y, Tensor) else y * alpha
        return combined(operator.add, x, y)

    @staticmethod
    def backward(ctx, g):
        dx, dy = ctx.needs_input_grad[:2]
        scaled = g if ctx.alpha == 1 else g * ctx.alpha
        grads = (
            sum_to(g, ctx.shapes[0]) if dx else None,
            sum_to(scaled, ctx.shapes[1]) if dy else None,
        )
        return grads if len(ctx.needs_input_grad) == 2 else (*grads, None)

    @staticmethod
    def jvp(ctx, dx, dy, _=None):
        return _plus(dx, dy if dy is None or ctx.alpha == 1 else dy * ctx.alpha)


class Sub(Function):
    """z = x - y;  dL/dx = g,  dL/dy = -g."""

    node_name, edges_for_numbers = "SubBackward0", True

    @staticmethod
    def forward(ctx, x, y):
        ctx.shapes = _shape(x), _shape(y)
        _refuse_bools(x, y)
        return combined(operator.sub, x, y)

    @staticmethod
    def backward(ctx, g):
        dx, dy = ctx.needs_input_grad
        return sum_to(g, ctx.shapes[0]) if dx else None, sum_to(-g, ctx.shapes[1]) if dy else None

    @staticmethod
    def jvp(ctx, dx, dy):
        return _plus(dx, None if dy is None else -dy)


class Rsub(Sub):
    """z = y - x for a number y;  dL/dx = -g."""

    node_name, edges_for_numbers = "RsubBackward1", False

    @staticmethod
    def forward(ctx, x, y):
        return Sub.forward(ctx, y, x)

    @staticmethod
    def backward(ctx, g):
        return -g, None

    @staticmethod
    def jvp(ctx, dx, dy):
        return -dx


class Mul(Function):
    """z = x * y;  dL/dx = g * y,  dL/dy = g * x."""

    node_name, edges_for_numbers, saved_names = "MulBackward0", True, ("self", "other")

    @staticmethod
    def forward(ctx, x, y):
        dx, dy = ctx.needs_input_grad
        return _combined_and_saved(ctx, operator.mul, x, y, dy, dx)

    @staticmethod
    def backward(ctx, g):
        x, y = _operands(ctx)
        dx, dy = ctx.needs_input_grad
        return (
            sum_to(g * y, ctx.shapes[0]) if dx else None,
            sum_to(g * x, ctx.shapes[1]) if dy else None,
        )

    @staticmethod
    def jvp(ctx, dx, dy):
        x, y = _operands(ctx)
        return _plus(None if dx is None else dx * y, None if dy is None else x * dy)


class Div(Function):
    """z = x / y;  dL/dx = g / y,  dL/dy = -g * x / y^2."""

    node_name, edges_for_numbers, saved_names = "DivBackward0", True, ("self", "other")

    @staticmethod
    def forward(ctx, x, y):
        dx, dy = ctx.needs_input_grad
        return _combined_and_saved(ctx, _true_divide, x, y, dy, dx or dy)

    @staticmethod
    def backward(ctx, g):
        x, y = _operands(ctx)
        dx, dy = ctx.needs_input_grad
        return (
            sum_to(g / y, ctx.shapes[0]) if dx else None,
            sum_to(-g * ((x / y) / y), ctx.shapes[1]) if dy else None,
        )

    @staticmethod
    def jvp(ctx, dx, dy):
        x, y = _operands(ctx)
        return _plus(dx, None if dy is None else -dy * (x / y)) / y


class Reciprocal(Function):
    """z = 1 / x;  dL/dx = -g * z^2."""

    node_name, saved_names = "ReciprocalBackward0", ("result",)

    @staticmethod
    def forward(ctx, x):
        z = combined(_true_divide, 1, x)
        ctx.save_for_backward(z)
        return z

    @staticmethod
    def backward(ctx, g):
        (z,) = ctx.saved_tensors
        return -g * (z * z)

    jvp = backward


class PowNumber(Function):
    """z = x^n for a number n;  dL/dx = g * n * x^(n-1)."""

    node_name, saved_names = "PowBackward0", ("self",)

    @staticmethod
    def forward(ctx, x, n):
        ctx.save_for_backward(x)
        ctx.exponent = n
        return combined(_power, x, n)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        n = ctx.exponent
        return (g * 0 if n == 0 else g * (n * x ** (n - 1))), None

    @staticmethod
    def jvp(ctx, dx, _):
        return PowNumber.backward(ctx, dx)[0]


class PowTensor(Function):
    """z = x^y;  dL/dx = g * y * x^(y-1),  dL/dy = g * z * log x."""

    node_name, saved_names = "PowBackward1", ("self", "exponent", "result")

    @staticmethod
    def forward(ctx, x, y):
        z = combined(_power, x, y)
        ctx.save_for_backward(x, y, z)
        return z

    @staticmethod
    def backward(ctx, g):
        x, y, z = ctx.saved_tensors
        dx, dy = ctx.needs_input_grad
        return (
            sum_to(g * (y * x ** (y - 1)), x.shape) if dx else None,
            sum_to(g * (z * x.log()), y.shape) if dy else None,
        )

    @staticmethod
    def jvp(ctx, dx, dy):
        x, y, z = ctx.saved_tensors
        return dx * (y * x ** (y - 1)) + dy * (z * x.log())


class PowOfNumber(Function):
    """z = n^x for a number n;  dL/dx = g * z * log n."""

    node_name, saved_names = "PowBackward2", ("result",)

    @staticmethod
    def forward(ctx, x, n):
        z = combined(_power, n, x)
        ctx.save_for_backward(z)
        ctx.log = float(np.log(n)) if n > 0 else float("nan")
        return z

    @staticmethod
    def backward(ctx, g):
        (z,) = ctx.saved_tensors
        return g * (z * ctx.log), None

    @staticmethod
    def jvp(ctx, dx, _):
        return PowOfNumber.backward(ctx, dx)[0]


class Maximum(Function):
    """z = max(x, y);  the gradient goes to the larger, halved between equals."""

    node_name, saved_names = "MaximumBackward0", ("self", "other")
    compute: Any = np.maximum

    @classmethod
    def forward(cls, ctx, x, y):
        ctx.save_for_backward(x, y)
        return combined(cls.compute, x, y)

    @classmethod
    def backward(cls, ctx, g):
        x, y = ctx.saved_tensors
        first, second = cls.shares(x, y)
        return sum_to(g * first, x.shape), sum_to(g * second, y.shape)

    @classmethod
    def jvp(cls, ctx, dx, dy):
        first, second = cls.shares(*ctx.saved_tensors)
        return dx * first + dy * second

    @classmethod
    def shares(cls, x, y):
        """Return the part of the gradient that each of the two gets: 1, 1/2 or 0."""
        equal = (x == y).to(x.dtype) / 2
        return (x > y).to(x.dtype) + equal, (x < y).to(x.dtype) + equal


class Minimum(Maximum):
    """z = min(x, y);  the gradient goes to the smaller, halved between equals."""

    node_name, compute = "MinimumBackward0", np.minimum

    @classmethod
    def shares(cls, x, y):
        """Return the part of the gradient that each of the two gets: 1, 1/2 or 0."""
        return Maximum.shares(y, x)


def add(input: Tensor, other: Any, *, alpha: float = 1) -> Tensor:
    """Return input + alpha * other, broadcast."""
    if alpha == 1:
        return Add.apply(input, operand(other))
    return Add.apply(input, operand(other), alpha)


def sub(input: Tensor, other: Any, *, alpha: float = 1) -> Tensor:
    """Return input - alpha * other, broadcast."""
    return Sub.apply(input, operand(other) if alpha == 1 else other * alpha)


def rsub(input: Tensor, other: Any) -> Tensor:
    """Return other - input."""
    other = operand(other)
    return Sub.apply(other, input) if isinstance(other, Tensor) else Rsub.apply(input, other)


def mul(input: Tensor, other: Any) -> Tensor:
    """Return input * other, broadcast."""
    return Mul.apply(input, operand(other))


def div(input: Tensor, other: Any) -> Tensor:
    """Return input / other, broadcast; integers divide to float32."""
    return Div.apply(input, operand(other))


def rdiv(input: Tensor, other: Any) -> Tensor:
    """Return other / input."""
    other = operand(other)
    if isinstance(other, Tensor):
        return Div.apply(other, input)
    return Mul.apply(Reciprocal.apply(input), other)


def reciprocal(input: Tensor) -> Tensor:
    """Return 1 / input."""
    return Reciprocal.apply(input)


def pow(input: Any, exponent: Any) -> Tensor:
    """Return input to the power of exponent; one of the two may be a number."""
    input, exponent = operand(input), operand(exponent)
    if not isinstance(exponent, Tensor):
        return PowNumber.apply(input, exponent)
    if not isinstance(input, Tensor):
        return PowOfNumber.apply(exponent, input)
    return PowTensor.apply(input, exponent)


def rpow(input: Tensor, other: Any) -> Tensor:
    """Return other to the power of input."""
    return pow(other, input)


def maximum(input: Tensor, other: Tensor) -> Tensor:
    """Return the larger of each pair of elements."""
    return Maximum.apply(input, other)


def minimum(input: Tensor, other: Tensor) -> Tensor:
    """Return the smaller of each pair of elements."""
    return Minimum.apply(input, other)


def reflected(function: Any) -> Any:
    """Return `function` as a Python operator: NotImplemented for operands that are no numbers."""

    def method(self: Tensor, other: Any) -> Any:
        return function(self, other) if is_operand(other) else NotImplemented

    method.__name__ = function.__name__
    method.__doc__ = function.__doc__
    return method


def _shape(value: Any) -> tuple[int, ...]:
    return value._array.shape if isinstance(value, Tensor) else ()


def _combined_and_saved(
    ctx: Any, function: Any, x: Any, y: Any, needs_x: bool, needs_y: bool
) -> Tensor:
    """Compute from two operands, and keep what backward will need of them.

    Forward mode needs both. Numbers are kept on `ctx`: nobody can change them in place.
    """
    a, b = promoted(x, y)
    ctx.shapes = a.shape, b.shape
    both = forward_ad.levels_open
    slots = [None, None]
    ctx.numbers = numbers = [None, None]
    if needs_x or both:
        (slots if isinstance(x, Tensor) else numbers)[0] = x
    if needs_y or both:
        (slots if isinstance(y, Tensor) else numbers)[1] = y
    ctx.save_for_backward(*slots)
    return wrap(broadcast(function, a, b))


def _operands(ctx: Any) -> tuple[Any, Any]:
    x, y = ctx.saved_tensors
    first, second = ctx.numbers
    return x if first is None else first, y if second is None else second


def _refuse_bools(x: Any, y: Any) -> None:
    bools = [_is_bool(x), _is_bool(y)]
    if all(bools):
        raise RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. "
            "Use the `^` or `logical_xor()` operator instead."
        )
    if any(bools):
        raise RuntimeError(
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying "
            "to invert a mask, use the `~` or `logical_not()` operator instead."
        )


def _is_bool(value: Any) -> bool:
    return isinstance(value, bool) or (isinstance(value, Tensor) and value._array.dtype == np.bool_)


def _true_divide(a: Any, b: Any) -> Any:
    with np.errstate(all="ignore"):
        quotient = np.true_divide(a, b)
    return quotient if a.dtype.kind == "f" else quotient.astype(dtypes.float32.numpy)


def _power(a: Any, b: Any) -> Any:
    if a.dtype.kind == "i" and np.any(b < 0):
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    with np.errstate(all="ignore"):
        return np.power(a, b)


def _plus(a: Any, b: Any) -> Any:
    if a is None or b is None:
        return b if a is None else a
    return a + b
