"""Normalization: `layer_norm` and `batch_norm`, and their layers."""

from __future__ import annotations

import math
from numbers import Integral
from typing import Any

import numpy as np

from autograd_core import creation
from autograd_core.messages.arguments import explained_by_place
from autograd_core.nn import init
from autograd_core.nn.module import Module
from autograd_core.nn.parameter import Parameter
from autograd_core.ops.dims import dim_from_front
from autograd_core.ops.losses import refuse_to_differentiate
from autograd_core.ops.normalization import BatchNorm
from autograd_core.ops.normalization import LayerNorm as LayerNormOperator
from autograd_core.ops.quiet import quietly
from autograd_core.tensor import Tensor
from autograd_core.tensors.dtypes import FLOATING, check_kernel, float16, float32


@explained_by_place
def layer_norm(
    input: Tensor,
    normalized_shape: Any,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Return `input` standardised over its last dimensions, times weight plus bias."""
    shape = tuple(normalized_shape)
    refuse_mixture(input, weight, bias)
    if not shape:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one "
            "element, but got normalized_shape = []"
        )
    for name, each in (("weight", weight), ("bias", bias)):
        if each is not None and tuple(each.shape) != shape:
            raise RuntimeError(
                f"Expected {name} to be of same shape as normalized_shape, but got {name} of shape "
                f"{list(each.shape)} and normalized_shape = {list(shape)}"
            )
    if tuple(input.shape[-len(shape) :]) != shape:
        sizes = ", ".join(map(str, shape))
        raise RuntimeError(
            f"Given normalized_shape={list(shape)}, expected input with shape [*, {sizes}], but "
            f"got input of size{list(input.shape)}"
        )
    check_kernel("LayerNormKernelImpl", input._array, FLOATING)
    refuse_other_kinds(weight, bias)
    before = input.dim() - len(shape)
    dims = tuple(range(before, input.dim()))
    how = dims, creation.plain_number(eps), (1,) * before + shape, shape
    return LayerNormOperator.apply(input, weight, bias, how)


@explained_by_place
def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Return `input` (n, channels, ...) standardised by channel, times weight plus bias.

    In training by its own mean and variance, which move the running ones by `momentum`; otherwise
    by the running ones.
    """
    if training and math.prod((input.shape[0], *input.shape[2:])) == 1:
        raise ValueError(
            f"Expected more than 1 value per channel when training, got input size {input.shape}"
        )
    if eps < 0 or (training and not eps):
        kind = "positive during training" if training else "non-negative"
        raise ValueError(f"batch_norm eps must be {kind}, but got {eps}")
    if input.dim() > 1 and not input.numel():
        # Nothing is checked; the result is written so that gradients find their way.
        scaled = input.clone() if weight is None else input.clone() * weight[0]
        return scaled if bias is None else scaled + bias[0]
    dims = tuple(each for each in range(input.dim()) if each != 1)
    channels = input.shape[1] if input.dim() > 1 else 0
    shape = (1, channels, *(1,) * (input.dim() - 2))
    running = {"running_mean": running_mean, "running_var": running_var}
    for name, each in (running | {"weight": weight, "bias": bias}).items():
        if each is None and name in running and not training:
            raise RuntimeError(f"{name} must be defined in evaluation mode")
        if each is not None and each.numel() != channels:
            raise RuntimeError(f"{name} should contain {channels} elements not {each.numel()}")
    refuse_to_differentiate("native_batch_norm", **running)
    if training and (running_mean is None) is not (running_var is None):
        raise ValueError("running_mean and running_var must either both be None or neither be None")
    check_kernel("batch_norm", input._array, FLOATING)
    params = weight, bias, running_mean, running_var
    refuse_mixture(input, *params)
    refuse_other_kinds(*params)
    if not channels and input.numel():
        dim_from_front(input, 1)
    momentum, eps = creation.plain_number(momentum), creation.plain_number(eps)
    how = dims, eps, shape, (channels,), training, running_mean, running_var
    result = BatchNorm.apply(input, weight, bias, how)
    if training and running_mean is not None and running_var is not None:
        exact = input._array.astype(np.result_type(input._array, np.float32), copy=False)
        _move(running_mean, momentum, exact.mean, axis=dims)
        _move(running_var, momentum, exact.var, axis=dims, ddof=1)
    return result


def refuse_mixture(input: Tensor, *params: Tensor | None) -> None:
    """Raise PyTorch's RuntimeError if the first parameter has not the dtype of `input`.

    Only float32 parameters may go with another dtype, float16.
    """
    kinds = [each.dtype for each in params if each is not None]
    if not kinds or kinds[0] == input.dtype:
        return
    if set(kinds) != {float32}:
        raise RuntimeError("mixed dtype (CPU): expect parameter to have scalar type of Float")
    if input.dtype != float16:
        raise RuntimeError("mixed dtype (CPU): all inputs must share same datatype.")


def refuse_other_kinds(*params: Tensor | None) -> None:
    """Raise PyTorch's RuntimeError unless all parameters have the dtype of the first one."""
    kinds = [each.dtype for each in params if each is not None]
    for other in kinds:
        if other != kinds[0]:
            title = f"{kinds[0].title} but found {other.title}"
            raise RuntimeError(f"expected scalar type {title}")


@quietly
def _move(running: Tensor, momentum: float, measure: Any, **options: Any) -> None:
    # As in PyTorch, the version counter does not count this change.
    running.write(running._array * (1 - momentum) + measure(**options) * momentum)


class LayerNorm(Module):
    """Standardises over the last dimensions, with a learned scale and shift."""

    _shown_bare = ("normalized_shape",)
    _shown = ("eps", "elementwise_affine", "bias")

    def __init__(
        self,
        normalized_shape: Any,
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        is_one = isinstance(normalized_shape, Integral)
        shape = (normalized_shape,) if is_one else normalized_shape
        self.normalized_shape = tuple(shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        made: Any = {"device": device, "dtype": dtype}
        scale = Parameter(creation.ones(self.normalized_shape, **made))
        shift = Parameter(creation.zeros(self.normalized_shape, **made))
        self.register_parameter("weight", scale if elementwise_affine else None)
        self.register_parameter("bias", shift if elementwise_affine and bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set the scale to 1 and the shift to 0."""
        _start_anew(self)

    def forward(self, input: Tensor) -> Tensor:
        """Map any shape that ends in `normalized_shape` to itself."""
        return layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)


def _start_anew(module: Any) -> None:
    for each, value in ((module.weight, 1.0), (module.bias, 0.0)):
        if each is not None:
            init.constant_(each, value)


class _BatchNorm(Module):
    """Standardises each channel, the second dimension, over all others."""

    _version = 2
    # The numbers of dimensions that an input may have.
    ranks: tuple[int, ...]
    rank_names: str
    _shown_bare = ("num_features",)
    _shown = ("eps", "momentum", "affine", "bias", "track_running_stats")

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        made: Any = {"device": device, "dtype": dtype}
        scale, shift = creation.ones(num_features, **made), creation.zeros(num_features, **made)
        self.register_parameter("weight", Parameter(scale) if affine else None)
        self.register_parameter("bias", Parameter(shift) if affine and bias else None)
        for name, make in (("running_mean", creation.zeros), ("running_var", creation.ones)):
            self.register_buffer(name, make(num_features, **made) if track_running_stats else None)
        counter = creation.tensor(0) if track_running_stats else None
        self.register_buffer("num_batches_tracked", counter)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Set the running mean to 0, the running variance to 1 and the count of batches to 0."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Set the scale to 1 and the shift to 0, and the running statistics as they were first."""
        self.reset_running_stats()
        _start_anew(self)

    def _load_from_state_dict(
        self, state_dict: Any, prefix: str, local_metadata: dict[str, Any], *found: Any
    ) -> None:
        # States of version 1 have no count of batches; this module keeps its own.
        if (local_metadata.get("version") or 1) < 2 and self.track_running_stats:
            state_dict.setdefault(f"{prefix}num_batches_tracked", self.num_batches_tracked)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *found)

    def forward(self, input: Tensor) -> Tensor:
        """Map any such shape to itself; in training, update the running statistics."""
        if input.dim() not in self.ranks:
            raise ValueError(f"expected {self.rank_names} input (got {input.dim()}D input)")
        momentum = 0.0 if self.momentum is None else self.momentum
        mean = var = None
        if self.training and self.track_running_stats and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:
                momentum = 1.0 / float(self.num_batches_tracked)
        if self.track_running_stats or not self.training:
            mean, var = self.running_mean, self.running_var
        own = self.training or (mean is None and var is None)
        return batch_norm(input, mean, var, self.weight, self.bias, own, momentum, self.eps)


class BatchNorm1d(_BatchNorm):
    """Standardises each channel of (n, channels) or (n, channels, length) over the rest."""

    ranks, rank_names = (2, 3), "2D or 3D"


class BatchNorm2d(_BatchNorm):
    """As `BatchNorm1d`, for (n, channels, height, width)."""

    ranks, rank_names = (4,), "4D"


class BatchNorm3d(_BatchNorm):
    """As `BatchNorm1d`, for (n, channels, depth, height, width)."""

    ranks, rank_names = (5,), "5D"
