"""Layers without parameters that change each element, or each row: the functions as modules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from autograd_core.nn import functional
from autograd_core.nn.module import Module
from autograd_core.tensor import Tensor


class Activation(Module):
    """A function of one tensor, and its options: an activation names both."""

    function: Callable[..., Tensor]
    options: ClassVar[dict[str, Any]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        positional = dict(zip(self.options, args, strict=False))
        if len(args) > len(self.options):
            raise TypeError(
                f"{type(self).__name__}.__init__() takes from 1 to {len(self.options) + 1} "
                f"positional arguments but {len(args) + 1} were given"
            )
        for name in kwargs:
            if name not in self.options:
                raise TypeError(
                    f"{type(self).__name__}.__init__() got an unexpected keyword argument '{name}'"
                )
        for name, value in {**self.options, **positional, **kwargs}.items():
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


class ReLU(Activation):
    """max(x, 0)."""

    function = staticmethod(functional.relu)
    options: ClassVar = {"inplace": False}

    def forward(self, input: Tensor) -> Tensor:
        """Map any shape to the same shape."""
        return functional.relu(input, self.inplace)


class ReLU6(Activation):
    """min(max(x, 0), 6)."""

    function = staticmethod(functional.relu6)
    options: ClassVar = {"inplace": False}


class Tanh(Activation):
    """tanh x."""

    function = staticmethod(functional.tanh)


class Sigmoid(Activation):
    """1 / (1 + e^-x)."""

    function = staticmethod(functional.sigmoid)


class LogSigmoid(Activation):
    """log(1 / (1 + e^-x))."""

    function = staticmethod(functional.logsigmoid)


class Softsign(Activation):
    """x / (1 + |x|)."""

    function = staticmethod(functional.softsign)


class LeakyReLU(Activation):
    """x, or `negative_slope` * x where x is negative."""

    function = staticmethod(functional.leaky_relu)
    options: ClassVar = {"negative_slope": 0.01, "inplace": False}


class ELU(Activation):
    """x, or alpha * (e^x - 1) where x is negative."""

    function = staticmethod(functional.elu)
    options: ClassVar = {"alpha": 1.0, "inplace": False}


class CELU(Activation):
    """x, or alpha * (e^(x / alpha) - 1) where x is negative."""

    function = staticmethod(functional.celu)
    options: ClassVar = {"alpha": 1.0, "inplace": False}


class SELU(Activation):
    """`ELU` with the two numbers that keep mean and variance of layers."""

    function = staticmethod(functional.selu)
    options: ClassVar = {"inplace": False}


class SiLU(Activation):
    """x * sigmoid x."""

    function = staticmethod(functional.silu)
    options: ClassVar = {"inplace": False}


class Mish(Activation):
    """x * tanh(softplus x)."""

    function = staticmethod(functional.mish)
    options: ClassVar = {"inplace": False}


class GELU(Activation):
    """x times the normal distribution up to x, or ("tanh") nearly so."""

    function = staticmethod(functional.gelu)
    options: ClassVar = {"approximate": "none"}


class Softplus(Activation):
    """log(1 + e^(beta x)) / beta, and x itself where beta x exceeds `threshold`."""

    function = staticmethod(functional.softplus)
    options: ClassVar = {"beta": 1.0, "threshold": 20.0}


class Hardtanh(Activation):
    """x moved into [min_val, max_val]."""

    function = staticmethod(functional.hardtanh)
    options: ClassVar = {"min_val": -1.0, "max_val": 1.0, "inplace": False}


class Softmax(Activation):
    """e^x divided by its sum along `dim`."""

    function = staticmethod(functional.softmax)
    options: ClassVar = {"dim": None}


class LogSoftmax(Activation):
    """The logarithm of `Softmax`."""

    function = staticmethod(functional.log_softmax)
    options: ClassVar = {"dim": None}


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
