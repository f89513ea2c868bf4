"""Losses of two tensors of one size, as functions: what they check ahead of the operators."""

from __future__ import annotations

import warnings
from typing import Any

from autograd_core.nn.reduction import reduction_of, times_weight, weighted
from autograd_core.ops import losses
from autograd_core.ops.broadcasting import broadcast_tensors
from autograd_core.ops.losses import known, reduced
from autograd_core.ops.pair_losses import (
    BinaryCrossEntropy,
    BinaryCrossEntropyWithLogits,
    HuberLoss,
    SmoothL1Loss,
)
from autograd_core.tensor import Tensor

_Old = bool | None


def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: _Old = None,
    reduce: _Old = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """Return the squared differences: their mean, their sum or ("none") all of them.

    Warns when the sizes differ, and broadcasts. With `weight` the mean is a weighted one.
    """
    input, target = _together(input, target)
    reduction = reduction_of(size_average, reduce, reduction)
    if weight is None:
        return losses.mse_loss(input, target, reduction)
    return weighted(losses.mse_loss(input, target, "none"), weight, reduction)


def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: _Old = None,
    reduce: _Old = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """Return the absolute differences: their mean, their sum or ("none") all of them."""
    reduction = reduction_of(size_average, reduce, reduction)
    input, target = _together(input, target)
    distances = (input - target).abs()
    if weight is not None:
        return weighted(distances, weight, reduction)
    return reduced(distances, known(reduction))


def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: _Old = None,
    reduce: _Old = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:
    """Return d^2 / (2 beta) where |d| < beta, else |d| - beta / 2; RuntimeError for beta < 0."""
    reduction = reduction_of(size_average, reduce, reduction)
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    input, target = _together(input, target)
    if beta == 0:
        return l1_loss(input, target, reduction=reduction)
    return SmoothL1Loss.apply(input, target, known(reduction), (beta,))


def huber_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    delta: float = 1.0,
    weight: Tensor | None = None,
) -> Tensor:
    """Return d^2 / 2 where |d| < delta, else delta (|d| - delta / 2); delta is positive."""
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    input, target = _together(input, target)
    if weight is None:
        return HuberLoss.apply(input, target, known(reduction), (delta,))
    values = HuberLoss.apply(input, target, "none", (delta,))
    # Unlike those of its sisters, the mean is not divided by the sum of the weights.
    return reduced(times_weight(values, weight, reduction), reduction)


def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: _Old = None,
    reduce: _Old = None,
    reduction: str = "mean",
) -> Tensor:
    """Return what probabilities lose against targets, both in [0, 1] and of one size."""
    reduction = reduction_of(size_average, reduce, reduction)
    if target.shape != input.shape:
        raise ValueError(
            f"Using a target size ({target.shape}) that is different to the input size "
            f"({input.shape}) is deprecated. Please ensure they have the same size."
        )
    if target.dtype is not input.dtype:
        raise RuntimeError(f"Found dtype {target.dtype.title} but expected {input.dtype.title}")
    for name, values in (("input", input), ("target", target)):
        if not bool((values.ge(0) & values.le(1)).all()):
            raise RuntimeError(f"all elements of {name} should be between 0 and 1")
    return BinaryCrossEntropy.apply(input, target, known(reduction), (weight,))


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: _Old = None,
    reduce: _Old = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """Return what the sigmoids of scores lose against targets in [0, 1] of the same size."""
    reduction = reduction_of(size_average, reduce, reduction)
    if target.shape != input.shape:
        raise ValueError(
            f"Target size ({target.shape}) must be the same as input size ({input.shape})"
        )
    options = weight, pos_weight
    return BinaryCrossEntropyWithLogits.apply(input, target, known(reduction), options)


def _together(input: Tensor, target: Tensor) -> Any:
    """Return both in one shape; warns where that takes broadcasting."""
    if target.shape == input.shape:
        return input, target
    warnings.warn(
        f"Using a target size ({target.shape}) that is different to the input size "
        f"({input.shape}). This will likely lead to incorrect results due to broadcasting. "
        "Please ensure they have the same size.",
        UserWarning,
        stacklevel=3,
    )
    return broadcast_tensors(input, target)
