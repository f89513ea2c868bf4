"""Views of a part: what one index or one slice of a dimension leaves."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_core.function import Linear, named
from autograd_core.ops.shape import ViewOperator
from autograd_core.tensor import Tensor, wrap
from autograd_core.views import view_of


class Part(ViewOperator):
    """z = x[index], a view of a part;  dL/dx = zeros with g in that part."""

    node_name = ""

    @staticmethod
    def forward(x, index):
        view = view_of(x, x.memory()[(*index, ...)])
        if not view._array.size:
            view._offset_if_empty = _offset(x, index)
        return view

    @staticmethod
    def backward(ctx, g):
        return PartBackward.apply(g, ctx.shape, *ctx.arguments), None


def _offset(x: Tensor, index: tuple[Any, ...]) -> int:
    """Return where a part begins: NumPy does not tell of one without elements."""
    offset = x.storage_offset()
    for each, length, step in zip(index, x.shape, x.stride(), strict=False):
        first = each.indices(length)[0] if isinstance(each, slice) else each % length
        offset += first * step
    return offset


# By one index of one dimension, and by a slice of one.
Select = named("Select", Part, "SelectBackward0")
Slice = named("Slice", Part, "SliceBackward0")


class PartBackward(Linear):
    """z = zeros with x put into a part;  dL/dx = that part of g."""

    @staticmethod
    def forward(x, shape, index):
        z = np.zeros(shape, x._array.dtype)
        z[index] = x._array
        return wrap(z)

    @staticmethod
    def backward(ctx, g):
        _, index = ctx.arguments
        return Part.apply(g, index), None, None
