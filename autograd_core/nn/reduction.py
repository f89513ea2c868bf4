"""How losses of elements become one number."""

from __future__ import annotations

import warnings

from autograd_core.ops import losses
from autograd_core.tensor import Tensor


def reduction_of(size_average: bool | None, reduce: bool | None, reduction: str) -> str:
    """Return the reduction that PyTorch's two old arguments ask for, with its warning."""
    if size_average is None and reduce is None:
        return reduction
    reduction = "none" if reduce is False else "sum" if size_average is False else "mean"
    warnings.warn(
        "size_average and reduce args will be deprecated, please use "
        f"reduction='{reduction}' instead.",
        UserWarning,
        stacklevel=3,
    )
    return reduction


def weighted(values: Tensor, weight: Tensor, reduction: str) -> Tensor:
    """Return values * weight: their mean, divided by the sum of the weights, their sum or all.

    Raises ValueError for weights of another shape, and for an unknown reduction.
    """
    products = times_weight(values, weight, reduction)
    if reduction == "mean":
        return products.sum() / weight.sum()
    return losses.reduced(products, reduction)


def times_weight(values: Tensor, weight: Tensor, reduction: str) -> Tensor:
    """Return values * weight, or raise ValueError as `weighted` does."""
    if weight.shape != values.shape:
        raise ValueError("Weights and input must have the same size.")
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(
            f"Invalid reduction mode: {reduction}. Expected one of 'none', 'mean', 'sum'."
        )
    return values * weight
