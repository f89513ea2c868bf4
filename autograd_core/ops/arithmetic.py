"""Arithmetic of two operands, with broadcasting: addition, subtraction, products, quotients."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from autograd_core.creation import fitting, plain_number, zeros_like
from autograd_core.modes.grad_mode import mode
from autograd_core.node import NO_TENSOR
from autograd_core.ops.elementwise import (
    OPERANDS,
    WEAK,
    broadcast,
    broadcast_shape,
    elementwise,
    operand,
    promoted,
    promoted_to_floating,
)
from autograd_core.ops.into_memory import into_memory
from autograd_core.ops.making import named, of_one, tensor_only
from autograd_core.ops.operator import Linear, Operator, Symmetric, keep_all, keep_output, plus
from autograd_core.ops.order_in_memory import in_order_of
from autograd_core.ops.reusing import times_each
from autograd_core.ops.rounding import opened, plus_product
from autograd_core.ownership import WORTHWHILE
from autograd_core.tensor import Tensor, data_of, wrap
from autograd_core.tensors import dtypes

# PyTorch computes fewer halves (float16) than this one by one, and rounds after each step.
_VECTOR = 32


def _true_divide(a: Any, b: Any) -> Any:
    if a.dtype.kind != "f":
        kind = dtypes.default().numpy
        a, b = a.astype(kind), b.astype(kind)
    return a / b


class Add(Symmetric):
    """z = x + y;  dL/dx = g,  dL/dy = g.

    Here and below the engine sums the gradient of an operand that was broadcast.
    """

    edges_for_numbers, negative_zeros = True, (0, 1)
    forward, into = elementwise(operator.add, np.add), into_memory(np.add)

    @staticmethod
    def backward(ctx, g):
        return g, g

    @staticmethod
    def jvp(ctx, dx, dy):
        # A number has no tangent, not even zeros.
        if dx is None or dy is None:
            return (dx if dy is None else dy) + -0.0
        return dx + dy


class Sub(Symmetric):
    """z = x - y;  dL/dx = g,  dL/dy = -g."""

    edges_for_numbers, negative_zeros = True, (0,)
    subtract, into = elementwise(operator.sub, np.subtract), into_memory(np.subtract)

    @staticmethod
    def forward(x, y):
        _refuse_bools(x, y)
        return Sub.subtract(x, y)

    @staticmethod
    def backward(ctx, g):
        to_y = ctx.needs_input_grad[1]
        return g, -g if to_y else None

    @staticmethod
    def jvp(ctx, dx, dy):
        if dx is None or dy is None:
            return -dy if dx is None else dx - 0.0
        return dx - dy


class AddScaled(Symmetric):
    """z = x + s * y for a number s;  dL/dx = g,  dL/dy = s * g."""

    node_name, negative_zeros = "AddBackward0", (0, 1)
    sign, into = 1, into_memory(np.add)

    @classmethod
    def forward(cls, x, y, scale):
        a, b = promoted(x, y)
        scale = a.dtype.type(scale) if cls.sign > 0 else -a.dtype.type(scale)
        if max(a.size, b.size) < _VECTOR and a.dtype == np.float16:
            return wrap(broadcast(lambda a, b: a + b * scale, a, b))
        factor = opened(scale)
        data = broadcast(lambda a, b: plus_product(a, b, factor), opened(a), opened(b))
        return wrap(in_order_of(data.astype(a.dtype), a, b))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.scale = inputs[2]

    @classmethod
    def backward(cls, ctx, g):
        to_y = ctx.needs_input_grad[1]
        to_scale = g if cls.sign > 0 or not to_y else -g
        return g, MulNumber.apply(to_scale, ctx.scale) if to_y else None, None

    @classmethod
    def jvp(cls, ctx, dx, dy, _):
        change = dy if dy is None or ctx.scale == 1 else MulNumber.apply(dy, ctx.scale)
        return (Add if cls.sign > 0 else Sub).jvp(ctx, dx, change)


# With the scaled operand subtracted.
SubScaled = named(
    "SubScaled",
    AddScaled,
    "SubBackward0",
    sign=-1,
    negative_zeros=(0,),
    into=into_memory(np.subtract),
)


class Rsub(Symmetric):
    """z = y - s * x for a number s;  dL/dx = -s * g,  dL/dy = g."""

    node_name, negative_zeros = "RsubBackward0", (1,)
    from_number = elementwise(lambda x, y: y - x)

    @staticmethod
    def forward(x, y, scale):
        if scale != 1:
            return SubScaled.forward(y, x, scale)
        if isinstance(y, Tensor):
            return Sub.forward(y, x)
        _refuse_bools(y, x)
        return Rsub.from_number(x, y)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.scale = inputs[2]

    @staticmethod
    def backward(ctx, g):
        to_y = ctx.needs_input_grad[1]
        by_x = -g if ctx.scale == 1 else MulNumber.apply(-g, ctx.scale)
        return by_x, g if to_y else None, None


# For a number y.
RsubNumber = named("RsubNumber", Rsub, "RsubBackward1")


class Mul(Operator):
    """z = x * y;  dL/dx = g * y,  dL/dy = g * x."""

    edges_for_numbers, saved_names = True, ("self", "other")
    forward = elementwise(operator.mul, np.multiply, widens=True)
    into = into_memory(np.multiply)
    materialize_grads = False

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, y = inputs
        # So far there are only the makers: the fastest way to them, which counts in long chains.
        to_x, to_y = ctx._links
        ctx.keep((x if to_y else None, y if to_x else None))

    @staticmethod
    def backward(ctx, g):
        if g._array.size >= WORTHWHILE:
            return times_each(g, list(ctx.saved_tensors[::-1]))
        x, y = ctx.saved_tensors
        # In PyTorch's order: it decides in which order a second backward adds gradients to g's.
        by_y = None if x is None else g * x
        return None if y is None else g * y, by_y

    @staticmethod
    def jvp(ctx, dx, dy):
        x, y = ctx.saved_tensors
        return plus(tangent_times(dy, x), tangent_times(dx, y))


class Div(Operator):
    """z = x / y;  dL/dx = g / y,  dL/dy = -g * x / y^2."""

    edges_for_numbers, saved_names = True, ("self", "other")
    forward = elementwise(_true_divide, promote=promoted_to_floating, widens=True)
    into = into_memory(np.true_divide)
    materialize_grads, keep_for_jvp = False, keep_all

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, y = inputs
        to_y = ctx.needs_input_grad[1]
        ctx.keep((x if to_y else None, y))

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        by_y = None
        if x is not None:
            # In PyTorch's order, as in `Mul`: first the slope, then -g, and g / y last.
            slope = x / y / y
            by_y = -g * slope
        return g / y if ctx.needs_input_grad[0] else None, by_y

    @staticmethod
    def jvp(ctx, dx, dy):
        x, y, z = ctx.saved_tensors
        # Not z for a missing dy: its derivatives may be infinite, and 0 times infinity is nan.
        bent = tangent_times(dy, x if dy is None else z, 0.0)
        if bent is None:
            return dx / y
        return Sub.apply(-0.0 if dx is None else dx, bent) / y


class MulNumber(Linear):
    """z = x * n for a number n, in the formulas of gradients;  dL/dx = g * n.

    In PyTorch these formulas make other nodes than `x * n` does, without an edge for the number.
    """

    node_name, forward = "MulBackward1", Mul.forward

    @classmethod
    def backward(cls, ctx, g):
        return cls.apply(g, *ctx.arguments), None


class AddNumber(Symmetric):
    """z = x + n for a number n, as `MulNumber`;  dL/dx = g."""

    node_name, forward = "AddBackward1", Add.forward

    @staticmethod
    def backward(ctx, g):
        return g, None


# Likewise x / n, with dL/dx = g / n, and x - n.
DivNumber = named("DivNumber", MulNumber, "DivBackward1", forward=Div.forward)
SubNumber = named("SubNumber", AddNumber, "SubBackward1", forward=Sub.forward)


class Reciprocal(Symmetric):
    """z = 1 / x;  dL/dx = -g * z^2."""

    saved_names, setup_context = ("result",), keep_output

    @staticmethod
    def forward(x):
        return Div.forward(1, x._array)

    @staticmethod
    def backward(ctx, g):
        (z,) = ctx.saved_tensors
        # Before -g, as in PyTorch.
        square = z * z
        return -g * square


def add(input: Tensor, other: Any, *, alpha: float = 1) -> Tensor:
    """Return input + alpha * other, broadcast.

    In the dtype that both promote to. RuntimeError for shapes that do not fit.
    """
    if not isinstance(input, Tensor):
        input = first_number(input, other, alpha)
    if type(alpha) is int and alpha == 1:
        return Add.apply(input, other if isinstance(other, Tensor) else operand(other))
    function, arguments = scaled(Add, input, other, alpha)
    return function.apply(input, *arguments)


def sub(input: Tensor, other: Any, *, alpha: float = 1) -> Tensor:
    """Return input - alpha * other, broadcast."""
    if not isinstance(input, Tensor):
        input = first_number(input, other, alpha)
    if type(alpha) is int and alpha == 1:
        return Sub.apply(input, operand(other))
    function, arguments = scaled(Sub, input, other, alpha)
    return function.apply(input, *arguments)


def scaled(function: Any, input: Tensor, other: Any, alpha: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return the operator that adds or subtracts alpha * other, and the arguments for it."""
    other, alpha = operand(other), plain_number(alpha)
    if alpha == 1 and alpha is not True:
        return function, (other,)
    if function is Sub:
        _refuse_bools(input, other)
    a, b = data_of(input), data_of(other)
    if (have := np.shape(a)) != (others := np.shape(b)):
        broadcast_shape(have, others)
    common = dtypes.result_type(a, b).numpy
    if isinstance(alpha, bool) and common.kind != "b":
        raise RuntimeError("Boolean alpha only supported for Boolean results.")
    if isinstance(alpha, float) and common.kind != "f":
        raise RuntimeError(
            "For integral input tensors, argument alpha must not be a floating point number."
        )
    alpha = fitting(alpha, common)
    if not isinstance(other, Tensor):
        other = wrap(promoted(input, other)[1])
    return (AddScaled if function is Add else SubScaled), (other, alpha)


