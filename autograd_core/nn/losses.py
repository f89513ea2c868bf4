"""Losses as modules: they hold the options of the functions that they call."""

from __future__ import annotations

from collections.abc import Callable

from autograd_core.nn import functional
from autograd_core.nn.module import Module
from autograd_core.nn.reduction import reduction_of
from autograd_core.tensor import Tensor

_Old = bool | None


class Loss(Module):
    """A function of input and target, and the attributes that it is given as options.

    One of them is the reduction: "mean", "sum" or "none".
    """

    function: Callable[..., Tensor]
    options: tuple[str, ...] = ("reduction",)

    def __init__(
        self, size_average: _Old = None, reduce: _Old = None, reduction: str = "mean"
    ) -> None:
        super().__init__()
        self.reduction = reduction_of(size_average, reduce, reduction)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Map two tensors of the same shape to a 0-d tensor, or to one of their shape."""
        options = {name: getattr(self, name) for name in self.options}
        return type(self).function(input, target, **options)


class MSELoss(Loss):
    """Squared error: its mean, its sum or ("none") all of it."""

    function = staticmethod(functional.mse_loss)


class L1Loss(Loss):
    """Absolute error: its mean, its sum or ("none") all of it."""

    function = staticmethod(functional.l1_loss)


class SmoothL1Loss(Loss):
    """d^2 / (2 beta) where |d| < beta, else |d| - beta / 2."""

    function = staticmethod(functional.smooth_l1_loss)
    options = ("reduction", "beta")

    def __init__(
        self,
        size_average: _Old = None,
        reduce: _Old = None,
        reduction: str = "mean",
        beta: float = 1.0,
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.beta = beta


class HuberLoss(Loss):
    """d^2 / 2 where |d| < delta, else delta (|d| - delta / 2)."""

    function = staticmethod(functional.huber_loss)
    options = ("reduction", "delta")

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__(reduction=reduction)
        self.delta = delta


class WeightedLoss(Loss):
    """A loss that also keeps a weight."""

    options: tuple[str, ...] = ("weight", "reduction")
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

    function = staticmethod(functional.binary_cross_entropy)


class BCEWithLogitsLoss(WeightedLoss):
    """What the sigmoids of scores lose against targets in [0, 1]."""

    function = staticmethod(functional.binary_cross_entropy_with_logits)
    options = ("weight", "reduction", "pos_weight")
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


class NLLLoss(WeightedLoss):
    """What logarithms of probabilities lose against classes (see `nll_loss`).

    Maps (n, classes, ...) and (n, ...) to a 0-d tensor, or to one of the target's shape.
    """

    function = staticmethod(functional.nll_loss)
    options = ("weight", "ignore_index", "reduction")

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


class CrossEntropyLoss(WeightedLoss):
    """What scores lose against classes or against their probabilities (see `cross_entropy`).

    Maps (n, classes, ...) and (n, ...) to a 0-d tensor, or to one of the target's shape.
    """

    function = staticmethod(functional.cross_entropy)
    options = ("weight", "ignore_index", "reduction", "label_smoothing")

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
