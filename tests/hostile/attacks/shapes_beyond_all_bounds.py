# Returns tensors of no elements, or of one that is seen everywhere, with endless shapes.
# expects: failed partial error memory_limit
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        return torch.zeros((0, 2**40)) if x.dim() else torch.zeros(()).expand(10**9)

    @staticmethod
    def backward(ctx, grad_output):
        return torch.zeros((0, 2**40))
