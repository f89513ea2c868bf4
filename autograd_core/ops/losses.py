"""Losses: how far predictions are from their targets, as one number or one for each of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_core.hooks import saved_tensor_hooks
from autograd_core.modes.grad_mode import mode
from autograd_core.ops.arithmetic import DivNumber, MulNumber
from autograd_core.ops.elementwise import broadcast, promoted
from autograd_core.ops.making import named
from autograd_core.ops.operator import Operator, Symmetric, keeping
from autograd_core.ops.order_in_memory import in_order_of, is_dense, laid_in_order
from autograd_core.ops.reductions import Mean, Sum
from autograd_core.tensor import Tensor, wrap
from autograd_core.tensors.dtypes import FLOATING, check_kernel

# Python finds these names faster in this module than in NumPy's.
_sum: Any = np.add.reduce
_count, _place = np.arange, np.ravel_multi_index
# The dtypes of classes.
_CLASSES = np.dtype(np.int64), np.dtype(np.uint8)


class MseLoss(Operator):
    """z = mean of (x - y)^2, or its sum, or all of it;  dL/dx = g * 2 (x - y) / n,  dL/dy = -."""

    saved_names, setup_context = ("self", "target"), keeping(2)

    @staticmethod
    def forward(x, y, reduction):
        a, b = floating_pair("mse_cpu", x, y)
        difference = in_order_of(broadcast(np.subtract, a, b), a, b)
        squares = wrap(difference * difference)
        if reduction == "none":
            return squares
        return (Mean if reduction == "mean" else Sum).forward(squares, None, False, None)

    @staticmethod
    def backward(ctx, g):
        (x, y), (reduction,) = ctx.saved_tensors, ctx.arguments
        by_x = MseLossBackward.apply(g, x, y, reduction)
        to_y = ctx.needs_input_grad[1]
        return by_x, MseLossBackward.apply(g, y, x, reduction) if to_y else None, None

    @staticmethod
    def jvp(ctx, dx, dy, _):
        (x, y), (reduction,) = ctx.saved_tensors, ctx.arguments
        return reduced((x - y) * 2 * (dx - dy), reduction)


class MseLossBackward(Symmetric):
    """s = g * 2 (x - y) / n;  dL/dg = h * 2 (x - y) / n,  dL/dx = h * 2 g / n,  dL/dy = -."""

    saved_names, setup_context = ("grad_output", "self", "target"), keeping(3)

    @staticmethod
    def forward(g, x, y, reduction):
        s = broadcast(np.subtract, *promoted(x, y))
        count = x._array.size
        s *= s.dtype.type(2 / count if reduction == "mean" and count else 2)
        s *= g._array
        return wrap(laid_in_order(s))

    @staticmethod
    def backward(ctx, h):
        (g, x, y), (reduction,) = ctx.saved_tensors, ctx.arguments

        def by_input() -> Tensor:
            product = MulNumber.apply(h * g, 2)
            return DivNumber.apply(product, x.numel()) if reduction == "mean" else product

        # As in PyTorch each has nodes of its own, made in this order.
        return MseLossBackward.apply(h, x, y, reduction), by_input(), -by_input(), None


class NllLoss(Operator):
    """z = -w_t * x_t for the class t, its sum, or that divided by sum(w_t);  dL/dx_t = -g * w_t.

    `x` (n, classes) or (classes), `target` (n) or (); classes may be followed by other dimensions.
    Classes, their weights and options come in a tuple: they have no gradient, and so no edge.
    """

    saved_names = ("self", "target", "weight", "total_weight")
    pull: type[Operator]

    @staticmethod
    def forward(x, about):
        a, reduction = x._array, about[2]
        places, weights, counted, total = _found(a, about)
        z = -a.take(places)
        if counted is not None:
            z = np.where(counted, z * weights, z.dtype.type(0))[()]
        if reduction != "none":
            z = _sum(z, axis=None)
        if reduction == "mean":
            if not total:
                return wrap(a.dtype.type("nan"))
            z = z / total
        return wrap(z)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, about = inputs
        ctx.options = about[2:]
        # Nobody but hooks sees the sum of the weights: backward computes it again.
        total = NllLoss.total_weight(*inputs) if saved_tensor_hooks.entered_anywhere else None
        ctx.keep((x, *about[:2], total))

    @staticmethod
    def total_weight(x, about):
        """Return the sum of the targets' weights, 0 if nothing is summed."""
        summed = about[2] != "none" or x._array.ndim == 1
        total = _found(x._array, about)[3] if summed else 0
        return wrap(x._array.dtype.type(total))

    @classmethod
    def backward(cls, ctx, g):
        x, *targets, _ = ctx.saved_tensors
        return cls.pull.apply(g, x, (*targets, *ctx.options)), None

    @classmethod
    def jvp(cls, ctx, dx, _):
        return cls.apply(dx, (*ctx.saved_tensors[1:3], *ctx.options))


