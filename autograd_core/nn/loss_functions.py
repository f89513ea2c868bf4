"""Losses as functions: of two tensors of one size, and of scores against classes."""

from __future__ import annotations

from typing import Any

from autograd_core.creation import plain_number
from autograd_core.messages import check_argument, warn
from autograd_core.ops import comparison, losses, softmax
from autograd_core.ops.arithmetic import AddNumber, DivNumber, MulNumber
from autograd_core.ops.dims import dim_that_is, whole_number
from autograd_core.ops.losses import known, reduced, refuse_to_differentiate
from autograd_core.ops.pair_losses import (
    BinaryCrossEntropy,
    BinaryCrossEntropyWithLogits,
    HuberLoss,
    SmoothL1Loss,
)
from autograd_core.ops.shape import broadcast_shapes, broadcast_tensors
from autograd_core.tensor import Tensor

_Old = bool | None


def reduction_of(size_average: _Old, reduce: _Old, reduction: str) -> str:
    """Return the reduction that PyTorch's two old arguments ask for, with its warning."""
    if size_average is None and reduce is None:
        return reduction
    summed, each = [given is not None and not given for given in (size_average, reduce)]
    reduction = "none" if each else "sum" if summed else "mean"
    warn(
        "size_average and reduce args will be deprecated, please use "
        f"reduction='{reduction}' instead."
    )
    return reduction


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
    input, target, reduction = _together(input, target, reduction, size_average, reduce)
    if weight is None:
        return losses.MseLoss.apply(input, target, known(reduction))
    return _weighted((input - target) ** 2, weight, reduction)


def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: _Old = None,
    reduce: _Old = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """Return the absolute differences: their mean, their sum or ("none") all of them."""
    input, target, reduction = _together(input, target, reduction, size_average, reduce)
    if weight is not None:
        return _weighted((input - target).abs(), weight, reduction)
    known(reduction)
    return reduced((input - target).abs(), reduction)


def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: _Old = None,
    reduce: _Old = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:
    """Return d^2 / (2 beta) where |d| < beta, else |d| - beta / 2; RuntimeError for beta < 0."""
    input, target, reduction = _together(input, target, reduction, size_average, reduce)
    known(reduction)
    beta = plain_number(beta, "smooth_l1_loss(): argument 'beta' (position 4)")
    if not beta >= 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    if beta == 0:
        return l1_loss(input, target, reduction=reduction)
    return SmoothL1Loss.apply(input, target, reduction, (float(beta),))


def huber_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    delta: float = 1.0,
    weight: Tensor | None = None,
) -> Tensor:
    """Return d^2 / 2 where |d| < delta, else delta (|d| - delta / 2); delta is positive."""
    input, target, reduction = _together(input, target, reduction)
    if weight is None:
        known(reduction)
    delta = plain_number(delta, "huber_loss(): argument 'delta' (position 4)")
    if not delta > 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    delta = float(delta)
    if weight is None:
        return HuberLoss.apply(input, target, reduction, (delta,))
    values = HuberLoss.apply(input, target, "none", (delta,))
    return _weighted(values, weight, reduction, plain_mean=True)


def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: _Old = None,
    reduce: _Old = None,
    reduction: str = "mean",
) -> Tensor:
    """Return the cross entropy of probabilities and targets, both in [0, 1] and of one size."""
    reduction = known(reduction_of(size_average, reduce, reduction))
    if target.size() != input.size():
        raise ValueError(
            f"Using a target size ({target.shape}) that is different to the input size "
            f"({input.shape}) is deprecated. Please ensure they have the same size."
        )
    if weight is not None:
        broadcast_shapes(target.size(), weight.size())
    refuse_to_differentiate("binary_cross_entropy", weight=weight)
    if target.dtype is not input.dtype:
        raise RuntimeError(f"Found dtype {target.dtype.title} but expected {input.dtype.title}")
    for name, values in (("input", input), ("target", target)):
        if not bool((values.ge(0) & values.le(1)).all()):
            raise RuntimeError(f"all elements of {name} should be between 0 and 1")
    return BinaryCrossEntropy.apply(input, target, reduction, (weight,))


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: _Old = None,
    reduce: _Old = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """Return the cross entropy of the sigmoids of scores and targets in [0, 1] of the same size."""
    reduction = known(reduction_of(size_average, reduce, reduction))
    if target.size() != input.size():
        raise ValueError(
            f"Target size ({target.shape}) must be the same as input size ({input.shape})"
        )
    name, options = "binary_cross_entropy_with_logits", (weight, pos_weight)
    given = {"weight": weight, "pos_weight": pos_weight}
    for position, (each, value) in enumerate(given.items(), 3):
        check_argument(name, each, value, Tensor | None, position, "Tensor")
    refuse_to_differentiate(name, **given)
    return BinaryCrossEntropyWithLogits.apply(input, target, reduction, options)


def _together(
    input: Tensor, target: Tensor, reduction: str, size_average: _Old = None, reduce: _Old = None
) -> Any:
    """Return both in one shape, and the reduction; warn if they had to be broadcast."""
    try:
        same = target._array.shape == input._array.shape
    except AttributeError:
        same = None
    if same is None:
        # Outside of `except`, so that Python reports one error for what is no tensor.
        same = target.size() == input.size()
    if not same:
        warn(
            f"Using a target size ({target.shape}) that is different to the input size "
            f"({input.shape}). This will likely lead to incorrect results due to broadcasting. "
            "Please ensure they have the same size."
        )
    reduction = reduction_of(size_average, reduce, reduction)
    return *((input, target) if same else broadcast_tensors(input, target)), reduction


