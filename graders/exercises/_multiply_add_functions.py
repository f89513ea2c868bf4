"""Functions that change one of two inputs, right and wrong: for `dirty-multiply-add`."""

from __future__ import annotations

import autograd_core as torch
from autograd_core.autograd import Function


class MultiplyAddOne_(Function):
    @staticmethod
    def forward(ctx, x1, x2):
        ctx.save_for_backward(x1.clone(), x2)
        ctx.mark_dirty(x1)
        return x1.mul_(x2).add_(1)

    @staticmethod
    def backward(ctx, grad_output):
        before, x2 = ctx.saved_tensors
        return grad_output * x2, grad_output * before


class CopiesBoth(Function):
    @staticmethod
    def forward(ctx, x1, x2):
        ctx.before = x1.detach().clone()
        ctx.factor = x2.detach().clone()
        x1 *= x2
        x1 += 1
        ctx.mark_dirty(x1)
        return x1

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.factor, grad_output * ctx.before


class OnlyWhatIsNeeded(Function):
    @staticmethod
    def forward(ctx, first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
        product = first * second + 1
        ctx.save_for_backward(first.clone() if ctx.needs_input_grad[1] else None, second)
        first.copy_(product)
        ctx.mark_dirty(first)
        return first

    @staticmethod
    def backward(ctx, upstream: torch.Tensor):
        before, second = ctx.saved_tensors
        to_first = upstream.mul(second) if ctx.needs_input_grad[0] else None
        to_second = upstream.mul(before) if ctx.needs_input_grad[1] else None
        return to_first, to_second


class MarksBoth(MultiplyAddOne_):
    @staticmethod
    def forward(ctx, x1, x2):
        ctx.save_for_backward(x1.clone(), x2)
        ctx.mark_dirty(x1, x2)
        return x1.mul_(x2).add_(1)


class SavesNothing(MultiplyAddOne_):
    @staticmethod
    def forward(ctx, x1, x2):
        ctx.mark_dirty(x1)
        return x1.mul_(x2).add_(1)


class SavesTheChangedInput(MultiplyAddOne_):
    @staticmethod
    def forward(ctx, x1, x2):
        ctx.save_for_backward(x1, x2)
        ctx.mark_dirty(x1)
        return x1.mul_(x2).add_(1)


class MultipliesInPlace(MultiplyAddOne_):
    @staticmethod
    def backward(ctx, grad_output):
        before, x2 = ctx.saved_tensors
        return grad_output.mul_(x2), grad_output.mul_(before)


class MultipliesInPlaceAtLast(MultiplyAddOne_):
    @staticmethod
    def backward(ctx, grad_output):
        before, x2 = ctx.saved_tensors
        return grad_output * x2, grad_output.mul_(before)


class MultipliesACopyInPlace(MultiplyAddOne_):
    @staticmethod
    def backward(ctx, grad_output):
        before, x2 = ctx.saved_tensors
        gradient = grad_output.clone()
        return gradient.mul_(x2), gradient.mul_(before)


class AddsFirst(MultiplyAddOne_):
    @staticmethod
    def forward(ctx, x1, x2):
        ctx.save_for_backward(x1.clone(), x2)
        ctx.mark_dirty(x1)
        return x1.add_(1).mul_(x2)


class IgnoresGradOutput(MultiplyAddOne_):
    @staticmethod
    def backward(ctx, grad_output):
        before, x2 = ctx.saved_tensors
        return x2.clone(), before


class SavesAndMultipliesWrong(Function):
    @staticmethod
    def forward(ctx, x1, x2):
        ctx.save_for_backward(x1, x2)
        ctx.mark_dirty(x1)
        return x1.mul_(x2).add_(1)

    @staticmethod
    def backward(ctx, grad_output):
        x1, x2 = ctx.saved_tensors
        return grad_output.mul_(x2), grad_output.mul_(x1)


class NotMarked(MultiplyAddOne_):
    @staticmethod
    def forward(ctx, x1, x2):
        ctx.save_for_backward(x1.clone(), x2)
        return x1.mul_(x2).add_(1)


class OutOfPlace(MultiplyAddOne_):
    @staticmethod
    def forward(ctx, x1, x2):
        ctx.save_for_backward(x1, x2)
        return x1 * x2 + 1


class Swapped(MultiplyAddOne_):
    @staticmethod
    def backward(ctx, grad_output):
        before, x2 = ctx.saved_tensors
        return grad_output * before, grad_output * x2


class DividesBack(Function):
    @staticmethod
    def forward(ctx, x1, x2):
        ctx.mark_dirty(x1)
        x1.mul_(x2).add_(1)
        ctx.save_for_backward(x1, x2)
        return x1

    @staticmethod
    def backward(ctx, grad_output):
        y, x2 = ctx.saved_tensors
        return grad_output * x2, grad_output * ((y - 1) / x2)


class KeepsFactorOnContext(Function):
    @staticmethod
    def forward(ctx, x1, x2):
        ctx.before, ctx.x2 = x1.clone(), x2
        ctx.mark_dirty(x1)
        return x1.mul_(x2).add_(1)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.x2, grad_output * ctx.before


class ReturnsACopy(MultiplyAddOne_):
    @staticmethod
    def forward(ctx, x1, x2):
        ctx.save_for_backward(x1.clone(), x2)
        ctx.mark_dirty(x1)
        return x1.mul_(x2).add_(1).clone()
