"""Activation functions beyond relu, tanh and sigmoid: leaky_relu, elu, silu, gelu and more."""

from __future__ import annotations

import math
import re
from functools import partial
from typing import Any

import numpy as np

from autograd_core.autograd import gradients
from autograd_core.dtypes import no_kernel
from autograd_core.grad_mode import enable_grad, mode, no_grad
from autograd_core.messages.arguments import explained
from autograd_core.ops.arithmetic import AddNumber, Sub
from autograd_core.ops.elementwise import opened
from autograd_core.ops.functions import Gate
from autograd_core.ops.indexing import where
from autograd_core.ops.operator import Symmetric, keep_first, keeping, named
from autograd_core.ops.shape import Alias
from autograd_core.tensor import Tensor, wrap

_ROOT_HALF = math.sqrt(0.5)
_ROOT_2_OVER_PI = math.sqrt(2 / math.pi)


class Activation(Symmetric):
    """z = value(x, numbers);  dL/dx = g * slope(x, numbers), both written with operators."""

    node_name, saved_names, setup_context = "", ("self",), keep_first
    # What PyTorch's errors call it: if nothing else is said, as the class, `leaky_relu_cpu`.
    kernel = ""
    # Makes of g and x the gradient, where PyTorch has an operator of its own for it.
    pull: Any = None
    value: Any
    slope: Any

    @classmethod
    def forward(cls, x, *numbers):
        a = x._array
        if a.dtype.kind != "f":
            words = re.sub("(?<=[a-z])(?=[A-Z])", "_", cls.__name__).lower()
            raise no_kernel(cls.kernel or f"{words}_cpu", a)
        return wrap(cls.value(wrap(opened(a)), *numbers)._array.astype(a.dtype, copy=False))

    @classmethod
    def backward(cls, ctx, g):
        (x,), numbers = ctx.saved_tensors, ctx.arguments
        if x._array.dtype.itemsize == 2:
            pulled = (g.float() * cls.slope(x.float(), *numbers)).half()
        elif cls.pull is not None:
            pulled = cls.pull.apply(g, x, *numbers)
        else:
            pulled = g * cls.slope(x, *numbers)
        return pulled, *[None] * len(numbers)


class Pull(Symmetric):
    """s = g * slope(x) of an `activation`;  dL/dg = h * slope(x),  dL/dx = h * g * bend(x)."""

    node_name, saved_names, setup_context = "", ("grad_output", "self"), keeping(2)
    activation: Any

    @classmethod
    def forward(cls, g, x, *numbers):
        slope = cls.activation.slope(wrap(x._array), *numbers)
        return wrap((wrap(g._array) * slope)._array)

    @classmethod
    def backward(cls, ctx, h):
        (g, x), (to_g, to_x, *_) = ctx.saved_tensors, ctx.needs_input_grad
        by_g = cls.apply(h, x, *ctx.arguments) if to_g else None
        by_x = cls.bent(x, h * g, ctx.arguments) if to_x else None
        return by_g, by_x, *[None] * len(ctx.arguments)

    @classmethod
    def bent(cls, x, factor, numbers):
        """Return the factor times the derivative of the slope, which the engine finds."""
        with enable_grad():
            # Another tensor than x, whose hooks have nothing to do with this.
            alike = Alias.apply(x if x.requires_grad else x.detach().requires_grad_())
            slope = cls.activation.slope(alike, *numbers)
        (grad,) = gradients.grad(slope, alike, factor, create_graph=bool(mode.enabled))
        return grad


def _with_pull(name: str) -> Any:
    """Return a decorator that gives an activation the operator of its gradient."""

    def give(activation: Any) -> Any:
        activation.pull = named(f"{name}Backward", Pull, f"{name}BackwardBackward0")
        activation.pull.activation = activation
        return activation

    return give


class LeakyRelu(Activation):
    """z = x, or a * x where x <= 0;  dL/dx = g, or a * g there."""

    @staticmethod
    def value(x, a):
        return where(x > 0, x, x * a)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return LeakyReluBackward.apply(g, x, *ctx.arguments), None


class LeakyReluBackward(Gate):
    """s = g, or a * g where x <= 0;  dL/dg = h, or a * h there,  dL/dx = 0."""

    @staticmethod
    def forward(g, x, a):
        b = opened(g._array)
        return wrap(np.where(x._array > 0, b, b * b.dtype.type(a)).astype(g._array.dtype))


@_with_pull("Elu")
class Elu(Activation):
    """z = b x, or b a (e^(c x) - 1) where x <= 0;  dL/dx = g b, or g b a c e^(c x) there."""

    @staticmethod
    def value(x, a, b, c):
        return where(x > 0, x * b, (x * c).clamp(max=0).expm1() * (a * b))

    @staticmethod
    def slope(x, a, b, c):
        zero = x.new_zeros(())
        return where(x <= 0, where(x < 0, x * c, zero).exp() * (a * b * c), zero + b)


# With the numbers a, 1 and 1 / a.
Celu = _with_pull("Elu")(named("Celu", Elu, "CeluBackward0", kernel="elu_cpu"))


class Silu(Activation):
    """z = x s for s = sigmoid(x);  dL/dx = g s (1 + x (1 - s))."""

    @staticmethod
    def value(x):
        return x / ((-x).exp() + 1)

    @staticmethod
    def slope(x):
        s = x.sigmoid()
        return s * AddNumber.apply(x * Sub.apply(1, s), 1)


