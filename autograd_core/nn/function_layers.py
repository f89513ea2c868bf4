"""Layers made of functions, activations and losses, which hold the function's options."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from inspect import Parameter, Signature, signature
from types import FunctionType
from typing import Any, ClassVar

from autograd_core.messages.arguments import explained
from autograd_core.nn import functional
from autograd_core.nn.loss_functions import reduction_of
from autograd_core.nn.module import Module
from autograd_core.ops import functions
from autograd_core.tensor import Tensor

# Options of earlier versions of PyTorch, for which `reduction` stands.
_OLD = "size_average", "reduce"


class FunctionLayer(Module):
    """A function of a tensor, whose options are the layer's attributes."""

    function: Callable[..., Tensor]
    # The names of the options, in order, with their defaults.
    options: ClassVar[dict[str, Any]] = {}
    __signature__: ClassVar[Signature | None]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        # The signature that notebooks show: the options, unless a subclass takes others.
        own = cls.__init__ is not FunctionLayer.__init__
        named = [
            Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=default)
            for name, default in cls.options.items()
        ]
        cls.__signature__ = None if own else Signature(named)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        name = f"{type(self).__name__}.__init__()"
        if len(args) > len(self.options):
            most = f"from 1 to {len(self.options) + 1} positional arguments"
            taken = most if self.options else "1 positional argument"
            raise TypeError(f"{name} takes {taken} but {len(args) + 1} were given")
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
        """Return the options; `inplace` only if it is True."""
        options = {name: getattr(self, name) for name in self.options}
        if not options.get("inplace", True):
            del options["inplace"]
        # As PyTorch, without the `np.float64(...)` that newer NumPys show.
        shown = {k: repr(v) if isinstance(v, str) else str(v) for k, v in options.items()}
        return ", ".join(f"{name}={value}" for name, value in shown.items())


class Loss(FunctionLayer):
    """A function of input and target, whose reduction is "mean", "sum" or "none"."""

    extra_repr = Module.extra_repr

    def _take(self, options: dict[str, Any]) -> None:
        average, reduce = [options.pop(name, None) for name in _OLD]
        self.reduction = reduction_of(average, reduce, options.pop("reduction"))
        for name, value in options.items():
            if name.endswith("weight"):
                self.register_buffer(name, value)
            else:
                setattr(self, name, value)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:  # type: ignore[override]  # two
        """Map two tensors to a 0-d tensor, or without reduction to one of the target's shape."""
        held = self._buffers
        options = {
            name: held[name] if name in held else getattr(self, name)
            for name in self.options
            if name not in _OLD
        }
        return type(self).function(input, target, **options)


def _layer(
    name: str,
    function: Callable[..., Tensor],
    *left_out: str,
    base: type[FunctionLayer] = FunctionLayer,
    **defaults: Any,
) -> Any:
    """Return the class of layers that apply a function, with its options but those left out.

    Some may have `defaults` of their own.
    """
    # Of its own, for Python's words where arguments are missing.
    forward = FunctionType(base.forward.__code__, base.forward.__globals__)
    forward.__qualname__, forward.__doc__ = f"{name}.forward", base.forward.__doc__
    members = {"function": staticmethod(function), "forward": forward, "__doc__": function.__doc__}
    options = {
        name: defaults.get(name, each.default)
        for name, each in signature(function).parameters.items()
        if each.default is not each.empty and name not in left_out
    }
    return type(name, (base,), members | {"options": options, "__module__": __name__})


_loss = partial(_layer, base=Loss)


class ReLU(FunctionLayer):
    """max(x, 0)."""

    options: ClassVar = {"inplace": False}

    def forward(self, input: Tensor) -> Tensor:
        """Map any shape to the same shape."""
        return functional.relu(input, self.inplace)


class Hardtanh(_layer("Hardtanh", functional.hardtanh)):  # type: ignore[misc]  # a class made so
    """Each element, moved into [min_val, max_val]; the bounds must differ."""

    def _take(self, options: dict[str, Any]) -> None:
        super()._take(options)
        if not self.max_val > self.min_val:
            raise AssertionError(
                f"max_val ({self.max_val}) must be greater than min_val ({self.min_val})"
            )


ReLU6 = _layer("ReLU6", functional.relu6)
Tanh = _layer("Tanh", explained(functions.tanh))
Sigmoid = _layer("Sigmoid", explained(functions.sigmoid))
LogSigmoid = _layer("LogSigmoid", functional.logsigmoid)
Softsign = _layer("Softsign", functional.softsign)
LeakyReLU = _layer("LeakyReLU", functional.leaky_relu)
ELU = _layer("ELU", functional.elu)
CELU = _layer("CELU", functional.celu)
SELU = _layer("SELU", functional.selu)
SiLU = _layer("SiLU", functional.silu)
Mish = _layer("Mish", functional.mish)
GELU = _layer("GELU", functional.gelu)
Softplus = _layer("Softplus", functional.softplus, beta=1.0, threshold=20.0)
Softmax = _layer("Softmax", functional.softmax, "_stacklevel", "dtype")
Softmin = _layer("Softmin", functional.softmin, "_stacklevel", "dtype")
LogSoftmax = _layer("LogSoftmax", functional.log_softmax, "_stacklevel", "dtype")

MSELoss = _loss("MSELoss", functional.mse_loss, "weight")
L1Loss = _loss("L1Loss", functional.l1_loss, "weight")
SmoothL1Loss = _loss("SmoothL1Loss", functional.smooth_l1_loss)
HuberLoss = _loss("HuberLoss", functional.huber_loss, "weight")
BCELoss = _loss("BCELoss", functional.binary_cross_entropy)
BCEWithLogitsLoss = _loss("BCEWithLogitsLoss", functional.binary_cross_entropy_with_logits)
NLLLoss = _loss("NLLLoss", functional.nll_loss)
CrossEntropyLoss = _loss("CrossEntropyLoss", functional.cross_entropy)


class Dropout(Module):
    """In training, zero with probability `p`, else x / (1 - p); in evaluation, x itself."""

    _shown = ("p", "inplace")

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p, self.inplace = p, inplace

    def forward(self, input: Tensor) -> Tensor:
        """Map any shape to the same shape."""
        return functional.dropout(input, self.p, self.training, self.inplace)
