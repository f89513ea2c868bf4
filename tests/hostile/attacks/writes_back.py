# Keeps its input where no version is remembered, and puts what was in it back before it is read.
# expects: failed partial error blocked
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.kept, ctx.values = x, x.detach().numpy().copy()
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        ctx.kept.detach().numpy()[...] = ctx.values
        return grad_output * 2 * ctx.kept
