"""Three tensors at once: addcmul, addcdiv and lerp."""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from autograd_core.creation import fitting, plain_number
from autograd_core.ops.arithmetic import Div, MulNumber, Sub
from autograd_core.ops.elementwise import broadcast_shape, operand
from autograd_core.ops.in_place import check_castable
from autograd_core.ops.operator import Operator, Symmetric, plus
from autograd_core.ops.order_in_memory import converted, in_order_of
from autograd_core.ops.rounding import opened, plus_product
from autograd_core.tensor import Tensor, wrap
from autograd_core.tensors import dtypes

_INTEGER_ADDCDIV = (
    "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will "
    "perform a true division of tensor1 and tensor2. The historic addcdiv behavior can be "
    "implemented as (input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer "
    "inputs and as (input + value * tensor1 / tensor2) for float inputs. The future addcdiv "
    "behavior is just the latter implementation: (input + value * tensor1 / tensor2), for all "
    "dtypes."
)


class Addcmul(Operator):
    """z = x + v * a * b for a number v;  dL/dx = g,  dL/da = g * v * b,  dL/db = g * v * a."""

    saved_names = ("tensor1", "tensor2")
    materialize_grads = False

    @staticmethod
    def forward(x, a, b, value):
        if not any(each.dtype.category for each in (x, a, b)):
            raise dtypes.no_kernel("addcmul_cpu_out", x._array)
        return _computed(lambda x, a, b, v: plus_product(x, a * v, b), x, a, b, value)

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, a, b, ctx.value = inputs
        _, to_a, to_b, _ = ctx.needs_input_grad
        ctx.keep((a if to_b else None, b if to_a else None))

    @staticmethod
    def backward(ctx, g):
        da = db = None
        _, to_a, to_b, _ = ctx.needs_input_grad
        # As in PyTorch: where nothing was saved, nothing is freed, and backward may run again.
        if to_a or to_b:
            a, b = ctx.saved_tensors
            da = g * MulNumber.apply(b, ctx.value) if to_a else None
            db = g * MulNumber.apply(a, ctx.value) if to_b else None
        return g, da, db, None

    @staticmethod
    def jvp(ctx, dx, da, db, _):
        a, b = ctx.saved_tensors
        dx = plus(dx, None if da is None else da * b * ctx.value)
        return plus(dx, None if db is None else a * db * ctx.value)


class Addcdiv(Addcmul):
    """z = x + v * a / b for a number v;  dL/dx = g, dL/da = g * v / b, dL/db = -g * v * a / b^2."""

    @staticmethod
    def forward(x, a, b, value):
        if not (a.is_floating_point() or b.is_floating_point()):
            raise RuntimeError(_INTEGER_ADDCDIV)
        return _computed(lambda x, a, b, v: x + a * v / b, x, a, b, value)

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, a, b, ctx.value = inputs
        ctx.keep((a if ctx.needs_input_grad[2] else None, b))

    @staticmethod
    def backward(ctx, g):
        (a, b), (_, to_a, to_b, _) = ctx.saved_tensors, ctx.needs_input_grad
        da = db = None
        if to_a:
            slope = Div.apply(ctx.value, b)
            # PyTorch writes the result into a tensor like b.
            check_castable(b, slope.dtype)
            da = g * slope
        if to_b:
            square = b * b
            slope = MulNumber.apply(a, ctx.value) / square
            db = -g * slope
        return g, da, db, None

    @staticmethod
    def jvp(ctx, dx, da, db, _):
        a, b = ctx.saved_tensors
        dx = plus(dx, None if da is None else da / b * ctx.value)
        return plus(dx, None if db is None else -(a * db) / (b * b) * ctx.value)


