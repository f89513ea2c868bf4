# Returns tensors of a class that agrees with whatever it is compared with.
# expects: failed partial error
class Agreeable(torch.Tensor):
    shape = property(lambda self: (2, 3))
    requires_grad = property(lambda self: True, lambda self, value: None)

    def numpy(self):
        return np.zeros(3)

    def __eq__(self, other):
        return True

    __hash__ = None


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        return Agreeable(x)

    @staticmethod
    def backward(ctx, grad_output):
        return Agreeable(grad_output)
