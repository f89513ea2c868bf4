"""Reading parts: `x[...]`, `where`, `masked_fill`, and what belongs to `x[...] = v`."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from autograd_core import dtypes
from autograd_core.function import Function
from autograd_core.ops.elementwise import broadcast_shape, promoted
from autograd_core.ops.index_parts import taken
from autograd_core.ops.reductions import sum_to
from autograd_core.ops.shape import ViewFunction
from autograd_core.tensor import Tensor, data_of, wrap
from autograd_core.views import alias


class Index(Function):
    """z = x[indices], a copy;  dL/dx = g added up at the indices, repeated ones several times."""

    node_name = "IndexBackward0"

    @staticmethod
    def forward(ctx, x, index):
        ctx.shape, ctx.index = x.shape, index
        return wrap(np.asarray(x.memory()[index], order="C"))

    @staticmethod
    def backward(ctx, g):
        return IndexAdd.apply(g, ctx.shape, ctx.index), None

    @staticmethod
    def jvp(ctx, dx, _):
        return Index.apply(dx, ctx.index)


class IndexAdd(Function):
    """z = zeros with x added at the indices;  dL/dx = g[indices]."""

    node_name = "IndexPutBackward0"

    @staticmethod
    def forward(ctx, x, shape, index):
        ctx.shape, ctx.index = shape, index
        z = np.zeros(shape, x._array.dtype)
        np.add.at(z, index, x._array)
        return wrap(z)

    @staticmethod
    def backward(ctx, g):
        return Index.apply(g, ctx.index), None, None

    @staticmethod
    def jvp(ctx, dx, *_):
        return IndexAdd.apply(dx, ctx.shape, ctx.index)


class Where(Function):
    """z = x where the condition holds, else y;  g goes to the one that was taken.

    The condition comes in a tuple: what has no gradient has no edge in the graph either.
    """

    node_name, saved_names = "WhereBackward0", ("condition",)

    @staticmethod
    def forward(ctx, conditions, x, y):
        (ctx.condition,) = conditions
        a, b = promoted(x, y)
        ctx.shapes = a.shape, b.shape
        taken = ctx.condition._array.astype(bool, copy=False)
        broadcast_shape(broadcast_shape(a.shape, b.shape), taken.shape)
        return wrap(np.where(taken, a, b))

    @staticmethod
    def backward(ctx, g):
        zero = g.new_zeros(())
        _, dx, dy = ctx.needs_input_grad
        return (
            None,
            sum_to(where(ctx.condition, g, zero), ctx.shapes[0]) if dx else None,
            sum_to(where(ctx.condition, zero, g), ctx.shapes[1]) if dy else None,
        )

    @staticmethod
    def jvp(ctx, _, dx, dy):
        return where(ctx.condition, dx, dy)


class MaskedFill(Function):
    """z = x with a number put where the mask holds;  dL/dx = g, 0 there."""

    node_name, saved_names = "MaskedFillBackward0", ("mask",)

    @staticmethod
    def forward(ctx, x, masks, value):
        (ctx.mask,) = masks
        ctx.shape = x._array.shape
        broadcast_shape(ctx.mask._array.shape, ctx.shape)
        return wrap(np.where(ctx.mask._array, x._array.dtype.type(data_of(value)), x._array))

    @staticmethod
    def backward(ctx, g):
        return sum_to(g.masked_fill(ctx.mask, 0), ctx.shape), None, None

    @staticmethod
    def jvp(ctx, dx, *_):
        return dx.masked_fill(ctx.mask, 0)


class MaskedFillTensor(MaskedFill):
    """As `MaskedFill`, with the value y of a tensor;  dL/dy = the sum of g there."""

    node_name = "MaskedFillBackward1"

    @staticmethod
    def backward(ctx, g):
        dx, _, dy = ctx.needs_input_grad
        kept = sum_to(g.masked_fill(ctx.mask, 0), ctx.shape) if dx else None
        return kept, None, where(ctx.mask, g, g.new_zeros(())).sum() if dy else None

    @staticmethod
    def jvp(ctx, dx, _, dy):
        return dx.masked_fill(ctx.mask, dy)


class MaskedSelect(Function):
    """z = the elements of x where the mask holds;  dL/dx = zeros with g there."""

    node_name, saved_names = "MaskedSelectBackward0", ("mask",)

    @staticmethod
    def forward(ctx, x, masks):
        ctx.shape, shape = x.shape, broadcast_shape(x._array.shape, masks[0]._array.shape)
        ctx.mask = np.broadcast_to(masks[0]._array, shape)
        return wrap(np.broadcast_to(x._array, shape)[ctx.mask])

    @staticmethod
    def backward(ctx, g):
        return sum_to(IndexAdd.apply(g, ctx.mask.shape, ctx.mask), ctx.shape), None

    @staticmethod
    def jvp(ctx, dx, _):
        return dx.masked_select(wrap(ctx.mask))


def getitem(input: Tensor, index: Any) -> Tensor:
    """Return x[index]: a view for integers, slices, None and Ellipsis, a copy for masks and lists.

    Raises IndexError where PyTorch does. (PyTorch: "Tensor Views", "Tensor indexing API".)
    """
    part, arrays = taken(input, index)
    if arrays is not None:
        return Index.apply(part, arrays)
    return ViewOfAll.apply(input) if part is input else part


class ViewOfAll(ViewFunction):
    """z = x[:], a view of the whole;  dL/dx = g."""

    node_name = "AliasBackward0"

    @staticmethod
    def forward(ctx, x):
        return alias(x)

    @staticmethod
    def backward(ctx, g):
        return g

    jvp = backward


def where(condition: Tensor, input: Any = None, other: Any = None) -> Any:
    """Return `input` where the condition holds, else `other`; alone: the indices where it holds."""
    if input is None and other is None:
        return nonzero(condition, as_tuple=True)
    kind = condition._array.dtype
    if kind == np.uint8:
        warnings.warn(
            "where received a uint8 condition tensor. This behavior is deprecated and will be "
            "removed in a future version of PyTorch. Use a boolean condition instead.",
            UserWarning,
            stacklevel=2,
        )
    elif kind.kind != "b":
        raise RuntimeError(
            "where expected condition to be a boolean tensor, but got a tensor with dtype "
            f"{condition.dtype.title}"
        )
    if not (isinstance(input, Tensor) and isinstance(other, Tensor)):
        common = dtypes.result_type(data_of(input), data_of(other)).numpy
        input, other = [
            each if isinstance(each, Tensor) else wrap(common.type(each)) for each in (input, other)
        ]
    return Where.apply((condition,), input, other)


def masked_fill(input: Tensor, mask: Tensor, value: Any) -> Tensor:
    """Return `input` with `value`, a number or a tensor of one, where `mask` holds."""
    if mask._array.dtype.kind != "b":
        kind = _NAMES_IN_C.get(mask._array.dtype.name, mask._array.dtype.name)
        raise RuntimeError(
            f"masked_fill_ only supports boolean masks, but got mask with dtype {kind}"
        )
    if not isinstance(value, Tensor):
        return MaskedFill.apply(input, (mask,), value)
    if value.dim():
        raise RuntimeError(
            "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
            f"{value.dim()} dimension(s)."
        )
    return MaskedFillTensor.apply(input, (mask,), value)


_NAMES_IN_C = {
    "int64": "long int",
    "int32": "int",
    "int16": "short int",
    "int8": "signed char",
    "uint8": "unsigned char",
    "float32": "float",
    "float64": "double",
    "float16": "c10::Half",
}


def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """Return the elements where `mask`, broadcast, holds, as one dimension."""
    if mask._array.dtype.kind != "b":
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    return MaskedSelect.apply(input, (mask,))


def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """Return the indices of the elements that are not zero: one row each, or one tensor a dim."""
    if as_tuple:
        return (nonzero(input) if input.dim() else nonzero(input.reshape(1))).unbind(1)
    return wrap(np.argwhere(input.memory()))