def _weighted(values: Tensor, weight: Tensor, reduction: str, plain_mean: bool = False) -> Tensor:
    """Return values * weight: their mean, their sum or all of them.

    A mean that is not plain is divided by the sum of the weights. Raises ValueError for weights of
    another shape, and for an unknown reduction.
    """
    if weight.size() != values.size():
        raise ValueError("Weights and input must have the same size.")
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(
            f"Invalid reduction mode: {reduction}. Expected one of 'none', 'mean', 'sum'."
        )
    products = values * weight
    if reduction == "mean" and not plain_mean:
        return products.sum() / weight.sum()
    return reduced(products, reduction)


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: _Old = None,
    ignore_index: int = -100,
    reduce: _Old = None,
    reduction: str = "mean",
) -> Tensor:
    """Return -weight[t] * input[t] for each target class t: weighted mean, sum, or all of them.

    `input` (n, classes, ...) or (classes) holds logarithms of probabilities; `target` (n, ...) or
    () classes. Targets equal to `ignore_index` do not count. Raises PyTorch's errors.
    """
    reduction = reduction_of(size_average, reduce, reduction)
    _check_tensors("nll_loss_nd", input, target, weight)
    where = "nll_loss_nd(): argument 'ignore_index' (position 5)"
    ignore_index = whole_number(ignore_index, where)
    return losses.nll_loss(input, target, weight, ignore_index, reduction)


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: _Old = None,
    ignore_index: int = -100,
    reduce: _Old = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """Return `nll_loss` of the `log_softmax` of scores `input` (n, classes, ...) or (classes).

    `target` holds classes, or probabilities in the shape of `input`.
    """
    reduction = known(reduction_of(size_average, reduce, reduction))
    _check_tensors("cross_entropy_loss", input, target, weight)
    where = "cross_entropy_loss(): argument 'ignore_index' (position 5)"
    ignore_index = whole_number(ignore_index, where)
    where = "cross_entropy_loss(): argument 'label_smoothing' (position 6)"
    label_smoothing = plain_number(label_smoothing, where)
    if label_smoothing > 1.0:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing:g}")
    shape = input._array.shape
    classes = 0 if len(shape) == 1 else 1
    if shape == target._array.shape:
        if not target.is_floating_point():
            raise RuntimeError(
                "Expected floating point type for target with class probabilities, got "
                f"{target.dtype.title}"
            )
        if ignore_index >= 0:
            raise RuntimeError("ignore_index is not supported for floating point target")
        return _of_probabilities(input, target, weight, reduction, label_smoothing)
    scores = softmax.log_softmax(input, classes)
    loss = losses.nll_loss(scores, target, weight, ignore_index, reduction)
    if not label_smoothing > 0:
        return loss
    of_all = _of_all_classes(scores, target, weight, ignore_index, reduction)
    return MulNumber.apply(loss, 1 - label_smoothing) + MulNumber.apply(
        of_all, label_smoothing / shape[classes]
    )


def _check_tensors(name: str, input: Any, target: Any, weight: Any) -> None:
    """Raise PyTorch's TypeError unless all are tensors; `weight` may be None."""
    check_argument(name, "input", input, Tensor, 1)
    check_argument(name, "target", target, Tensor, 2)
    check_argument(name, "weight", weight, Tensor | None, 3, "Tensor")


def _of_all_classes(
    scores: Tensor, target: Tensor, weight: Tensor | None, ignored: int, reduction: str
) -> Tensor:
    """Return the sum of `nll_loss` over all classes, each as the target of the rows that count."""
    classes = 0 if scores.dim() == 1 else 1
    weighted = scores if weight is None else scores * _along(weight, scores, classes)
    left_out = comparison.eq(target, ignored)
    losses = (-weighted.sum(classes)).masked_fill(left_out, 0.0)
    if reduction != "mean":
        return reduced(losses, reduction)
    counted = comparison.logical_not(left_out).sum()
    if weight is not None:
        counted = weight[target.masked_fill(left_out, 0)].masked_fill(left_out, 0.0).sum()
    return losses.sum() / counted


def _of_probabilities(
    input: Tensor, target: Tensor, weight: Tensor | None, reduction: str, smoothing: float
) -> Tensor:
    classes = dim_that_is(input, 0 if input.dim() == 1 else 1)
    count = input.shape[classes]
    if weight is not None and tuple(weight.shape) != (count,):
        raise RuntimeError(
            f"cross_entropy: weight tensor should be defined either for all {count} classes or no "
            f"classes but got weight tensor of shape: {list(weight.shape)}"
        )
    if smoothing > 0:
        target = AddNumber.apply(MulNumber.apply(target, 1 - smoothing), smoothing / count)
    weighted = softmax.log_softmax(input, classes) * target
    if weight is not None:
        weighted = weighted * _along(weight, input, classes)
    if reduction == "none":
        return -weighted.sum(classes)
    total = weighted.sum()
    if reduction == "sum":
        return -total
    if not input.numel():
        return -total.fill_(float("nan"))
    return DivNumber.apply(-total, input.numel() // count)


def _along(weight: Tensor, input: Tensor, classes: int) -> Tensor:
    sizes = [1] * input.dim()
    sizes[classes] = weight.numel()
    return weight.view(sizes)
