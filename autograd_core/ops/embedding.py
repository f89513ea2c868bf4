"""Rows of a table, looked up by index."""

from __future__ import annotations

from autograd_core.function import Operator
from autograd_core.ops.indexing import Index, IndexAdd
from autograd_core.tensor import wrap


class Embedding(Operator):
    """z = the rows of W at the indices;  dL/dW = g added up there, 0 at the padding."""

    saved_names = ("indices",)

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
