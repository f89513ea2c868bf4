from autograd_core.autograd import Function


class MultiplyAddOne_(Function):
    @staticmethod
    def forward(ctx, x1, x2):
        ctx.save_for_backward(x1.clone(), x2)
        ctx.mark_dirty(x1)
        y = x1 * x2 + 1
        return y

    @staticmethod
    def backward(ctx, grad_output):
        x1, x2 = ctx.saved_tensors
        return grad_output * x2, grad_output * x1


class ConditionalAddOne_(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.changed = x.item() < 0
        if ctx.changed:
            x += 1
            ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output if ctx.changed else grad_output * 0