def rsub(input: Tensor, other: Any, *, alpha: float = 1) -> Tensor:
    """Return other - alpha * input."""
    other = operand(other)
    tensor_only("rsub", input)
    scale = 1
    if type(alpha) is not int:
        alpha = plain_number(alpha)
    if alpha != 1 or alpha is True:
        _, (_, scale) = scaled(Sub, other, input, alpha)
    return (Rsub if isinstance(other, Tensor) else RsubNumber).apply(input, other, scale)


def mul(input: Tensor, other: Any) -> Tensor:
    """Return input * other, broadcast.

    In the dtype that both promote to. RuntimeError for shapes that do not fit.
    """
    if not isinstance(input, Tensor):
        input = first_number(input, other)
    return Mul.apply(input, other if isinstance(other, Tensor) else operand(other))


def rdiv(input: Tensor, other: Any) -> Tensor:
    """Return other / input."""
    return Mul.apply(Reciprocal.apply(input), operand(other))


def first_number(input: Any, other: Any, alpha: Any = 1) -> Any:
    """Return the first operand, a number as a tensor if there is no other tensor, or a scale."""
    number = operand(input)
    if not isinstance(other, Tensor):
        return wrap(dtypes.of_scalar(number).numpy.type(number))
    if alpha == 1:
        return number
    return wrap(dtypes.result_type(number, other._array).numpy.type(number))


