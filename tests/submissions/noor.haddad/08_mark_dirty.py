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
