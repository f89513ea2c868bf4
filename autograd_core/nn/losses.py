"""Losses as modules: they hold the options of the functions that they call."""

from __future__ import annotations

from autograd_core.nn import functional
from autograd_core.nn.module import Module
from autograd_core.tensor import Tensor


class MSELoss(Module):
    """Squared error: its mean, its sum or ("none") all of it."""

    def __init__(
        self,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__()
        self.reduction = functional.reduction_of(size_average, reduce, reduction)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Map two tensors of the same shape to a 0-d tensor, or to one of their shape."""
        return functional.mse_loss(input, target, reduction=self.reduction)


class CrossEntropyLoss(Module):
    """What scores lose against classes or against their probabilities (see `cross_entropy`)."""

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        ignore_index: int = -100,
        reduce: bool | None = None,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
    ) -> None:
        super().__init__()
        self.reduction = functional.reduction_of(size_average, reduce, reduction)
        self.register_buffer("weight", weight)
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
