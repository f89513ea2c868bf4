"""Functions that take the exponential in place, right and wrong, for `dirty-exp`."""

from __future__ import annotations

import autograd_core as torch
from autograd_core.autograd import Function


class Exp_(Function):
    @staticmethod
    def forward(ctx, x):
        x.exp_()
        ctx.mark_dirty(x)
        ctx.save_for_backward(x)
        return x

    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return grad_output * y


class ExpWithSetupContext(Function):
    @staticmethod
    def forward(x):
        return x.exp_()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_dirty(*inputs)
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, grad_output):
        return (ctx.saved_tensors[0] * grad_output,)


class SavedBeforeTheChange(Function):
    @staticmethod
    def forward(ctx, value: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(value)
        ctx.mark_dirty(value)
        return value.copy_(value.exp())

    @staticmethod
    def backward(ctx, upstream: torch.Tensor) -> torch.Tensor:
        (result,) = ctx.saved_tensors
        return upstream.mul(result)


class SavesTheInput(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.mark_dirty(x)
        return x.exp_()

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * x.exp()


class KeepsACopy(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x.clone())
        ctx.mark_dirty(x)
        return x.exp_()

    @staticmethod
    def backward(ctx, grad_output):
        (before,) = ctx.saved_tensors
        return grad_output * before.exp()


class MultipliesByTheOldValue(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x.clone())
        ctx.mark_dirty(x)
        return x.exp_()

    @staticmethod
    def backward(ctx, grad_output):
        (before,) = ctx.saved_tensors
        return grad_output * before


class KeepsOutputOnContext(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        ctx.y = x.exp_()
        return x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.y


class KeepsOutputOnClass(Function):
    y: torch.Tensor

    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        KeepsOutputOnClass.y = x.exp_()
        return x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * KeepsOutputOnClass.y


class ReadsTheTuple(Exp_):
    @staticmethod
    def backward(ctx, grad_output):
        y = ctx.saved_tensors
        return grad_output * y


class NotMarked(Exp_):
    @staticmethod
    def forward(ctx, x):
        x.exp_()
        ctx.save_for_backward(x)
        return x


class OutOfPlace(Exp_):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y


class IgnoresGradOutput(Exp_):
    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return y.clone()


class ChangesTheResult(Exp_):
    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return y.detach().mul_(grad_output)


class ChangesGradOutput(Exp_):
    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return grad_output.mul_(y)


class TakesItTwice(Exp_):
    @staticmethod
    def forward(ctx, x):
        x.exp_().exp_()
        ctx.mark_dirty(x)
        ctx.save_for_backward(x)
        return x


class GivesItOtherMemory(Exp_):
    @staticmethod
    def forward(ctx, x):
        x.data = x.data.exp()
        ctx.mark_dirty(x)
        ctx.save_for_backward(x)
        return x


class ReturnsACopy(Exp_):
    @staticmethod
    def forward(ctx, x):
        y = x.exp_().clone()
        ctx.mark_dirty(x)
        ctx.save_for_backward(y)
        return y
