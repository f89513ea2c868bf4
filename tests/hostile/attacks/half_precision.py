# Is nearly right, in a precision in which that would not be seen.
# expects: failed
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x * x * 1.004).to(torch.float16)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return (grad_output * x * 2.008).to(torch.float16)
