"""A table of learned vectors: the function that looks them up, and the layer that holds it."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_core import creation
from autograd_core.nn import init
from autograd_core.nn.module import Module
from autograd_core.nn.parameter import Parameter
from autograd_core.ops.index_parts import first_outside
from autograd_core.ops.index_select import Embedding as LookUp
from autograd_core.tensor import Tensor


def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """Return the rows of `weight` at the indices `input`; that of `padding_idx` never learns."""
    if max_norm is not None or scale_grad_by_freq or sparse:
        raise NotImplementedError("embedding(max_norm=, scale_grad_by_freq=, sparse=) is not here")
    count = weight.shape[0]
    padding = _row(padding_idx, count)
    if input._array.dtype not in (np.int64, np.int32):
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: "
            f"Long, Int; but got torch.{input.dtype.legacy} instead (while checking arguments for "
            "embedding)"
        )
    if first_outside(input._array, 0, count) is not None:
        raise IndexError("index out of range in self")
    return LookUp.apply(weight, (input,), -1 if padding is None else padding)


def _row(padding_idx: int | None, count: int) -> int | None:
    """Return the row that never learns, counted from the front; AssertionError if there is none."""
    if padding_idx is None:
        return None
    if not -count <= padding_idx < count:
        raise AssertionError("Padding_idx must be within num_embeddings")
    return padding_idx % count


class Embedding(Module):
    """A learned table of vectors, looked up by index; it starts normally distributed."""

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        *,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.padding_idx = _row(padding_idx, num_embeddings)
        made = creation.empty(num_embeddings, embedding_dim, device=device, dtype=dtype)
        self.weight = Parameter(made)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the table anew; the row of `padding_idx` is 0."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            self.weight.detach()[self.padding_idx].fill_(0)

    def forward(self, input: Tensor) -> Tensor:
        """Map indices of any shape to (..., embedding_dim)."""
        return embedding(input, self.weight, self.padding_idx)

    def extra_repr(self) -> str:
        """Return the sizes."""
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{self.num_embeddings}, {self.embedding_dim}{padding}"
