"""The product and the norms of torch.linalg; it has no decompositions."""

from __future__ import annotations

from typing import Any

from autograd_core.messages.unsupported import LINEAR_ALGEBRA, refusal
from autograd_core.ops.matmul import matmul
from autograd_core.ops.products import linalg_cross as cross
from autograd_core.ops.spreads import vector_norm
from autograd_core.tensor import Tensor

__all__ = ["cross", "matmul", "norm", "vector_norm"]

_OUT_OF_SCOPE = {
    "cholesky", "cholesky_ex", "cond", "det", "diagonal", "eig", "eigh", "eigvals",
    "eigvalsh", "householder_product", "inv", "inv_ex", "ldl_factor", "ldl_factor_ex", "ldl_solve",
    "lstsq", "lu", "lu_factor", "lu_factor_ex", "lu_solve", "matrix_exp", "matrix_norm",
    "matrix_power", "matrix_rank", "multi_dot", "pinv", "qr", "slogdet", "solve", "solve_ex",
    "solve_triangular", "svd", "svdvals", "tensorinv", "tensorsolve", "vander", "vecdot",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _OUT_OF_SCOPE:
        raise refusal(f"torch.linalg.{name}", LINEAR_ALGEBRA)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def norm(
    A: Tensor,  # noqa: N803 - PyTorch's name
    ord: Any = None,
    dim: Any = None,
    keepdim: bool = False,
    *,
    dtype: Any = None,
) -> Tensor:
    """Return the vector norm of order `ord` (2); matrix norms are out of scope."""
    dims = A.dim() if dim is None else 1 if isinstance(dim, int) else len(dim)
    if ord is not None and dims != 1:
        raise NotImplementedError(f"torch.linalg.norm: matrix norms (ord={ord!r})")
    return vector_norm(A, 2 if ord is None else ord, dim, keepdim, dtype=dtype)