class NllLossBackward(Operator):
    """s_t = -g * w_t, divided by sum(w_t) for the mean, 0 elsewhere;  dL/dg = `NllLoss` of h."""

    saved_names = ("", "target", "weight")
    pull: type[Operator]

    @staticmethod
    def forward(g, x, about):
        a, reduction = x._array, about[2]
        if a.ndim == 1 and about[0].dim():
            raise RuntimeError(f"size mismatch (got input: {list(a.shape)}, target: [1])")
        if a.ndim == 4 and not a.flags.c_contiguous and is_dense(a):
            raise RuntimeError("grad_input must be contiguous")
        places, weights, counted, total = _found(a, about)
        s = np.zeros(a.shape, a.dtype)
        by_place = (g._array / total if reduction == "mean" else g._array) * -weights
        s.reshape(-1)[places] = by_place if counted is None else np.where(counted, by_place, 0)
        return wrap(s)

    @staticmethod
    def setup_context(ctx, inputs, output):
        about = inputs[2]
        ctx.options = about[2:]
        ctx.keep((None, *about[:2]))

    @classmethod
    def backward(cls, ctx, h):
        to_g, to_x, _ = ctx.needs_input_grad
        about = (*ctx.saved_tensors[1:], *ctx.options)
        by_g = cls.pull.apply(h, about) if to_g else None
        return by_g, h.new_zeros(h.shape) if to_x else None, None

    @classmethod
    def jvp(cls, ctx, dg, dx, _):
        return cls.apply(dg, dx, (*ctx.saved_tensors[1:], *ctx.options))


# For (n, classes, height, width).
NllLoss2D = named("NllLoss2D", NllLoss, "NllLoss2DBackward0")
NllLoss2DBackward = named("NllLoss2DBackward", NllLossBackward, "NllLoss2DBackwardBackward0")


# Each is linear, and the other computes its gradient.
NllLoss.pull, NllLossBackward.pull = NllLossBackward, NllLoss
NllLoss2D.pull, NllLoss2DBackward.pull = NllLoss2DBackward, NllLoss2D


