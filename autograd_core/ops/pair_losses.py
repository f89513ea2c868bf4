"""Losses of predictions x and targets y, element by element, other than the squared error."""

from __future__ import annotations

from typing import Any

from autograd_core.creation import ones_like
from autograd_core.ops.activations import LogSigmoid
from autograd_core.ops.arithmetic import AddNumber, DivNumber
from autograd_core.ops.in_place import check_castable
from autograd_core.ops.indexing import where
from autograd_core.ops.losses import floating_pair, reduced
from autograd_core.ops.operator import Operator, Symmetric, keep_inputs, keeping, plus
from autograd_core.tensor import Tensor, wrap
from autograd_core.tensors.dtypes import result_type

# The least value of x (1 - x) in a denominator.
_LEAST = 1e-12


class PairLoss(Operator):
    """z = mean of l(x, y), or its sum, or all;  dL/dx = g * dl/dx (/ n),  dL/dy = g * dl/dy (/ n).

    A loss defines its `value` l and its `slopes`, functions for dl/dx and dl/dy. Weights come in a
    tuple of options: they have no gradient, and no edge either.
    """

    node_name, setup_context = "", keeping(2)
    saved_names: tuple[str, ...] = ("self", "target")
    materialize_grads = False
    value: Any
    slopes: Any

    @classmethod
    def forward(cls, x, y, reduction, options):
        x, y, *options = [wrap(e._array) if isinstance(e, Tensor) else e for e in (x, y, *options)]
        return reduced(cls.value(x, y, *options), reduction)

    @classmethod
    def backward(cls, ctx, g):
        (x, y, *_), (reduction, options) = ctx.saved_tensors, ctx.arguments
        if reduction == "mean":
            g = g / x.numel()
        by_x, by_y = cls.slopes(x, y, *options)
        to_x, to_y, *_ = ctx.needs_input_grad
        return g * by_x() if to_x else None, g * by_y() if to_y else None, None, None

    @classmethod
    def jvp(cls, ctx, dx, dy, *_):
        reduction, options = ctx.arguments
        by_x, by_y = cls.slopes(*ctx.saved_tensors[:2], *options)
        # An argument without a tangent does not count, even if its slope is infinite.
        along_x = None if dx is None else dx * by_x()
        along_y = None if dy is None else dy * by_y()
        return reduced(plus(along_x, along_y), reduction)


class SmoothL1Loss(PairLoss):
    """l = d^2 / (2 b) for |d| < b, else |d| - b / 2, with d = x - y;  dl/dx = d / b within +-1."""

    @staticmethod
    def value(x, y, beta):
        distance = _apart(x, y, "smooth_l1_cpu")
        return where(distance < beta, distance * distance * 0.5 / beta, distance - 0.5 * beta)

    @classmethod
    def slopes(cls, x, y, bound):
        return lambda: cls.slope(x, y, bound), lambda: cls.slope(y, x, bound)

    @staticmethod
    def slope(x, y, beta):
        """Return dl/dx."""
        kind = result_type(x._array, y._array)
        distance = x.to(kind) - y.to(kind)
        return _bent(distance, beta, distance / beta, 1)


class HuberLoss(SmoothL1Loss):
    """l = d^2 / 2 for |d| < b, else b (|d| - b / 2), with d = x - y;  dl/dx = d within +-b.

    It has the dtype of x; without y of the same dtype it has no gradient.
    """

    @staticmethod
    def value(x, y, delta):
        distance = _apart(x, y, "huber_cpu")
        check_castable(x, distance.dtype)
        loss = where(distance < delta, distance * distance * 0.5, (distance - 0.5 * delta) * delta)
        return loss.to(x.dtype)

    @staticmethod
    def slope(x, y, delta):
        """Return dl/dx."""
        if y.dtype is not x.dtype:
            raise RuntimeError(f"Found dtype {y.dtype.title} but expected {x.dtype.title}")
        distance = x - y
        return _bent(distance, delta, distance, delta)


def _apart(x: Tensor, y: Tensor, kernel: str) -> Tensor:
    """Return |x - y|, or raise PyTorch's NotImplementedError for integers."""
    a, b = floating_pair(kernel, x, y)
    return (wrap(a) - wrap(b)).abs()


