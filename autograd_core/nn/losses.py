"""Losses as modules: they hold the options of the functions that they call."""

from __future__ import annotations

from autograd_core.nn import functional
from autograd_core.nn.module import Module
from autograd_core.nn.reduction import reduction_of
from autograd_core.tensor import Tensor

_Old = bool | None


class Loss(Module):
    """A loss with its reduction: "mean", "sum" or "none"."""

    def __init__(
        self, size_average: _Old = None, reduce: _Old = None, reduction: str = "mean"
    ) -> None:
        super().__init__()
        self.reduction = reduction_of(size_average, reduce, reduction)


class MSELoss(Loss):
    """Squared error: its mean, its sum or ("none") all of it."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Map two tensors of the same shape to a 0-d tensor, or to one of their shape."""
        return functional.mse_loss(input, target, reduction=self.reduction)


class L1Loss(Loss):
    """Absolute error: its mean, its sum or ("none") all of it."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Map two tensors of the same shape to a 0-d tensor, or to one of their shape."""
        return functional.l1_loss(input, target, reduction=self.reduction)


class SmoothL1Loss(Loss):
    """d^2 / (2 beta) where |d| < beta, else |d| - beta / 2."""

    def __init__(
        self,
        size_average: _Old = None,
        reduce: _Old = None,
        reduction: str = "mean",
        beta: float = 1.0,
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.beta = beta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Map two tensors of the same shape to a 0-d tensor, or to one of their shape."""
        return functional.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


class HuberLoss(Loss):
    """d^2 / 2 where |d| < delta, else delta (|d| - delta / 2)."""

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__(reduction=reduction)
        self.delta = delta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Map two tensors of the same shape to a 0-d tensor, or to one of their shape."""
        return functional.huber_loss(input, target, reduction=self.reduction, delta=self.delta)


class WeightedLoss(Loss):
    """A loss that also keeps a weight."""

    weight: Tensor | None

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: _Old = None,
        reduce: _Old = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)


class BCELoss(WeightedLoss):
    """What probabilities lose against targets in [0, 1] (see `binary_cross_entropy`)."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Map two tensors of the same shape to a 0-d tensor, or to one of their shape."""
        return functional.binary_cross_entropy(
            input, target, weight=self.weight, reduction=self.reduction
        )


class BCEWithLogitsLoss(WeightedLoss):
    """What the sigmoids of scores lose against targets in [0, 1]."""

    pos_weight: Tensor | None

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: _Old = None,
        reduce: _Old = None,
        reduction: str = "mean",
        pos_weight: Tensor | None = None,
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Map two tensors of the same shape to a 0-d tensor, or to one of their shape."""
        return functional.binary_cross_entropy_with_logits(
            input, target, self.weight, reduction=self.reduction, pos_weight=self.pos_weight
        )


class NLLLoss(WeightedLoss):
    """What logarithms of probabilities lose against classes (see `nll_loss`)."""

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: _Old = None,
        ignore_index: int = -100,
        reduce: _Old = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Map (n, classes, ...) and (n, ...) to a 0-d tensor, or to one of the target's shape."""
        return functional.nll_loss(
            input,
            target,
            weight=self.weight,
            ignore_index=self.ignore_index,
            reduction=self.reduction,
        )


class CrossEntropyLoss(WeightedLoss):
    """What scores lose against classes or against their probabilities (see `cross_entropy`)."""

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: _Old = None,
        ignore_index: int = -100,
        reduce: _Old = None,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index, self.label_smoothing = ignore_index, label_smoothing

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Map (n, classes, ...) and (n, ...) to a 0-d tensor, or to one of the target's shape."""
        return functional.cross_entropy(
            input,
            target,
            weight=self.weight,
            ignore_index=self.ignore_index,
            reduction=self.reduction,
            label_smoothing=self.label_smoothing,
        )
