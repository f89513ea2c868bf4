"""Layers that map vectors or indices, and those that only change shapes."""

from __future__ import annotations

import math
from typing import Any

from autograd_core import creation
from autograd_core.nn import functional, init
from autograd_core.nn.module import Module
from autograd_core.nn.parameter import Parameter
from autograd_core.tensor import Tensor


class Identity(Module):
    """x. The constructor ignores its arguments."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        """Return the input itself."""
        return input


class Linear(Module):
    """x W^T + b, with `weight` (out, in) and `bias` (out).

    Both start uniformly distributed over +-1/sqrt(in), as PyTorch's do.
    """

    _shown = ("in_features", "out_features", "bias")

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        made: Any = {"device": device, "dtype": dtype}
        self.weight = Parameter(creation.empty((out_features, in_features), **made))
        start = Parameter(creation.empty(out_features, **made)) if bias else None
        self.register_parameter("bias", start)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw weight and bias again."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features) if self.in_features else 0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Tensor) -> Tensor:
        """Map (..., in) to (..., out)."""
        held = self._parameters
        if "weight" in held and "bias" in held:
            # Faster than `self.weight`, for which Python looks everywhere else first.
            return functional.linear(input, held["weight"], held["bias"])
        return functional.linear(input, self.weight, self.bias)


class Flatten(Module):
    """A range of dimensions made into one; by default, all but the first."""

    _shown = ("start_dim", "end_dim")

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input: Tensor) -> Tensor:
        """Map (n, ...) to (n, m)."""
        return input.flatten(self.start_dim, self.end_dim)


class Unflatten(Module):
    """One dimension made into several."""

    _shown = ("dim", "unflattened_size")

    def __init__(self, dim: int, unflattened_size: tuple[int, ...]) -> None:
        super().__init__()
        if not isinstance(dim, int):
            raise NotImplementedError("Unflatten of a named dimension: named tensors are not here")
        if not isinstance(unflattened_size, tuple | list):
            raise TypeError(
                "unflattened_size must be a tuple of ints, but found type "
                + type(unflattened_size).__name__
            )
        for position, size in enumerate(unflattened_size):
            if not isinstance(size, int):
                raise TypeError(
                    "unflattened_size must be tuple of ints, but found element of type "
                    f"{type(size).__name__} at pos {position}"
                )
        self.dim, self.unflattened_size = dim, unflattened_size

    def forward(self, input: Tensor) -> Tensor:
        """Map (..., a * b, ...) to (..., a, b, ...)."""
        return input.unflatten(self.dim, self.unflattened_size)


class Embedding(Module):
    """A learned table of vectors, looked up by index; it starts normally distributed."""

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Tensor | None = None,
        _freeze: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        functional.refuse_for_tables(max_norm, scale_grad_by_freq, sparse)
        super().__init__()
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.max_norm, self.norm_type = max_norm, norm_type
        self.scale_grad_by_freq, self.sparse = scale_grad_by_freq, sparse
        self.padding_idx = functional.row_never_learnt(padding_idx, num_embeddings)
        shape = num_embeddings, embedding_dim
        if _weight is None:
            made = creation.empty(shape, device=device, dtype=dtype)
            self.weight = Parameter(made, not _freeze)
            self.reset_parameters()
        elif tuple(_weight.shape) != shape:
            raise AssertionError("Shape of weight does not match num_embeddings and embedding_dim")
        else:
            self.weight = Parameter(_weight, not _freeze)

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Tensor,
        freeze: bool = True,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
    ) -> Any:
        """Return a layer whose table is `embeddings`, in the same memory; frozen unless told.

        Raises AssertionError unless the table has two dimensions.
        """
        if embeddings.dim() != 2:
            raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
        rows, columns = embeddings.shape
        options = max_norm, norm_type, scale_grad_by_freq, sparse
        return cls(rows, columns, padding_idx, *options, embeddings, freeze)

    def reset_parameters(self) -> None:
        """Draw the table again; the row of `padding_idx` is 0."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            self.weight.detach()[self.padding_idx].fill_(0)

    def forward(self, input: Tensor) -> Tensor:
        """Map indices of any shape to (..., embedding_dim)."""
        return functional.embedding(input, self.weight, self.padding_idx)

    def extra_repr(self) -> str:
        """Return the sizes."""
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{self.num_embeddings}, {self.embedding_dim}{padding}"
