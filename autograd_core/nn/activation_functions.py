"""Activations as functions; those with `inplace` can change what they are given."""

from __future__ import annotations

from functools import partial
from typing import Any

from autograd_core.messages.arguments import explained
from autograd_core.ops import activations
from autograd_core.ops.in_place import changed
from autograd_core.tensor import Tensor

# Those that keep something else for backward in place.
_IN_PLACE = {
    activations.LeakyRelu: activations.LeakyRelu_,
    activations.Elu: activations.Elu_,
    activations.Celu: activations.Celu_,
}


@explained
def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """Return each element, multiplied with `negative_slope` where it is negative."""
    return _applied(activations.LeakyRelu, inplace, input, negative_slope)


@explained
def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Return each element, or alpha * (e^x - 1) where it is negative."""
    return _applied(activations.Elu, inplace, input, alpha, 1, 1)


@explained
def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """Return `elu` with the two numbers that keep mean and variance of layers."""
    scales = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946, 1
    return _applied(activations.Elu, inplace, input, *scales)


@explained
def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Return each element, or alpha * (e^(x / alpha) - 1) where it is negative."""
    if not alpha:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")
    return _applied(activations.Celu, inplace, input, alpha, 1.0, 1 / alpha)


@explained
def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """Return each element times its sigmoid."""
    return _applied(activations.Silu, inplace, input)


@explained
def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """Return each element times the tanh of its softplus."""
    return _applied(activations.Mish, inplace, input)


@explained
def gelu(input: Tensor, *, approximate: str = "none") -> Tensor:
    """Return each element times the normal distribution up to it, or ("tanh") nearly so."""
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")
    return (activations.Gelu if approximate == "none" else activations.GeluTanh).apply(input)


@explained
def softplus(input: Tensor, beta: float = 1.0, threshold: float = 20.0) -> Tensor:
    """Return log(1 + e^(beta x)) / beta, and x itself where beta x exceeds `threshold`."""
    return activations.Softplus.apply(input, beta, threshold)


@partial(explained, name="log_sigmoid")
def logsigmoid(input: Tensor) -> Tensor:
    """Return the logarithm of each element's sigmoid."""
    return activations.LogSigmoid.apply(input)


@explained
def hardtanh(
    input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False
) -> Tensor:
    """Return each element, moved into [min_val, max_val]; no gradient at the bounds."""
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    return _applied(activations.Hardtanh, inplace, input, min_val, max_val)


@explained
def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """Return each element, moved into [0, 6]."""
    return _applied(activations.Hardtanh, inplace, input, 0, 6)


def softsign(input: Tensor) -> Tensor:
    """Return x / (1 + |x|)."""
    return input / (input.abs() + 1)


def _applied(operator: Any, inplace: bool, input: Tensor, *numbers: Any) -> Tensor:
    """Return what an operator makes of `input`; in place with the one that is made for it."""
    if inplace:
        return changed(_IN_PLACE.get(operator, operator), input, *numbers)
    return operator.apply(input, *numbers)
