"""Losses: how far predictions are from their targets, as one number or one for each of them."""

from __future__ import annotations

import numpy as np

from autograd_core.function import Function, Operator
from autograd_core.grad_mode import mode
from autograd_core.ops.elementwise import combined
from autograd_core.tensor import Tensor, wrap


class MseLoss(Operator):
    """z = mean of (x - y)^2, or its sum, or all of it;  dL/dx = g * 2 (x - y) / n,  dL/dy = -."""

    node_name, saved_names = "MseLossBackward0", ("self", "target")

    @staticmethod
    def forward(x, y, reduction):
        difference = combined(np.subtract, x, y)
        if not difference.is_floating_point():
            raise NotImplementedError(f"\"mse_cpu\" not implemented for '{difference.dtype.title}'")
        return reduced(wrap(difference._array * difference._array), reduction)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, y, ctx.reduction = inputs
        ctx.keep((x, y))

    @staticmethod
    def backward(ctx, g):
        to_y = ctx._edges[1][0]
        slope = MseLoss.slope(ctx) * g
        return slope, -slope if to_y else None, None

    @staticmethod
    def jvp(ctx, dx, dy, _):
        slope = MseLoss.slope(ctx)
        tangents = [None if dx is None else slope * dx, None if dy is None else slope * -dy]
        first, *others = [tangent for tangent in tangents if tangent is not None]
        total = first + others[0] if others else first
        return total if ctx.reduction == "none" else total.sum()

    @staticmethod
    def slope(ctx):
        """Return 2 (x - y), divided by n for the mean."""
        x, y = ctx.saved_tensors
        scale = 2 / x.numel() if ctx.reduction == "mean" and x.numel() else 2
        return (x - y) * scale


class NllLoss(Function):
    """z = -w_t * x_t for the class t, its sum, or that divided by sum(w_t);  dL/dx_t = -g * w_t.

    `x` (n, classes) or (classes), `target` (n) or (); classes may be followed by other dimensions.
    """

    node_name = "NllLossBackward0"
    saved_names = ("self", "target", "weight")

    @staticmethod
    def forward(ctx, x, targets, reduction, ignore_index):
        ctx.reduction, ctx.ignored = reduction, ignore_index
        # Classes and their weights come in a tuple: what has no gradient has no edge either.
        ctx.save_for_backward(x, *targets)
        slope, total = NllLoss.slope(ctx)
        with np.errstate(all="ignore"):
            losses = np.add.reduce(np.where(slope == 0, 0, slope * x._array), axis=ctx.classes)
            z = losses if reduction == "none" else np.add.reduce(losses, axis=None)
            return wrap((z / total if reduction == "mean" else z).astype(x._array.dtype))

    @staticmethod
    def backward(ctx, g):
        slope, total = NllLoss.slope(ctx)
        if ctx.reduction == "none":
            g = g.unsqueeze(ctx.classes)
        elif ctx.reduction == "mean" and total:
            g = g / float(total)
        return g * wrap(slope), None, None, None

    @staticmethod
    def jvp(ctx, dx, *_):
        slope, total = NllLoss.slope(ctx)
        tangents = dx * wrap(slope)
        if ctx.reduction == "none":
            return tangents.sum(ctx.classes)
        return tangents.sum() / float(total) if ctx.reduction == "mean" else tangents.sum()

    @staticmethod
    def slope(ctx):
        """Return -w_t in the place of each target's class, 0 elsewhere, and the sum of all w_t."""
        x, target, weight = ctx.saved_tensors
        ctx.classes = 0 if x.dim() == 1 else 1
        wanted = np.asarray(target._array).astype(np.int64)
        counted = wanted != ctx.ignored
        count = x.shape[ctx.classes]
        outside = counted & ((wanted < 0) | (wanted >= count))
        if outside.any():
            raise IndexError(f"Target {wanted[outside][0]} is out of bounds.")
        weights = np.ones(count, x._array.dtype) if weight is None else weight._array
        index = np.where(counted, wanted, 0)
        chosen = (weights[index] * counted).astype(x._array.dtype)
        slope = np.zeros(x.shape, x._array.dtype)
        place = np.expand_dims(index, ctx.classes)
        np.put_along_axis(slope, place, -np.expand_dims(chosen, ctx.classes), ctx.classes)
        return slope, np.add.reduce(chosen, axis=None)


class NllLoss2D(NllLoss):
    """As `NllLoss`, for (n, classes, height, width): PyTorch gives this node a name of its own."""

    node_name = "NllLoss2DBackward0"


def mse_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Return the squared differences of two tensors of one shape: their mean, sum, or all."""
    return MseLoss.apply(input, target, known(reduction))


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> Tensor:
    """Return -weight[t] * input[t] of each target t: their weighted mean, sum, or all.

    `input` (n, classes, ...) or (classes) holds logarithms of probabilities, `target` (n, ...) or
    () classes as int64 or uint8. Raises IndexError for classes that there are not, ValueError and
    RuntimeError for shapes and dtypes that do not fit.
    """
    arguments = known(reduction), ignore_index
    if weight is not None and weight.requires_grad and mode.enabled:
        raise RuntimeError(
            "The function 'nll_loss_forward' is not differentiable with respect to argument "
            "'weight'. This input cannot have requires_grad True."
        )
    if not input.dim():
        raise ValueError("Expected 1 or more dimensions (got 0)")
    if input.dim() > 1 and target.dim() and input.shape[0] != target.shape[0]:
        raise ValueError(
            f"Expected input batch_size ({input.shape[0]}) to match target batch_size "
            f"({target.shape[0]})."
        )
    if input.dim() == 1 and target.dim() and target.shape[0] != 1:
        raise ValueError(
            f"For 1D input, 1D target must have size 1, but got target size: {target.shape[0]}"
        )
    if input.dim() <= 2:
        if target.dim() > 1:
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
        _check_classes(input, target, weight)
        if input.dim() == 1:
            target = target.reshape(())
        return NllLoss.apply(input, (target, weight), *arguments)
    if input.dim() == 4:
        _check_image(input, target)
        _check_classes(input, target, weight)
        return NllLoss2D.apply(input, (target, weight), *arguments)
    batch, count, *others = input.shape
    if list(target.shape) != [batch, *others]:
        raise RuntimeError(f"Expected target size {[batch, *others]}, got {list(target.shape)}")
    _check_classes(input, target, weight)
    size = target[0].numel() if batch else 0
    losses = NllLoss2D.apply(
        input.reshape(batch, count, 1, size), (target.reshape(batch, 1, size), weight), *arguments
    )
    return losses.view(batch, *others) if reduction == "none" else losses


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


def _check_image(input: Tensor, target: Tensor) -> None:
    if target.dim() != 3:
        raise RuntimeError(
            "only batches of spatial targets supported (3D tensors) but got targets of dimension: "
            f"{target.dim()}"
        )
    if input.shape[2:] != target.shape[1:]:
        raise RuntimeError(
            f"size mismatch (got input: {list(input.shape)} , target: {list(target.shape)}"
        )


def _check_classes(input: Tensor, target: Tensor, weight: Tensor | None) -> None:
    if target._array.dtype not in (np.int64, np.uint8):
        raise RuntimeError(
            f"expected target dtype to be Long or Byte, but got {target.dtype.title}"
        )
    count = input.shape[0 if input.dim() == 1 else 1]
    if weight is not None and tuple(weight.shape) != (count,):
        raise RuntimeError(
            f"weight tensor should be defined either for all {count} classes or no classes but got "
            f"weight tensor of shape: {list(weight.shape)}"
        )
