"""The product and the norms of torch.linalg; it has no decompositions."""

from __future__ import annotations

from typing import Any

from autograd_core.messages.unsupported import refusing
from autograd_core.ops.matmul import matmul
from autograd_core.ops.norms import vector_norm
from autograd_core.ops.products import linalg_cross as cross
from autograd_core.tensor import Tensor

__all__ = ["cross", "matmul", "norm", "vector_norm"]

__getattr__ = refusing(__name__)


def norm(
    A: Tensor,  # noqa: N803 - PyTorch's name
    ord: Any = None,
    dim: Any = None,
    keepdim: bool = False,
    *,
    dtype: Any = None,
) -> Tensor:
    """Return the vector norm of order `ord` (2), or "fro"; other matrix norms are not here."""
    dims = A.dim() if dim is None else 1 if isinstance(dim, int) else len(dim)
    ord = None if ord == "fro" and dims == 2 else ord
    if ord is not None and dims != 1:
        raise NotImplementedError(f"torch.linalg.norm: matrix norms (ord={ord!r})")
    return vector_norm(A, 2 if ord is None else ord, dim, keepdim, dtype=dtype)
