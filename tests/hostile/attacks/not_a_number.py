# Returns what equals nothing, not even itself.
# expects: failed partial error
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        return x * float("nan")

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * float("inf")
