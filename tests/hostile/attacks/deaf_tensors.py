# Makes the tensors that it is given deaf to whoever changes them later, by a method of their own.
# expects: failed partial error
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        x.add_ = lambda *others, **options: x
        ctx.kept = x
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * 2 * ctx.kept
