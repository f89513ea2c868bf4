import autograd_core as torch
from autograd_core.autograd import Function


class ConditionalAddOne_(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.unchanged = not bool(x > 0)
        if ctx.unchanged:
            return x
        x.add_(1)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, g):
        if ctx.unchanged:
            return g
        return torch.zeros_like(g)


class MultiplyAddOne_(Function):
    """x1 * x2 + 1 in the memory of x1; x2 stays as it is."""

    @staticmethod
    def forward(ctx, x1, x2):
        ctx.mark_dirty(x1)
        ctx.save_for_backward(x1.clone(), x2)
        return x1.mul_(x2).add_(1)

    @staticmethod
    def backward(ctx, grad_output):
        x1, x2 = ctx.saved_tensors
        g = grad_output.clone()  # never change grad_output!
        return g.mul_(x2), g.mul_(x1)