reciprocal = of_one(Reciprocal, "1 / input")


def reflected(function: Any, operator: type[Operator] | None = None) -> Any:
    """Return `function` as a Python operator: NotImplemented for operands that are no numbers.

    An array divided by a tensor is the tensor's reciprocal times the array, left to NumPy.

    If an `operator` is given, operands that it takes as they are go there directly.
    """
    apply = operator.apply if operator else function
    plain = (Tensor, *WEAK) if operator and operator.edges_for_numbers else (Tensor,)

    def method(self: Tensor, other: Any) -> Any:
        if type(other) in plain:
            return apply(self, other)
        if isinstance(other, OPERANDS):
            return function(self, other)
        if function is rdiv and isinstance(other, np.ndarray):
            return reciprocal(self) * other
        return NotImplemented

    method.__name__ = function.__name__
    method.__doc__ = function.__doc__
    if operator:
        # Takes its place while there is a listener for the engine's events.
        vars(method)["without_short_cut"] = reflected(function)
    return method


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


class TimesNothing(Operator):
    """z = 0 in the shape of x;  dL/dx = 0.

    In PyTorch an argument without a tangent has one of zeros, which is never multiplied by, but
    recorded.
    """

    node_name, edges_for_numbers = "MulBackward0", True

    @staticmethod
    def forward(_, x, zero):
        return wrap(np.full(x._array.shape, zero, x._array.dtype))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx._output_nrs = (*ctx._output_nrs[:2], NO_TENSOR)

    @staticmethod
    def backward(ctx, g):
        return None, zeros_like(g), None


def tangent_times(tangent: Tensor | None, x: Any, zero: float = -0.0) -> Tensor | None:
    """Return tangent * x; without a tangent None, or `zero` whose history includes that of x."""
    if tangent is not None:
        return tangent * x
    recorded = mode.enabled and isinstance(x, Tensor) and x.requires_grad
    return TimesNothing.apply(None, x, zero) if recorded else None


def knowing(tangent: Tensor, x: Any) -> Tensor:
    """Return a tangent whose history includes that of x, as if x had been multiplied by zero."""
    return plus(tangent, tangent_times(None, x))
