"""Losses of scores against classes, as functions: `nll_loss` and `cross_entropy`."""

from __future__ import annotations

from autograd_core.messages.type_name import wrong_type
from autograd_core.nn.reduction import reduction_of
from autograd_core.ops import comparison, losses, probabilities
from autograd_core.tensor import Tensor


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Return -weight[t] * input[t] for each target class t: weighted mean, sum, or all of them.

    `input` (n, classes, ...) or (classes) holds logarithms of probabilities; `target` (n, ...) or
    () classes. Targets equal to `ignore_index` do not count. Raises PyTorch's errors.
    """
    reduction = reduction_of(size_average, reduce, reduction)
    return losses.nll_loss(input, target, weight, ignore_index, reduction)


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """Return `nll_loss` of the `log_softmax` of scores `input` (n, classes, ...) or (classes).

    `target` holds classes, or probabilities in the shape of `input`.
    """
    reduction = losses.known(reduction_of(size_average, reduce, reduction))
    for place, (name, each) in enumerate((("input", input), ("target", target)), 1):
        if not isinstance(each, Tensor):
            where = f"cross_entropy_loss(): argument '{name}' (position {place})"
            raise wrong_type(where, "Tensor", each)
    if not isinstance(ignore_index, int):
        where = "cross_entropy_loss(): argument 'ignore_index' (position 5)"
        raise wrong_type(where, "int", ignore_index)
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
    scores = probabilities.log_softmax(input, classes)
    loss = losses.nll_loss(scores, target, weight, ignore_index, reduction)
    if label_smoothing <= 0:
        return loss
    of_all = _of_all_classes(scores, target, weight, ignore_index, reduction)
    return loss * (1 - label_smoothing) + of_all * (label_smoothing / shape[classes])


def _of_all_classes(
    scores: Tensor, target: Tensor, weight: Tensor | None, ignored: int, reduction: str
) -> Tensor:
    """Return what `nll_loss` would, were every class the target where one counts, summed up."""
    classes = 0 if scores.dim() == 1 else 1
    weighted = scores if weight is None else scores * _along(weight, scores, classes)
    left_out = comparison.eq(target, ignored)
    losses = (-weighted.sum(classes)).masked_fill(left_out, 0.0)
    if reduction == "none":
        return losses
    if reduction == "sum":
        return losses.sum()
    counted = comparison.logical_not(left_out).sum()
    if weight is not None:
        counted = weight[target.masked_fill(left_out, 0)].masked_fill(left_out, 0.0).sum()
    return losses.sum() / counted.to(scores.dtype)


def _of_probabilities(
    input: Tensor, target: Tensor, weight: Tensor | None, reduction: str, smoothing: float
) -> Tensor:
    classes = 0 if input.dim() == 1 else 1
    count = input.shape[classes]
    if smoothing > 0:
        target = target * (1 - smoothing) + smoothing / count
    weighted = probabilities.log_softmax(input, classes) * target
    if weight is not None:
        weighted = weighted * _along(weight, input, classes)
    if reduction == "none":
        return -weighted.sum(classes)
    loss = -weighted.sum()
    return loss if reduction == "sum" else loss / max(input.numel() // count, 1)


def _along(weight: Tensor, input: Tensor, classes: int) -> Tensor:
    sizes = [1] * input.dim()
    sizes[classes] = weight.numel()
    return weight.view(sizes)
