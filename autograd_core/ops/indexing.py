"""Reading parts: `x[...]`, `where`, `masked_fill`, and what belongs to `x[...] = v`."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_core.function import Function
from autograd_core.ops.elementwise import promoted, size_mismatch
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
    """z = x where the condition holds, else y;  g goes to the one that was taken."""

    node_name, edges_for_numbers = "WhereBackward0", True

    @staticmethod
    def forward(ctx, condition, x, y):
        ctx.condition = condition
        a, b = promoted(x, y)
        ctx.shapes = np.shape(a), np.shape(b)
        try:
            return wrap(np.where(condition._array, a, b))
        except ValueError:
            raise RuntimeError(size_mismatch(np.shape(a), np.shape(b))) from None

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
        return where(ctx.condition, 0 if dx is None else dx, 0 if dy is None else dy)


class MaskedFill(Function):
    """z = x with a number put where the mask holds;  dL/dx = g, 0 there."""

    node_name = "MaskedFillBackward0"

    @staticmethod
    def forward(ctx, x, mask, value):
        ctx.mask = mask
        return wrap(np.where(mask._array, x._array.dtype.type(value), x._array))

    @staticmethod
    def backward(ctx, g):
        return g.masked_fill(ctx.mask, 0), None, None

    @staticmethod
    def jvp(ctx, dx, *_):
        return dx.masked_fill(ctx.mask, 0)


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
        return tuple([wrap(each) for each in np.nonzero(condition.memory())])
    return Where.apply(condition, input, other)


def masked_fill(input: Tensor, mask: Tensor, value: Any) -> Tensor:
    """Return `input` with the number `value` where `mask` holds."""
    return MaskedFill.apply(input, mask, data_of(value))


def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """Return the elements where `mask` holds, as one dimension."""
    return input[mask]


def nonzero(input: Tensor) -> Tensor:
    """Return the indices of the elements that are not zero, one row each."""
    return wrap(np.argwhere(input.memory()))
