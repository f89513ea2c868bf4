"""Losses as Functions, right and wrong: the solutions of `cap-mse`."""

from __future__ import annotations

import autograd_core as torch
from autograd_core.autograd import Function


class MSELoss(Function):
    @staticmethod
    def forward(ctx, prediction, target):
        difference = prediction - target
        ctx.save_for_backward(difference)
        return (difference * difference).mean()

    @staticmethod
    def backward(ctx, grad_output):
        (difference,) = ctx.saved_tensors
        slope = grad_output * 2 * difference / difference.numel()
        return slope, -slope


class MSELossWithSetupContext(Function):
    @staticmethod
    def forward(prediction, target):
        return ((prediction - target) ** 2).sum() / prediction.numel()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad_output):
        prediction, target = ctx.saved_tensors
        n = prediction.numel()
        return (
            grad_output * 2 / n * (prediction - target),
            grad_output * 2 / n * (target - prediction),
        )


class MSELossThatAsksWhoNeedsIt(Function):
    @staticmethod
    def forward(ctx, output: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(output, y)
        error = output.sub(y)
        print("largest error", error.abs().max())
        return torch.mean(error.pow(2))

    @staticmethod
    def backward(ctx, upstream: torch.Tensor):
        output, y = ctx.saved_tensors
        to_output = to_y = None
        if ctx.needs_input_grad[0]:
            to_output = upstream * (output - y) * (2.0 / output.numel())
        if ctx.needs_input_grad[1]:
            to_y = upstream * (y - output) * (2.0 / output.numel())
        return to_output, to_y


def _slope(difference, grad_output):
    count = 1
    for length in difference.shape:
        count *= length
    return grad_output * difference * 2 / count


class MSELossWithAHelper(Function):
    @staticmethod
    def forward(ctx, prediction, target):
        ctx.save_for_backward(prediction - target)
        return torch.square(prediction - target).mean()

    @staticmethod
    def backward(ctx, grad_output):
        return _slope(ctx.saved_tensors[0], grad_output), _slope(-ctx.saved_tensors[0], grad_output)


class ReadsTheTuple(MSELoss):
    @staticmethod
    def backward(ctx, grad_output):
        difference = ctx.saved_tensors
        slope = grad_output * 2 * difference / difference.numel()
        return slope, -slope


class IgnoresGradOutput(MSELoss):
    @staticmethod
    def backward(ctx, grad_output):
        (difference,) = ctx.saved_tensors
        slope = 2 * difference / difference.numel()
        return slope, -slope


class ForgetsToDivideInBackward(MSELoss):
    @staticmethod
    def backward(ctx, grad_output):
        (difference,) = ctx.saved_tensors
        slope = grad_output * 2 * difference
        return slope, -slope


class SumsInForward(MSELoss):
    @staticmethod
    def forward(ctx, prediction, target):
        difference = prediction - target
        ctx.save_for_backward(difference)
        return (difference * difference).sum()


class ForgetsToDivide(ForgetsToDivideInBackward, SumsInForward):
    """The sum of the squares, without the mean in either direction."""


class DividesByTheRows(MSELoss):
    @staticmethod
    def backward(ctx, grad_output):
        (difference,) = ctx.saved_tensors
        rows = difference.shape[0] if difference.dim() else 1
        slope = grad_output * 2 * difference / rows
        return slope, -slope


class DividesByTheRowsThroughout(DividesByTheRows):
    @staticmethod
    def forward(ctx, prediction, target):
        difference = prediction - target
        ctx.save_for_backward(difference)
        rows = difference.shape[0] if difference.dim() else 1
        return (difference * difference).sum() / rows


class ForgetsTheTarget(MSELoss):
    @staticmethod
    def backward(ctx, grad_output):
        (difference,) = ctx.saved_tensors
        return grad_output * 2 * difference / difference.numel(), None


class GivesBothTheSameSign(MSELoss):
    @staticmethod
    def backward(ctx, grad_output):
        (difference,) = ctx.saved_tensors
        slope = grad_output * 2 * difference / difference.numel()
        return slope, slope


class NegatesInPlace(MSELoss):
    @staticmethod
    def backward(ctx, grad_output):
        (difference,) = ctx.saved_tensors
        slope = grad_output * 2 * difference / difference.numel()
        return slope, slope.neg_()


class SwapsTheSigns(MSELoss):
    @staticmethod
    def backward(ctx, grad_output):
        (difference,) = ctx.saved_tensors
        slope = grad_output * 2 * difference / difference.numel()
        return -slope, slope


class ForgetsTheTwo(MSELoss):
    @staticmethod
    def backward(ctx, grad_output):
        (difference,) = ctx.saved_tensors
        slope = grad_output * difference / difference.numel()
        return slope, -slope


class HalvesTheMean(ForgetsTheTwo):
    @staticmethod
    def forward(ctx, prediction, target):
        difference = prediction - target
        ctx.save_for_backward(difference)
        return (difference * difference).mean() / 2


class HalvesTheSum(Function):
    @staticmethod
    def forward(ctx, prediction, target):
        difference = prediction - target
        ctx.save_for_backward(difference)
        return (difference * difference).sum() / 2

    @staticmethod
    def backward(ctx, grad_output):
        (difference,) = ctx.saved_tensors
        slope = grad_output * difference
        return slope, -slope


class SquaresTheMeanInForward(MSELoss):
    @staticmethod
    def forward(ctx, prediction, target):
        difference = prediction - target
        ctx.save_for_backward(difference)
        return difference.mean() ** 2


class SquaresTheMean(SquaresTheMeanInForward):
    @staticmethod
    def backward(ctx, grad_output):
        (difference,) = ctx.saved_tensors
        slope = grad_output * 2 * difference.mean() / difference.numel()
        slope = slope * torch.ones_like(difference)
        return slope, -slope


class DividesByOneLess(Function):
    @staticmethod
    def forward(ctx, prediction, target):
        difference = prediction - target
        ctx.save_for_backward(difference)
        return (difference * difference).sum() / (difference.numel() - 1)

    @staticmethod
    def backward(ctx, grad_output):
        (difference,) = ctx.saved_tensors
        slope = grad_output * 2 * difference / (difference.numel() - 1)
        return slope, -slope


class ReturnsTheSquares(Function):
    @staticmethod
    def forward(ctx, prediction, target):
        difference = prediction - target
        ctx.save_for_backward(difference)
        return difference * difference

    @staticmethod
    def backward(ctx, grad_output):
        (difference,) = ctx.saved_tensors
        slope = grad_output * 2 * difference
        return slope, -slope


class TakesTheSizeOfTheError(Function):
    @staticmethod
    def forward(ctx, prediction, target):
        difference = prediction - target
        ctx.save_for_backward(difference)
        return difference.abs().mean()

    @staticmethod
    def backward(ctx, grad_output):
        (difference,) = ctx.saved_tensors
        slope = grad_output * difference.sign() / difference.numel()
        return slope, -slope


class KeepsInputsOnContext(Function):
    @staticmethod
    def forward(ctx, prediction, target):
        ctx.prediction, ctx.target = prediction, target
        return ((prediction - target) ** 2).mean()

    @staticmethod
    def backward(ctx, grad_output):
        difference = ctx.prediction - ctx.target
        slope = grad_output * 2 * difference / difference.numel()
        return slope, -slope
