"""Losses as modules: they hold the options of the functions that they call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograd_core.nn import functional
from autograd_core.nn.activations import FunctionLayer, layer
from autograd_core.nn.loss_functions import reduction_of
from autograd_core.tensor import Tensor

# What PyTorch called the reduction before, and the reduction itself.
_REDUCED = {"size_average": None, "reduce": None, "reduction": "mean"}


class Loss(FunctionLayer):
    """A function of input and target, whose reduction is "mean", "sum" or "none"."""

    def _take(self, options: dict[str, Any]) -> None:
        old = options.pop("size_average", None), options.pop("reduce", None)
        self.reduction = reduction_of(*old, options.pop("reduction"))
        for name, value in options.items():
            if name.endswith("weight"):
                self.register_buffer(name, value)
            else:
                setattr(self, name, value)
        self._names = ("reduction", *options)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:  # type: ignore[override]  # two
        """Map two tensors to a 0-d tensor, or without reduction to one of the target's shape."""
        options = {name: getattr(self, name) for name in self._names}
        return type(self).function(input, target, **options)

    def extra_repr(self) -> str:
        """Return nothing."""
        return ""


def _loss(name: str, function: Callable[..., Tensor], doc: str, **options: Any) -> Any:
    return layer(Loss, name, function, doc, **options)


MSELoss = _loss("MSELoss", functional.mse_loss, "(x - y)^2.", **_REDUCED)
L1Loss = _loss("L1Loss", functional.l1_loss, "|x - y|.", **_REDUCED)
SmoothL1Loss = _loss(
    "SmoothL1Loss", functional.smooth_l1_loss,
    "d^2 / (2 beta) where |d| < beta, else |d| - beta / 2, with d = x - y.",
    **_REDUCED, beta=1.0,
)  # fmt: skip
HuberLoss = _loss(
    "HuberLoss", functional.huber_loss,
    "d^2 / 2 where |d| < delta, else delta (|d| - delta / 2), with d = x - y.",
    reduction="mean", delta=1.0,
)  # fmt: skip
BCELoss = _loss(
    "BCELoss", functional.binary_cross_entropy,
    "What probabilities lose against targets in [0, 1] (see `binary_cross_entropy`).",
    weight=None, **_REDUCED,
)  # fmt: skip
BCEWithLogitsLoss = _loss(
    "BCEWithLogitsLoss", functional.binary_cross_entropy_with_logits,
    "What the sigmoids of scores lose against targets in [0, 1].",
    weight=None, **_REDUCED, pos_weight=None,
)  # fmt: skip
NLLLoss = _loss(
    "NLLLoss", functional.nll_loss,
    "What logarithms of probabilities, (n, classes, ...), lose against classes (see `nll_loss`).",
    weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean",
)  # fmt: skip
CrossEntropyLoss = _loss(
    "CrossEntropyLoss", functional.cross_entropy,
    "What scores, (n, classes, ...), lose against classes or their probabilities "
    "(see `cross_entropy`).",
    weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean",
    label_smoothing=0.0,
)  # fmt: skip
