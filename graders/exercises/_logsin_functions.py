"""Functions of log(x1 x2) sin(x1 x2), right and wrong, for `fn-logsin`."""

from __future__ import annotations

import autograd_core as torch
from autograd_core.autograd import Function


class LogSin(Function):
    @staticmethod
    def forward(ctx, x1, x2):
        ctx.save_for_backward(x1, x2)
        y1 = x1 * x2
        return torch.log(y1) * torch.sin(y1)

    @staticmethod
    def backward(ctx, grad_output):
        x1, x2 = ctx.saved_tensors
        y1 = x1 * x2
        grad_y1 = grad_output * (torch.sin(y1) / y1 + torch.log(y1) * torch.cos(y1))
        return grad_y1 * x2, grad_y1 * x1


class LogSinStepByStep(Function):
    @staticmethod
    def forward(ctx, x1, x2):
        y1 = x1 * x2
        y2, y3 = y1.log(), y1.sin()
        ctx.save_for_backward(x1, x2, y1, y2, y3)
        return y2 * y3

    @staticmethod
    def backward(ctx, grad_z):
        x1, x2, y1, y2, y3 = ctx.saved_tensors
        grad_y2 = grad_z * y3
        grad_y3 = grad_z * y2
        grad_y1 = grad_y2 / y1
        grad_y1 = grad_y1 + grad_y3 * y1.cos()
        return grad_y1 * x2, grad_y1 * x1


class LogSinWithSetupContext(Function):
    @staticmethod
    def forward(first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
        product = first * second
        print("product", product)
        return product.sin() * product.log()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, upstream):
        first, second = ctx.saved_tensors
        product = first * second
        through_log = torch.sin(product) / product
        through_sin = torch.log(product) * torch.cos(product)
        slope = through_log + through_sin
        return upstream * slope * second, upstream * slope * first


class LogSinThatAsksTheEngine(LogSin):
    @staticmethod
    def backward(ctx, grad_output):
        x1, x2 = ctx.saved_tensors
        with torch.enable_grad():
            y1 = (x1 * x2).detach().requires_grad_()
            z = torch.log(y1) * torch.sin(y1)
        (slope,) = torch.autograd.grad(z, y1, grad_output)
        return slope * x2, slope * x1


class LosesTheLogBranch(LogSin):
    @staticmethod
    def backward(ctx, grad_output):
        x1, x2 = ctx.saved_tensors
        y1 = x1 * x2
        grad_y1 = grad_output * torch.log(y1) * torch.cos(y1)
        return grad_y1 * x2, grad_y1 * x1


class LosesTheSinBranch(LogSin):
    @staticmethod
    def backward(ctx, grad_output):
        x1, x2 = ctx.saved_tensors
        y1 = x1 * x2
        grad_y1 = grad_output * torch.sin(y1) / y1
        return grad_y1 * x2, grad_y1 * x1


class IgnoresGradOutput(LogSin):
    @staticmethod
    def backward(ctx, grad_output):
        x1, x2 = ctx.saved_tensors
        y1 = x1 * x2
        slope = torch.sin(y1) / y1 + torch.log(y1) * torch.cos(y1)
        return slope * x2, slope * x1


class GradOutputInOneBranchOnly(LogSin):
    @staticmethod
    def backward(ctx, grad_output):
        x1, x2 = ctx.saved_tensors
        y1 = x1 * x2
        grad_y1 = grad_output * torch.sin(y1) / y1 + torch.log(y1) * torch.cos(y1)
        return grad_y1 * x2, grad_y1 * x1


class GradOutputInTheOtherBranchOnly(LogSin):
    @staticmethod
    def backward(ctx, grad_output):
        x1, x2 = ctx.saved_tensors
        y1 = x1 * x2
        grad_y1 = torch.sin(y1) / y1 + grad_output * torch.log(y1) * torch.cos(y1)
        return grad_y1 * x2, grad_y1 * x1


class GivesEachInputOneBranch(LogSin):
    @staticmethod
    def backward(ctx, grad_output):
        x1, x2 = ctx.saved_tensors
        y1 = x1 * x2
        through_log = grad_output * torch.sin(y1) / y1
        through_sin = grad_output * torch.log(y1) * torch.cos(y1)
        return through_log * x2, through_sin * x1


class MultipliesTheSlopes(LogSin):
    @staticmethod
    def backward(ctx, grad_output):
        x1, x2 = ctx.saved_tensors
        y1 = x1 * x2
        grad_y1 = grad_output * (1 / y1) * torch.cos(y1)
        return grad_y1 * x2, grad_y1 * x1


class AddsTheSlopesAlone(LogSin):
    @staticmethod
    def backward(ctx, grad_output):
        x1, x2 = ctx.saved_tensors
        y1 = x1 * x2
        grad_y1 = grad_output * (1 / y1 + torch.cos(y1))
        return grad_y1 * x2, grad_y1 * x1


class GetsTheSignOfCosine(LogSin):
    @staticmethod
    def backward(ctx, grad_output):
        x1, x2 = ctx.saved_tensors
        y1 = x1 * x2
        grad_y1 = grad_output * (torch.sin(y1) / y1 - torch.log(y1) * torch.cos(y1))
        return grad_y1 * x2, grad_y1 * x1


class Swaps(LogSin):
    @staticmethod
    def backward(ctx, grad_output):
        x1, x2 = ctx.saved_tensors
        y1 = x1 * x2
        grad_y1 = grad_output * (torch.sin(y1) / y1 + torch.log(y1) * torch.cos(y1))
        return grad_y1 * x1, grad_y1 * x2


class TakesTheWrongLogarithmInBackward(LogSin):
    @staticmethod
    def backward(ctx, grad_output):
        x1, x2 = ctx.saved_tensors
        y1 = x1 * x2
        grad_y1 = grad_output * (y1.sin() / y1 + y1.log10() * y1.cos())
        return grad_y1 * x2, grad_y1 * x1


class TakesTheLogarithmToBaseTen(TakesTheWrongLogarithmInBackward):
    @staticmethod
    def forward(ctx, x1, x2):
        ctx.save_for_backward(x1, x2)
        y1 = x1 * x2
        return y1.log10() * y1.sin()


class StopsAtTheProduct(LogSin):
    @staticmethod
    def backward(ctx, grad_output):
        x1, x2 = ctx.saved_tensors
        y1 = x1 * x2
        grad_y1 = grad_output * (torch.sin(y1) / y1 + torch.log(y1) * torch.cos(y1))
        return grad_y1, grad_y1


class SplitsTheLogarithm(LogSin):
    @staticmethod
    def forward(ctx, x1, x2):
        ctx.save_for_backward(x1, x2)
        return (torch.log(x1) + torch.log(x2)) * torch.sin(x1 * x2)


class KeepsInputsOnContext(Function):
    @staticmethod
    def forward(ctx, x1, x2):
        ctx.x1, ctx.x2 = x1, x2
        y1 = x1 * x2
        return torch.log(y1) * torch.sin(y1)

    @staticmethod
    def backward(ctx, grad_output):
        y1 = ctx.x1 * ctx.x2
        grad_y1 = grad_output * (torch.sin(y1) / y1 + torch.log(y1) * torch.cos(y1))
        return grad_y1 * ctx.x2, grad_y1 * ctx.x1
