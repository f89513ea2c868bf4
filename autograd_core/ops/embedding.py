"""Rows of a table, and a border around a tensor."""

from __future__ import annotations

import numpy as np

from autograd_core.function import Operator
from autograd_core.ops.indexing import Index, IndexAdd
from autograd_core.tensor import wrap


class Embedding(Operator):
    """z = the rows of W at the indices;  dL/dW = g added up there, 0 at the padding."""

    node_name, saved_names = "EmbeddingBackward0", ("indices",)

    @staticmethod
    def forward(weight, indices, padding):
        return wrap(weight.memory()[indices[0].memory()])

    @staticmethod
    def setup_context(ctx, inputs, output):
        weight, index, ctx.padding = inputs
        ctx.shape = weight.shape
        ctx.keep(index)

    @staticmethod
    def backward(ctx, g):
        index = ctx.saved_tensors
        if ctx.padding >= 0:
            g = g.masked_fill(index[0].eq(ctx.padding).unsqueeze(-1), 0)
        return IndexAdd.apply(g, ctx.shape, index), None, None

    @staticmethod
    def jvp(ctx, dw, *_):
        return Index.apply(dw, ctx.saved_tensors)


class Pad(Operator):
    """z = x with a border of one number, or, where that is negative, cut;  dL/dx = g inside."""

    node_name = "ConstantPadNdBackward0"

    @staticmethod
    def forward(x, widths, value):
        inside = tuple(
            slice(max(-before, 0), length - max(-after, 0))
            for (before, after), length in zip(widths, x.shape, strict=True)
        )
        border = [(max(before, 0), max(after, 0)) for before, after in widths]
        return wrap(np.pad(x.memory()[inside], border, constant_values=value))

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, ctx.widths, _ = inputs

    @staticmethod
    def backward(ctx, g):
        return Pad.apply(g, [(-before, -after) for before, after in ctx.widths], 0), None, None

    @staticmethod
    def jvp(ctx, dx, *_):
        return Pad.apply(dx, ctx.widths, 0)
