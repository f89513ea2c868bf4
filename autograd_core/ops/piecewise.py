"""Piecewise functions, element by element: clamp, sign, round, floor, ceil, trunc."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from autograd_core.creation import fitting, plain_number, zeros_like
from autograd_core.ops.elementwise import combined, operand
from autograd_core.ops.extremes import Maximum, Minimum, larger, smaller
from autograd_core.ops.indexing import where
from autograd_core.ops.making import named, of_one
from autograd_core.ops.operator import Operator, Symmetric, keep_all, keep_first, keep_inputs
from autograd_core.ops.order_in_memory import converted, copy_of, in_order_of
from autograd_core.tensor import Tensor, data_of, wrap
from autograd_core.tensors import dtypes


class Clamp(Symmetric):
    """z = min(max(x, low), high);  dL/dx = g where low <= x <= high, else 0."""

    node_name, saved_names, setup_context = "ClampBackward1", ("self",), keep_first

    @staticmethod
    def forward(x, low, high):
        a, kind = x._array, x._array.dtype
        if kind.kind != "f":
            low, high = [None if bound is None else operand(bound) for bound in (low, high)]
            given = [bound for bound in (low, high) if bound is not None]
            kind = dtypes.result_type(a, *given).numpy
            if kind.kind == "b":
                which = "max_" if low is None else "min_" if high is None else ""
                raise dtypes.no_kernel(f"clamp_{which}scalar_cpu", kind)
            a = converted(a, kind)
        low, high = [None if bound is None else fitting(bound, kind) for bound in (low, high)]
        # In this order -0 stays -0 beside 0, as in PyTorch.
        above = a if low is None else np.maximum(low, a)
        return wrap((above if high is None else np.minimum(high, above)).astype(kind, copy=False))

    @staticmethod
    def backward(ctx, g):
        (x,), (low, high) = ctx.saved_tensors, ctx.arguments
        inside = True if low is None else x._array >= low
        inside = inside if high is None else inside & (x._array <= high)
        return where(wrap(np.asarray(inside)), g, g.new_zeros(())), None, None


# With one bound, by an operator of its own.
ClampMin = named("ClampMin", Clamp, "ClampMinBackward0")
ClampMax = named("ClampMax", Clamp, "ClampMaxBackward0")


class ClampTensor(Operator):
    """z = min(max(x, y), w);  g goes to the one of the three that was taken, y only if y < w.

    A tangent comes from a bound that x equals, if there is no other.
    """

    node_name, saved_names = "ClampBackward0", ("self", "min", "max")
    setup_context, edges_for_numbers = keep_inputs, True

    @staticmethod
    def forward(x, low, high):
        z = x
        for bound, choose in ((low, larger), (high, smaller)):
            z = z if bound is None else combined(choose, z, bound)
        if low is None or high is None:
            return z
        dtypes.check_kernel("clamp_cpu", z._array, dtypes.NUMBERS)
        return wrap(in_order_of(z._array, *[data_of(each) for each in (x, low, high)]))

    @staticmethod
    def backward(ctx, g):
        kept, zero = ctx.saved_tensors, g.new_zeros(())
        # The bounds first, as in PyTorch.
        parts = [*zip(kept, ClampTensor.taken(*kept), strict=True)][::-1]
        by_bounds = [None if part is None else where(taken, g, zero) for part, taken in parts]
        return tuple(by_bounds[::-1])

    @staticmethod
    def jvp(ctx, dx, d_low, d_high):
        x, low, high = ctx.saved_tensors
        if high is None:
            return where(x > low, dx, d_low)
        if low is None:
            return where(x < high, dx, d_high)
        bounded = where(x < low, d_low, where(x > high, d_high, dx))
        return where(low > high, d_high, bounded)

    @staticmethod
    def taken(x, low, high):
        """Return three masks: where x, low and high were taken."""
        if low is None:
            return x <= high, None, x > high
        if high is None:
            return x >= low, x < low, None
        return (x >= low) & (x <= high), (x < low) & (low < high), (x > high) | (low > high)


class ClampMinTensor(Maximum):
    """z = max(x, y);  the gradient goes to the larger, of equals to x."""

    node_name, saved_names = "ClampMinBackward1", ("self", "min")
    materialize_grads = True
    kept, replaced = operator.ge, operator.lt

    @classmethod
    def backward(cls, ctx, g):
        x, y = ctx.saved_tensors
        zero = g.new_zeros(())
        by_y = where(cls.replaced(x, y), g, zero)
        return where(cls.kept(x, y), g, zero), by_y

    @classmethod
    def jvp(cls, ctx, dx, dy):
        return where(cls.kept(*ctx.saved_tensors), dx, dy)


class ClampMaxTensor(ClampMinTensor):
    """z = min(x, y);  the gradient goes to the smaller, of equals to x."""

    node_name, saved_names = "ClampMaxBackward1", ("self", "max")
    forward = Minimum.forward
    kept, replaced = operator.le, operator.gt


class Flat(Operator):
    """A function that is constant almost everywhere, such as round;  the gradients are 0."""

    node_name = ""

    @staticmethod
    def backward(ctx, g):
        zero = zeros_like(g)
        return tuple([zero if needed else None for needed in ctx.needs_input_grad])

    @staticmethod
    def jvp(ctx, *tangents):
        known = next(each for each in tangents if each is not None and each.is_floating_point())
        return zeros_like(known)


class Step(Flat):
    """z = compute(x, ...), where integers stay as they are."""

    node_name = ""
    compute: Any

    @classmethod
    def forward(cls, x, *arguments):
        if x._array.dtype.kind != "f":
            kernel = f"{cls.compute.__name__}_vml_cpu"
            dtypes.check_kernel(kernel, x._array, dtypes.NUMBERS)
            return wrap(copy_of(x._array))
        return wrap(cls.compute(x._array, *arguments))


class Sign(Step):
    """The sign of x: -1, 0 or 1; 0 for nan."""

    @staticmethod
    def forward(x):
        a = x._array
        return wrap(copy_of(a) if a.dtype.kind == "b" else np.subtract(a > 0, a < 0, dtype=a.dtype))


class Sgn(Sign):
    """As `Sign`, because numbers are not complex here. PyTorch saves x and z for complex ones."""

    saved_names, setup_context = ("self", "result"), keep_all

    @staticmethod
    def backward(ctx, g):
        # Only to raise if they were changed.
        _ = ctx.saved_tensors
        return g.new_zeros(g.shape)


Round = named("Round", Step, "RoundBackward0", compute=np.round)
RoundDecimals = named("RoundDecimals", Step, "RoundBackward1", compute=np.round)
Floor = named("Floor", Step, "FloorBackward0", compute=np.floor)
Ceil = named("Ceil", Step, "CeilBackward0", compute=np.ceil)
Trunc = named("Trunc", Step, "TruncBackward0", compute=np.trunc)


def clamp(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Return each element, moved into [min, max]: numbers or tensors; one bound may be None.

    If `min` is the larger, all become `max`; nan stays. At the bounds the gradient is still 1.
    """
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if isinstance(min, Tensor) or isinstance(max, Tensor):
        if all(each is None or isinstance(each, Tensor) for each in (min, max)):
            return ClampTensor.apply(input, min, max)
        min, max = [plain_number(e) if isinstance(e, Tensor) else e for e in (min, max)]
    return Clamp.apply(input, min, max)


def clamp_min(input: Tensor, min: Any) -> Tensor:
    """Return each element, or `min` where it is smaller."""
    if isinstance(min, Tensor):
        return ClampMinTensor.apply(input, min)
    return ClampMin.apply(input, operand(min), None)


def clamp_max(input: Tensor, max: Any) -> Tensor:
    """Return each element, or `max` where it is larger."""
    if isinstance(max, Tensor):
        return ClampMaxTensor.apply(input, max)
    return ClampMax.apply(input, None, operand(max))


def round(input: Tensor, *, decimals: int = 0) -> Tensor:
    """Return the elements rounded to integers, or to `decimals`; halves go to the even one."""
    if decimals:
        dtypes.check_kernel("round_cpu", input._array, dtypes.FLOATING)
        return RoundDecimals.apply(input, decimals)
    return Round.apply(input)


sign = of_one(Sign, "-1, 0 or 1 for each element")
sgn = of_one(Sgn, "-1, 0 or 1 for each element")
floor = of_one(Floor, "the largest whole numbers that are not larger")
ceil = of_one(Ceil, "the smallest whole numbers that are not smaller")
trunc = of_one(Trunc, "the whole part of each element")