def _found(a: Any, about: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return flat indices of the targets' classes in `a`, weights, which count, the weights' sum.

    The third is None if all targets count; the others weigh 0. IndexError for invalid classes.
    """
    target, weight, _, ignored = about
    wanted = target._array if a.ndim > 1 else target._array.reshape(())
    count, kind = a.shape[a.ndim > 1], a.dtype.type
    if weight is None and wanted.size and not 0 <= ignored < count:
        try:
            return _places(a, wanted), kind(1), None, kind(wanted.size)
        except ValueError:
            # Some targets are ignored, or a class is invalid.
            pass
    counted = np.asarray(wanted != ignored)
    outside = counted & ((wanted < 0) | (wanted >= count))
    if outside.any():
        raise IndexError(f"Target {wanted[outside][0]} is out of bounds.")
    classes = np.where(counted, wanted, 0)[()]
    weights = counted.astype(a.dtype)
    if weight is not None:
        weights = (weight._array[classes] * weights).astype(a.dtype)
    return _places(a, classes), weights[()], counted, _sum(weights, axis=None)


def _places(a: Any, classes: Any) -> Any:
    """Return the flat indices of the classes' elements in `a`; ValueError for invalid classes."""
    indices: tuple[Any, ...] = ()
    if a.ndim == 2:
        indices = (_count(a.shape[0]),)
    elif a.ndim > 2:
        indices = np.indices(classes.shape, sparse=True)
    return _place((*indices[:1], classes, *indices[1:]), a.shape)


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> Tensor:
    """Return -weight[t] * input[t] of each target t: their weighted mean, sum, or all.

    `input` (n, classes, ...) or (classes) holds logarithms of probabilities, `target` (n, ...) or
    () classes as int64 or uint8. Raises IndexError for invalid classes, ValueError and RuntimeError
    for shapes and dtypes that do not fit.
    """
    options = known(reduction), ignore_index
    _check_targets(input, target, weight)
    _check_classes(input, target, weight)
    rank = input.dim()
    if rank <= 2:
        return NllLoss.apply(input, (target, weight, *options))
    if rank == 4:
        return NllLoss2D.apply(input, (target, weight, *options))
    batch, count, *others = input.shape
    size = target[0].numel() if batch else 0
    scores = input.contiguous().reshape(batch, count, 1, size)
    classes = target.reshape(batch, 1, size)
    losses = NllLoss2D.apply(scores, (classes, weight, *options))
    return losses.view(batch, *others) if reduction == "none" else losses


def floating_pair(kernel: str, x: Tensor, y: Tensor) -> tuple[Any, Any]:
    """Return the NumPy data of both in their common dtype; NotImplementedError for integers."""
    a, b = promoted(x, y)
    check_kernel(kernel, a, FLOATING)
    return a, b


def known(reduction: str) -> str:
    """Return `reduction` if it is "mean", "sum" or "none", else raise PyTorch's ValueError."""
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return reduction


def reduced(losses: Tensor, reduction: str) -> Tensor:
    """Return the mean or the sum of `losses`, or all of them."""
    if reduction == "none":
        return losses
    return losses.mean() if reduction == "mean" else losses.sum()


def refuse_to_differentiate(function: str, **constants: Tensor | None) -> None:
    """Raise PyTorch's RuntimeError if a tensor requires grad that the function has none for."""
    for name, each in constants.items():
        if each is not None and each.requires_grad and mode.enabled:
            raise RuntimeError(
                f"The function '{function}' is not differentiable with respect to argument "
                f"'{name}'. This input cannot have requires_grad True."
            )


def _check_targets(input: Tensor, target: Tensor, weight: Tensor | None) -> None:
    """Raise PyTorch's errors unless each place of each row has a target, and weights are constants.

    A 0-d target belongs to a single row.
    """
    shape, wanted = input._array.shape, target._array.shape
    rank = len(shape)
    if not rank:
        raise ValueError("Expected 1 or more dimensions (got 0)")
    if rank > 1 and wanted[:1] != shape[:1]:
        raise ValueError(
            f"Expected input batch_size ({shape[0]}) to match target batch_size "
            f"({wanted[0] if wanted else 0})."
        )
    if rank > 2 and rank != 4 and wanted != (expected := (shape[0], *shape[2:])):
        raise RuntimeError(f"Expected target size {list(expected)}, got {list(wanted)}")
    if weight is not None:
        name = "nll_loss_forward" if rank <= 2 else "nll_loss2d_forward"
        refuse_to_differentiate(name, weight=weight)
    if rank <= 2 and len(wanted) > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if rank == 4 and len(wanted) != 3:
        raise RuntimeError(
            "only batches of spatial targets supported (3D tensors) but got targets of dimension: "
            f"{len(wanted)}"
        )
    if rank == 4 and shape[2:] != wanted[1:]:
        raise RuntimeError(f"size mismatch (got input: {list(shape)} , target: {list(wanted)}")


def _check_classes(input: Tensor, target: Tensor, weight: Tensor | None) -> None:
    """Raise PyTorch's errors unless the targets are classes and the weights are theirs."""
    if target._array.dtype not in _CLASSES:
        raise RuntimeError(
            f"expected target dtype to be Long or Byte, but got {target.dtype.title}"
        )
    if input.dim() == 1 and target.numel() != 1:
        raise ValueError(
            f"For 1D input, 1D target must have size 1, but got target size: {target.numel()}"
        )
    flat = input.dim() <= 2
    count = input._array.shape[input._array.ndim > 1]
    if weight is not None and weight._array.shape != (count,):
        both = f"{count} classes or no classes but got weight tensor of shape: {list(weight.shape)}"
        raise RuntimeError(
            f"weight tensor should be defined either for all {both if flat else 'or no classes'}"
        )
    kernel = "nll_loss_out_frame" if flat else "nll_loss2d_forward_out_frame"
    check_kernel(kernel, input._array, FLOATING)
    if weight is not None and weight.dtype is not input.dtype:
        raise RuntimeError(
            f"expected scalar type {input.dtype.title} but found {weight.dtype.title}"
        )
    if not flat and target._array.dtype.kind == "u":
        raise RuntimeError(f"expected scalar type Long but found {target.dtype.title}")
