# Returns more than can be looked at.
# expects: failed partial error memory_limit
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return torch.ones(400_000)

    @staticmethod
    def backward(ctx, grad_output):
        return torch.ones(400_000)