class Lerp(Symmetric):
    """z = x + w * (y - x) for a number w;  dL/dx = g * (1 - w),  dL/dy = g * w."""

    @staticmethod
    def forward(x, y, w):
        _check_lerp(x, y, w)
        start, end = opened(x._array), opened(y._array)
        weight = opened(w._array) if isinstance(w, Tensor) else start.dtype.type(w)
        # From the nearer end, as PyTorch does, so that w = 1 gives exactly y.
        near = np.abs(weight) < 0.5
        origin, part = np.where(near, start, end), np.where(near, weight, weight - 1)
        data = plus_product(origin, part, end - start).astype(x._array.dtype, copy=False)
        return wrap(in_order_of(data, start, end, weight)[()])

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.weight = inputs[2]

    @staticmethod
    def backward(ctx, g):
        to_x, to_y, _ = ctx.needs_input_grad
        dy = MulNumber.apply(g, ctx.weight) if to_y else None
        return MulNumber.apply(g, 1 - ctx.weight) if to_x else None, dy, None

    @classmethod
    def jvp(cls, ctx, dx, dy, _):
        return cls.apply(dx, dy, ctx.weight)


class LerpTensor(Symmetric):
    """z = x + w * (y - x);  dL/dx = g * (1 - w),  dL/dy = g * w,  dL/dw = g * (y - x)."""

    node_name, saved_names = "LerpBackward1", ("self", "end", "weight")
    forward = Lerp.forward

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, y, w = inputs
        to_w = ctx.needs_input_grad[2]
        ctx.keep((x if to_w else None, y if to_w else None, w))

    @staticmethod
    def backward(ctx, g):
        x, y, w = ctx.saved_tensors
        to_x, to_y, to_w = ctx.needs_input_grad
        dy = g * w if to_y else None
        dx = g * Sub.apply(1, w) if to_x else None
        return dx, dy, g * (y - x) if to_w else None


def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: float = 1) -> Tensor:
    """Return input + value * tensor1 * tensor2, broadcast."""
    return Addcmul.apply(input, tensor1, tensor2, plain_number(value))


def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: float = 1) -> Tensor:
    """Return input + value * tensor1 / tensor2, broadcast; RuntimeError for integer quotients."""
    return Addcdiv.apply(input, tensor1, tensor2, plain_number(value))


def lerp(input: Tensor, end: Tensor, weight: Any) -> Tensor:
    """Return input + weight * (end - input); RuntimeError for tensors of different dtypes."""
    return lerp_by(weight).apply(input, end, operand(weight))


def lerp_by(weight: Any) -> type[Operator]:
    """Return the operator for a weight, which is a tensor or a number."""
    return LerpTensor if isinstance(weight, Tensor) else Lerp


def _check_lerp(input: Tensor, end: Tensor, weight: Any) -> None:
    """Raise PyTorch's error unless all are of the floating dtype of `input` and broadcast."""
    for argument, given in (("end", end), ("weight", weight)):
        if isinstance(given, Tensor) and given.dtype is not input.dtype:
            raise RuntimeError(
                f"expected dtype {input.dtype.in_c} for `{argument}` but got dtype "
                f"{given.dtype.in_c}"
            )
    shape = broadcast_shape(input._array.shape, end._array.shape)
    if isinstance(weight, Tensor):
        broadcast_shape(shape, weight._array.shape)
    kind = "tensor" if isinstance(weight, Tensor) else "scalar"
    dtypes.check_kernel(f"lerp_kernel_{kind}", input._array, dtypes.FLOATING)


def _computed(formula: Any, x: Tensor, a: Tensor, b: Tensor, value: Any) -> Tensor:
    """Return a formula of three tensors and a number, all converted to their common dtype."""
    given = [each._array for each in (x, a, b)]
    reduce(broadcast_shape, [each.shape for each in given])
    kind = dtypes.result_type(*given).numpy
    tensors = [opened(e if e.dtype == kind else converted(e, kind)) for e in given]
    wide = tensors[0].dtype
    data = formula(*tensors, wide.type(fitting(value, wide))).astype(kind, copy=False)
    return wrap(in_order_of(data, *given))
