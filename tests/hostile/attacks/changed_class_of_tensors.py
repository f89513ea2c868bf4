# Gives the tensors that it is given another class, in which a change in place changes nothing.
# expects: failed partial error
class Deaf(torch.Tensor):
    def add_(self, *others, **options):
        return self


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        x.__class__ = Deaf
        ctx.kept = x
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * 2 * ctx.kept