class Mish(Activation):
    """z = x tanh(log(1 + e^x));  dL/dx by the product rule."""

    @staticmethod
    def value(x):
        return x * x.exp().log1p().tanh()

    @staticmethod
    def slope(x):
        t = x.exp().log1p().tanh()
        return t + x * x.sigmoid() * Sub.apply(1, t * t)


@_with_pull("Gelu")
class Gelu(Activation):
    """z = x P(x) for the normal distribution's P;  dL/dx = g (P(x) + x p(x)) for its density p."""

    kernel, approximate = "GeluKernelImpl", "none"

    @staticmethod
    def value(x):
        return x * 0.5 * ((x * _ROOT_HALF).erf() + 1)

    @staticmethod
    def slope(x):
        density = (x * x * -0.5).exp() * (1 / math.sqrt(2 * math.pi))
        return ((x * _ROOT_HALF).erf() + 1) * 0.5 + x * density


@_with_pull("Gelu")
class GeluTanh(Gelu):
    """z = x/2 (1 + tanh u), u = sqrt(2/pi) (x + 0.044715 x^3);  dL/dx by the product rule."""

    node_name, approximate = "GeluBackward0", "tanh"

    @staticmethod
    def value(x):
        return x * 0.5 * (GeluTanh.inner(x).tanh() + 1)

    @staticmethod
    def slope(x):
        t = GeluTanh.inner(x).tanh()
        inner_slope = (x * x * (3 * 0.044715) + 1) * _ROOT_2_OVER_PI
        return (t + 1) * 0.5 + x * 0.5 * (1 - t * t) * inner_slope

    @staticmethod
    def inner(x):
        """Return what `tanh` is taken of."""
        return (x + x * x * x * 0.044715) * _ROOT_2_OVER_PI


@_with_pull("Softplus")
class Softplus(Activation):
    """z = log(1 + e^(b x)) / b, or x where b x > t;  dL/dx = g sigmoid(b x), or g there."""

    @staticmethod
    def value(x, b, t):
        return where(x * b > t, x, (x * b).clamp(max=t).exp().log1p() / b)

    @staticmethod
    def slope(x, b, t):
        return where(x * b > t, x.new_ones(()), (x * b).sigmoid())


@_with_pull("LogSigmoid")
class LogSigmoid(Activation):
    """z = -log(1 + e^-x);  dL/dx = g (1 - sigmoid(x))."""

    @staticmethod
    def value(x):
        return x.clamp(max=0) - (-x.abs()).exp().log1p()

    @staticmethod
    def slope(x):
        return (-x).sigmoid()


class Hardtanh(Activation):
    """z = min(max(x, low), high);  dL/dx = 0 where x is not between the two, else g."""

    @staticmethod
    def value(x, low, high):
        return x.clamp(low, high)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return HardtanhBackward.apply(g, x, *ctx.arguments), None, None


class HardtanhBackward(Gate):
    """s = 0 where x is not between low and high, else g;  dL/dg = h there,  dL/dx = 0."""

    @staticmethod
    def forward(g, x, low, high):
        a, b = g._array, x._array
        return wrap(np.where((b <= low) | (b >= high), a.dtype.type(0), a).astype(a.dtype))


@explained
def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """Return each element, multiplied with `negative_slope` where it is negative."""
    return _placed(input, LeakyRelu.apply(input, negative_slope), inplace)


@explained
def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Return each element, or alpha * (e^x - 1) where it is negative."""
    return _placed(input, Elu.apply(input, alpha, 1, 1), inplace)


@explained
def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """Return `elu` with the two numbers that keep mean and variance of layers."""
    scales = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946, 1
    return _placed(input, Elu.apply(input, *scales), inplace)


@explained
def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Return each element, or alpha * (e^(x / alpha) - 1) where it is negative."""
    if not alpha:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")
    return _placed(input, Celu.apply(input, alpha, 1.0, 1 / alpha), inplace)


@explained
def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """Return each element times its sigmoid."""
    return _placed(input, Silu.apply(input), inplace)


@explained
def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """Return each element times the tanh of its softplus."""
    return _placed(input, Mish.apply(input), inplace)


@explained
def gelu(input: Tensor, *, approximate: str = "none") -> Tensor:
    """Return each element times the normal distribution up to it, or ("tanh") nearly so."""
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")
    return (Gelu if approximate == "none" else GeluTanh).apply(input)


@explained
def softplus(input: Tensor, beta: float = 1.0, threshold: float = 20.0) -> Tensor:
    """Return log(1 + e^(beta x)) / beta, and x itself where beta x exceeds `threshold`."""
    return Softplus.apply(input, beta, threshold)


@partial(explained, name="log_sigmoid")
def logsigmoid(input: Tensor) -> Tensor:
    """Return the logarithm of each element's sigmoid."""
    return LogSigmoid.apply(input)


@explained
def hardtanh(
    input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False
) -> Tensor:
    """Return each element, moved into [min_val, max_val]; no gradient at the bounds."""
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    return _placed(input, Hardtanh.apply(input, min_val, max_val), inplace)


@explained
def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """Return each element, moved into [0, 6]."""
    return _placed(input, Hardtanh.apply(input, 0, 6), inplace)


def softsign(input: Tensor) -> Tensor:
    """Return x / (1 + |x|)."""
    return input / (input.abs() + 1)


def _placed(input: Tensor, result: Tensor, inplace: bool) -> Tensor:
    if not inplace:
        return result
    if input.requires_grad:
        raise NotImplementedError("inplace=True on tensors that require grad")
    with no_grad():
        return input.copy_(result)
