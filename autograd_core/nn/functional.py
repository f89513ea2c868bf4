"""Layers and losses as functions, without parameters of their own."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from autograd_core import creation
from autograd_core.messages.unsupported import refusing
from autograd_core.nn.pair_losses import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    huber_loss,
    l1_loss,
    smooth_l1_loss,
)
from autograd_core.nn.reduction import reduction_of, weighted
from autograd_core.nn.standardising import (
    batch_norm,
    cosine_similarity,
    embedding,
    layer_norm,
    normalize,
    pad,
)
from autograd_core.ops import comparison, functions, losses, normalising
from autograd_core.ops.activations import (
    celu,
    elu,
    gelu,
    hardtanh,
    leaky_relu,
    logsigmoid,
    mish,
    relu6,
    selu,
    silu,
    softplus,
    softsign,
)
from autograd_core.ops.broadcasting import broadcast_tensors
from autograd_core.ops.functions import sigmoid, tanh
from autograd_core.ops.matmul import addmm, matmul
from autograd_core.tensor import Tensor, wrap

__all__ = [
    "batch_norm",
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "celu",
    "cosine_similarity",
    "cross_entropy",
    "dropout",
    "elu",
    "embedding",
    "gelu",
    "hardtanh",
    "huber_loss",
    "l1_loss",
    "layer_norm",
    "leaky_relu",
    "linear",
    "log_softmax",
    "logsigmoid",
    "mish",
    "mse_loss",
    "nll_loss",
    "normalize",
    "one_hot",
    "pad",
    "relu",
    "relu6",
    "relu_",
    "selu",
    "sigmoid",
    "silu",
    "smooth_l1_loss",
    "softmax",
    "softmin",
    "softplus",
    "softsign",
    "tanh",
]

__getattr__ = refusing("nn.functional")


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Return input W^T + b for `input` (..., in), `weight` (out, in) and `bias` (out)."""
    rank = input._array.ndim
    if rank == 2 and bias is not None:
        return addmm(bias, input, weight.t())
    if not rank or not weight.dim():
        raise RuntimeError(
            "both arguments to linear need to be at least 1D, but they are "
            f"{rank}D and {weight.dim()}D"
        )
    if bias is None:
        return matmul(input, weight.t())
    if input.is_contiguous() and weight.dim() == 2:
        rows = addmm(bias, input.reshape(-1, input.shape[-1]), weight.t())
        return rows.view(*input.shape[:-1], weight.shape[0])
    return matmul(input, weight.t()) + bias


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """Return each element, or 0 where it is negative; `inplace` changes `input` itself."""
    return input.relu_() if inplace else functions.relu(input)


def relu_(input: Tensor) -> Tensor:
    """Change each negative element of `input` to 0, and return it."""
    return input.relu_()


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Return each element divided by 1 - p, or with probability p zero, when `training`."""
    if not 0.0 <= p <= 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0.0 or not input.numel():
        return input
    kept = (creation.empty_like(input).uniform_() < 1 - p).to(input.dtype)
    scaled = kept.div_(1 - p) if p < 1 else kept
    return input.mul_(scaled) if inplace else input * scaled


def softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Tensor:
    """Return e^input divided by its sum along `dim`; warns when no dimension is named."""
    if dim is None:
        dim = _implicit_dim("softmax", input, _stacklevel)
    return normalising.softmax(input, dim, dtype)


def softmin(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Tensor:
    """Return the `softmax` of -input; warns when no dimension is named."""
    if dim is None:
        dim = _implicit_dim("softmin", input, _stacklevel)
    return normalising.softmax(-input, dim, dtype)


def log_softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Tensor:
    """Return the logarithm of `softmax`; warns when no dimension is named."""
    if dim is None:
        dim = _implicit_dim("log_softmax", input, _stacklevel)
    return normalising.log_softmax(input, dim, dtype)


def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """Return the squared differences: their mean, their sum or ("none") all of them.

    Warns when the sizes differ, and broadcasts. With `weight` the mean is a weighted one.
    """
    input, target = _of_one_size(input, target)
    reduction = reduction_of(size_average, reduce, reduction)
    if weight is None:
        return losses.mse_loss(input, target, reduction)
    return weighted(losses.mse_loss(input, target, "none"), weight, reduction)


def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """Return zeros with a 1 at each class, in a new last dimension; classes are int64."""
    if tensor._array.dtype != np.int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    classes = tensor._array
    if not classes.size:
        if num_classes <= 0:
            raise RuntimeError("Can not infer total number of classes from empty tensor.")
    elif classes.min() < 0:
        raise RuntimeError("Class values must be non-negative.")
    if num_classes == -1:
        num_classes = int(classes.max()) + 1
    elif classes.size and num_classes <= classes.max():
        raise RuntimeError("Class values must be smaller than num_classes.")
    return wrap((classes[..., None] == np.arange(num_classes)).astype(np.int64))


def _of_one_size(input: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    if target.shape == input.shape:
        return input, target
    warnings.warn(
        f"Using a target size ({target.shape}) that is different to the input size "
        f"({input.shape}). This will likely lead to incorrect results due to broadcasting. "
        "Please ensure they have the same size.",
        UserWarning,
        stacklevel=3,
    )
    first, second = broadcast_tensors(input, target)
    return first, second


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
    if not 0.0 <= label_smoothing <= 1.0:
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
    scores = normalising.log_softmax(input, classes)
    loss = losses.nll_loss(scores, target, weight, ignore_index, reduction)
    if not label_smoothing:
        return loss
    count = shape[classes]
    weighted = scores if weight is None else scores * _along(weight, scores, classes)
    smooth = -weighted.sum(classes)
    ignored = comparison.eq(target, ignore_index)
    smooth = smooth.masked_fill(ignored, 0.0)
    if reduction == "sum":
        smooth = smooth.sum()
    elif reduction == "mean":
        counted = comparison.logical_not(ignored).sum()
        if weight is not None:
            counted = weight[target.masked_fill(ignored, 0)].masked_fill(ignored, 0.0).sum()
        smooth = smooth.sum() / counted.to(scores.dtype)
    return loss * (1 - label_smoothing) + smooth * (label_smoothing / count)


def _of_probabilities(
    input: Tensor, target: Tensor, weight: Tensor | None, reduction: str, smoothing: float
) -> Tensor:
    classes = 0 if input.dim() == 1 else 1
    count = input.shape[classes]
    if smoothing:
        target = target * (1 - smoothing) + smoothing / count
    weighted = normalising.log_softmax(input, classes) * target
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


def _implicit_dim(name: str, input: Tensor, stacklevel: int) -> int:
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include "
        "dim=X as an argument.",
        UserWarning,
        stacklevel=stacklevel,
    )
    return 0 if input.dim() in (0, 1, 3) else 1