def _bent(distance: Tensor, bound: float, inside: Tensor, outside: float) -> Tensor:
    """Return `inside` within a bound, else `outside`; nan for nan, with a derivative of 0 there."""
    missing = distance.detach() if distance.isnan().any() else distance.sign() * outside
    straight = where(distance.abs() >= bound, distance.sign() * outside, missing)
    return where(distance.abs() < bound, inside, straight).contiguous()


class BinaryCrossEntropySlope(Symmetric):
    """s = (x - y) / x (1 - x);  dL/dx = h (x^2 - 2 x y + y) / (x (1 - x))^2,  dL/dy = -h s/(x - y).

    None of the denominators is quite 0.
    """

    saved_names, setup_context = ("self", "target"), keep_inputs

    @staticmethod
    def forward(x, y):
        x, y = wrap(x._array), wrap(y._array)
        return (x - y) / ((1 - x) * x).clamp(min=_LEAST)

    @staticmethod
    def backward(ctx, h):
        x, y = ctx.saved_tensors
        product = (x + _LEAST) * (1 - x + _LEAST)
        by_x = h * (x * x - 2 * x * y + y) / (product * product)
        return by_x, -h / ((1 - x) * x).clamp(min=_LEAST)


class WeightedLoss(PairLoss):
    """A loss whose options are weights, which are saved, too."""

    node_name = ""

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, y, *ctx.arguments = inputs
        ctx.keep((x, y, *inputs[3]))


class BinaryCrossEntropy(WeightedLoss):
    """l = -(y log x + (1 - y) log(1 - x)), logarithms from -100 up;  dl/dx = (x - y) / x (1 - x).

    dl/dy = log(1 - x) - log x.
    """

    saved_names = ("self", "target", "weight")

    @staticmethod
    def value(x, y, weight):
        x, y = map(wrap, floating_pair("binary_cross_entropy", x, y))
        log, log_of_rest = x.log().clamp(min=-100), (-x).log1p().clamp(min=-100)
        loss = log_of_rest * (y - 1) - log * y
        return loss if weight is None else loss.mul_(weight)

    @staticmethod
    def slopes(x, y, weight):
        scale = 1 if weight is None else weight
        return (
            lambda: BinaryCrossEntropySlope.apply(x, y) * scale,
            lambda: ((-x).log1p() - x.log()) * scale,
        )


class BinaryCrossEntropyWithLogits(WeightedLoss):
    """l = (1 - y) x - (1 + (p - 1) y) log s;  dl/dx = (1 + (p - 1) y) s - p y,  s = sigmoid(x).

    dl/dy = -x - (p - 1) log s; p, the weight of positives, is 1 unless given.
    """

    saved_names = ("self", "target", "weight", "pos_weight")

    @staticmethod
    def value(x, y, weight, positives):
        lost = LogSigmoid.apply(x)
        if positives is not None:
            lost = lost * ((positives - 1) * y + 1)
        # In place, as in PyTorch: the loss has the targets' dtype, which must be a floating one.
        loss = ones_like(y).sub_(y).mul_(x).sub_(lost)
        return loss if weight is None else loss.mul_(weight)

    @classmethod
    def backward(cls, ctx, g):
        (x, y, weight, positives), (reduction, _) = ctx.saved_tensors, ctx.arguments
        to_x, to_y, *_ = ctx.needs_input_grad

        def pulled(slope: Any) -> Tensor:
            # Factor by factor in PyTorch's order.
            product = slope() * g if weight is None else slope() * g * weight
            return DivNumber.apply(product, x.numel()) if reduction == "mean" else product

        by_x, by_y = cls.slopes(x, y, None, positives)
        return pulled(by_x) if to_x else None, pulled(by_y) if to_y else None, None, None

    @staticmethod
    def slopes(x, y, weight, positives):
        def by_x() -> Tensor:
            if positives is None:
                return x.sigmoid() - y
            wanted = positives * y
            return (AddNumber.apply(wanted, 1) - y) * x.sigmoid() - wanted

        def by_y() -> Tensor:
            if positives is None:
                return -x
            return LogSigmoid.apply(-x) - LogSigmoid.apply(x) * positives

        if weight is None:
            return by_x, by_y
        return lambda: by_x() * weight, lambda: by_y() * weight
