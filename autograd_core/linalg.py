"""The products and norms of torch.linalg; decompositions are out of scope."""

from __future__ import annotations

from functools import partial
from typing import Any

from autograd_core.messages.unsupported import refusing
from autograd_core.ops import norms
from autograd_core.ops.matmul import matmul as product
from autograd_core.ops.out import with_out
from autograd_core.ops.products import linalg_cross
from autograd_core.tensor import Tensor

__all__ = ["cross", "matmul", "norm", "vector_norm"]

__getattr__ = refusing(__name__)

cross = with_out(linalg_cross)
matmul = with_out(product, "linalg_matmul")
vector_norm = with_out(norms.vector_norm, "linalg_vector_norm")


@partial(with_out, name="linalg_norm")
def norm(
    input: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """Return the vector norm of order `ord` (2), or "fro"; other matrix norms are not here."""
    dims = input.dim() if dim is None else 1 if isinstance(dim, int) else len(dim)
    if ord == "fro" and dims == 2:
        ord, dim = 2, (0, 1) if dim is None else dim
    elif ord is not None and dims != 1:
        raise NotImplementedError(f"torch.linalg.norm: matrix norms (ord={ord!r})")
    return norms.vector_norm(input, 2.0 if ord is None else ord, dim, keepdim, dtype=dtype)
