"""Functions as layers without parameters: activations, that is, and what losses have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from autograd_core.nn import functional
from autograd_core.nn.module import Module
from autograd_core.tensor import Tensor


class FunctionLayer(Module):
    """A function of tensors, whose options are the layer's attributes."""

    function: Callable[..., Tensor]
    # The names of the options in order, and what they are if nothing else is said.
    options: ClassVar[dict[str, Any]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        name = f"{type(self).__name__}.__init__()"
        if len(args) > len(self.options):
            raise TypeError(
                f"{name} takes from 1 to {len(self.options) + 1} positional arguments but "
                f"{len(args) + 1} were given"
            )
        for each in kwargs:
            if each not in self.options:
                raise TypeError(f"{name} got an unexpected keyword argument '{each}'")
        self._take(self.options | dict(zip(self.options, args, strict=False)) | kwargs)

    def _take(self, options: dict[str, Any]) -> None:
        for name, value in options.items():
            setattr(self, name, value)

    def forward(self, input: Tensor) -> Tensor:
        """Map any shape to the same shape."""
        function = type(self).function
        return function(input, **{name: getattr(self, name) for name in self.options})

    def extra_repr(self) -> str:
        """Return the options; `inplace` only where it is wished for."""
        options = {name: getattr(self, name) for name in self.options}
        if not options.get("inplace", True):
            del options["inplace"]
        return ", ".join(f"{name}={value!r}" for name, value in options.items())


def layer(
    base: type[FunctionLayer], name: str, function: Callable[..., Tensor], doc: str, **options: Any
) -> Any:
    """Return the class of layers that apply `function`, with these options and their defaults."""
    members = {"function": staticmethod(function), "options": options, "__doc__": doc}
    return type(name, (base,), members | {"__module__": base.__module__})


def _activation(name: str, function: Callable[..., Tensor], formula: str, **options: Any) -> Any:
    return layer(FunctionLayer, name, function, formula, **options)


class ReLU(FunctionLayer):
    """max(x, 0)."""

    options: ClassVar = {"inplace": False}

    def forward(self, input: Tensor) -> Tensor:
        """Map any shape to the same shape."""
        return functional.relu(input, self.inplace)


ReLU6 = _activation("ReLU6", functional.relu6, "min(max(x, 0), 6).", inplace=False)
Tanh = _activation("Tanh", functional.tanh, "tanh x.")
Sigmoid = _activation("Sigmoid", functional.sigmoid, "1 / (1 + e^-x).")
LogSigmoid = _activation("LogSigmoid", functional.logsigmoid, "log(1 / (1 + e^-x)).")
Softsign = _activation("Softsign", functional.softsign, "x / (1 + |x|).")
LeakyReLU = _activation(
    "LeakyReLU", functional.leaky_relu, "x, or `negative_slope` * x where x is negative.",
    negative_slope=0.01, inplace=False,
)  # fmt: skip
ELU = _activation(
    "ELU", functional.elu, "x, or alpha * (e^x - 1) where x is negative.", alpha=1.0, inplace=False
)
CELU = _activation(
    "CELU", functional.celu, "x, or alpha * (e^(x / alpha) - 1) where x is negative.",
    alpha=1.0, inplace=False,
)  # fmt: skip
SELU = _activation(
    "SELU", functional.selu, "`ELU` with the two numbers that keep mean and variance of layers.",
    inplace=False,
)  # fmt: skip
SiLU = _activation("SiLU", functional.silu, "x * sigmoid x.", inplace=False)
Mish = _activation("Mish", functional.mish, "x * tanh(softplus x).", inplace=False)
GELU = _activation(
    "GELU", functional.gelu, 'x times the normal distribution up to x, or ("tanh") nearly so.',
    approximate="none",
)  # fmt: skip
Softplus = _activation(
    "Softplus", functional.softplus, "log(1 + e^(beta x)) / beta; x where beta x > `threshold`.",
    beta=1.0, threshold=20.0,
)  # fmt: skip
Hardtanh = _activation(
    "Hardtanh", functional.hardtanh, "x moved into [min_val, max_val].",
    min_val=-1.0, max_val=1.0, inplace=False,
)  # fmt: skip
Softmax = _activation(
    "Softmax", functional.softmax, "e^x divided by its sum along `dim`.", dim=None
)
LogSoftmax = _activation(
    "LogSoftmax", functional.log_softmax, "The logarithm of `Softmax`.", dim=None
)


class Dropout(Module):
    """In training zero with probability `p`, else x / (1 - p); x itself in evaluation."""

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p, self.inplace = p, inplace

    def forward(self, input: Tensor) -> Tensor:
        """Map any shape to the same shape."""
        return functional.dropout(input, self.p, self.training, self.inplace)

    def extra_repr(self) -> str:
        """Return the options."""
        return f"p={self.p}, inplace={self.inplace}"
