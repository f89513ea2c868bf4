from autograd_core.autograd import Function


class ConditionalAddOne_(Function):
    @staticmethod
    def forward(ctx, x):
        x.add_(1)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


class MultiplyAddOne_(Function):
    """x1 * x2 + 1 in the memory of x1; x2 stays as it is."""

    @staticmethod
    def forward(ctx, x1, x2):
        ctx.save_for_backward(x1.clone(), x2)
        ctx.mark_dirty(x1)
        x1 += 1
        x1 *= x2
        return x1

    @staticmethod
    def backward(ctx, grad_output):
        x1, x2 = ctx.saved_tensors
        return grad_output * x2, grad_output * x1
