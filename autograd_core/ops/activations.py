"""Activations beyond relu, tanh and sigmoid: leaky_relu, elu, silu, gelu and more."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from autograd_core.autograd import gradients
from autograd_core.creation import fitting
from autograd_core.hooks import saved_tensor_hooks
from autograd_core.modes.grad_mode import enable_grad, mode
from autograd_core.ops.arithmetic import AddNumber, Sub
from autograd_core.ops.functions import Gate
from autograd_core.ops.indexing import where
from autograd_core.ops.making import named
from autograd_core.ops.operator import Symmetric, keep_first, keeping
from autograd_core.ops.order_in_memory import in_order_of
from autograd_core.ops.rounding import opened
from autograd_core.ops.shape import Alias
from autograd_core.tensor import wrap
from autograd_core.tensors.dtypes import no_kernel

_ROOT_HALF = math.sqrt(0.5)
_ROOT_2_OVER_PI = math.sqrt(2 / math.pi)
_NEGATIVE_SLOPE = (
    "In-place {} backward calculation is triggered with a negative slope which is not supported. "
    "This is caused by calling in-place forward function with a negative slope, please call "
    "out-of-place version instead."
)
_ASKED_FOR = (
    " File an issue at https://github.com/pytorch/pytorch if you do require supporting in-place "
    "leakRelu backward calculation with negative slope"
)


class Activation(Symmetric):
    """z = value(x, numbers);  dL/dx = g * slope(x, numbers), both written with operators."""

    node_name, setup_context = "", keep_first
    saved_names: tuple[str, ...] = ("self",)
    # The name in PyTorch's errors; by default it is made of the class's name: `leaky_relu_cpu`.
    kernel = ""
    # Returns the gradient, given g and x, if PyTorch has an operator of its own for it.
    pull: Any = None
    value: Any
    slope: Any

    @classmethod
    def forward(cls, x, *numbers):
        a = x._array
        if a.dtype.kind != "f":
            words = re.sub("(?<=[a-z])(?=[A-Z])", "_", cls.__name__).lower()
            raise no_kernel(cls.kernel or f"{words}_cpu", a)
        wide = opened(a)
        fitted = [fitting(each, wide.dtype) for each in numbers]
        return wrap(cls.value(wrap(wide), *fitted)._array.astype(a.dtype, copy=False))

    @classmethod
    def backward(cls, ctx, g):
        (x, *_), numbers = ctx.saved_tensors, ctx.arguments
        if x._array.dtype.itemsize == 2:
            pulled = cls.pulled(g.float(), x.float(), *numbers).half()
        elif cls.pull is not None:
            pulled = cls.pull.apply(g, x, *numbers)
        else:
            pulled = cls.pulled(g, x, *numbers)
        return pulled, *[None] * len(numbers)

    @classmethod
    def pulled(cls, g, x, *numbers):
        """Return g times the slope."""
        return g * cls.slope(x, *numbers)


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
            # An alias, so that hooks on x are not run.
            alike = Alias.apply(x if x.requires_grad else x.detach().requires_grad_())
            slope = cls.activation.slope(alike, *numbers)
        (grad,) = gradients.grad(slope, alike, factor, create_graph=bool(mode.enabled))
        return grad


def _with_pull(name: str, kept: str = "self") -> Any:
    """Return a decorator that gives an activation the operator of its gradient.

    That operator keeps the gradient and x, under the name `kept`.
    """
    saved = "grad_output", kept

    def give(activation: Any) -> Any:
        pull = named(f"{name}Backward", Pull, f"{name}BackwardBackward0", saved_names=saved)
        activation.pull = pull
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


class Valve(Gate):
    """A gate whose result, as in PyTorch, has no tangent if only z has one."""

    node_name, materialize_grads = "", False

    @classmethod
    def jvp(cls, ctx, dg, *_):
        (z,) = ctx.saved_tensors
        return None if dg is None else cls.apply(dg, z, *ctx.arguments)


class LeakyReluBackward(Valve):
    """s = g, or a * g where x <= 0;  dL/dg = h, or a * h there,  dL/dx = 0."""

    @staticmethod
    def forward(g, x, a):
        b, positive = opened(g._array), x._array > 0
        data = np.where(positive, b, b * b.dtype.type(a)).astype(g._array.dtype, copy=False)
        return wrap(in_order_of(data, positive, b))


@_with_pull("Elu", "self_or_result")
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
Celu = _with_pull("Elu", "self_or_result")(named("Celu", Elu, "CeluBackward0", kernel="elu_cpu"))


class ActivationInPlace(Activation):
    """An activation in place, which saves its result z for backward instead of x."""

    node_name, saved_names, refusal = "", ("result",), _NEGATIVE_SLOPE.format("elu")

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.arguments = inputs[1:]
        ctx.keep((output,))

    @classmethod
    def backward(cls, ctx, g):
        if ctx.arguments[0] < 0:
            raise RuntimeError(cls.refusal)
        return super().backward(ctx, g)


@_with_pull("Elu", "self_or_result")
class Elu_(ActivationInPlace, Elu):  # noqa: N801 - PyTorch marks in-place operators so
    """As Elu;  dL/dx = g b, or where z <= 0 g c (z + a b)."""

    node_name, kernel = "EluBackward1", "elu_cpu"

    @staticmethod
    def slope(z, a, b, c):
        zero = z.new_zeros(())
        return where(z <= 0, (where(z < 0, z, zero) + a * b) * c, zero + b)


Celu_ = named("Celu_", Elu_, "CeluBackward1")


class LeakyRelu_(ActivationInPlace, LeakyRelu):  # noqa: N801
    """As LeakyRelu, whose result is positive where x is."""

    node_name, kernel = "LeakyReluBackward1", "leaky_relu_cpu"
    refusal = _NEGATIVE_SLOPE.format("leakyReLu") + _ASKED_FOR


class Silu(Activation):
    """z = x s for s = sigmoid(x);  dL/dx = (g s) (1 + x (1 - s))."""

    @staticmethod
    def value(x):
        return x / ((-x).exp() + 1)

    @staticmethod
    def pulled(g, x):
        s = x.sigmoid()
        # In PyTorch's order, as below.
        rest = AddNumber.apply(x * Sub.apply(1, s), 1)
        return g * s * rest


class Mish(Activation):
    """z = x tanh(log(1 + e^x));  dL/dx by the product rule."""

    @staticmethod
    def value(x):
        return x * x.exp().log1p().tanh()

    @staticmethod
    def slope(x):
        s, t = x.sigmoid(), x.exp().log1p().tanh()
        rest = Sub.apply(1, t * t)
        return t + x * s * rest


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
        """Return u, the argument of `tanh`."""
        return (x + x * x * x * 0.044715) * _ROOT_2_OVER_PI


@_with_pull("Softplus")
class Softplus(Activation):
    """z = log(1 + e^(b x)) / b, or x where b x > t;  dL/dx = g sigmoid(b x), or g there."""

    @staticmethod
    def value(x, b, t):
        return where(x * b > t, x, (x * b).clamp(max=t).exp().log1p() / b)

    @staticmethod
    def slope(x, b, t):
        scaled = x * b
        # At the threshold itself, the slope counts as constant.
        bent = where(scaled == t, scaled.detach(), scaled)
        return where(scaled > t, x.new_ones(()), bent.sigmoid())


@_with_pull("LogSigmoid")
class LogSigmoid(Activation):
    """z = -log(1 + e^-x);  dL/dx = g (1 - sigmoid(x))."""

    saved_names = "self", "buffer"

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.arguments = ()
        # Only hooks see what PyTorch saves besides x.
        hooked = saved_tensor_hooks.entered_anywhere
        ctx.keep((inputs[0], LogSigmoid.buffer(inputs[0]) if hooked else None))

    @staticmethod
    def value(x):
        return (x.clamp(max=0) - (-x.abs()).exp().log1p()).contiguous()

    @staticmethod
    def buffer(x):
        """Return e^-|x|."""
        return (-wrap(x._array).abs()).exp().contiguous()

    @staticmethod
    def slope(x):
        return (-x).sigmoid()


class Hardtanh(Activation):
    """z = min(max(x, low), high);  dL/dx = 0 where x is not between the two, else g."""

    @classmethod
    def forward(cls, x, low, high):
        kind = x._array.dtype.kind
        if kind == "f":
            return super().forward(x, low, high)
        if kind == "b":
            raise RuntimeError("Bool inputs not supported for hardtanh")
        low, high = int(low), int(high)
        if kind == "u" and low < 0:
            raise RuntimeError("cannot do hardtanh on an unsigned type with negative limits")
        return cls.value(wrap(x._array), low, high)

    @staticmethod
    def value(x, low, high):
        return x.clamp(low, high)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return HardtanhBackward.apply(g, x, *ctx.arguments), None, None


class HardtanhBackward(Valve):
    """s = 0 where x is not between low and high, else g;  dL/dg = h there,  dL/dx = 0."""

    @staticmethod
    def forward(g, x, low, high):
        a, b = g._array, x._array
        return wrap(np.where((b <= low) | (b >= high), a.dtype.type(0), a))
