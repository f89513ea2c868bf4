# Hands arrays whose comparisons, shapes and conversions lie.
# expects: failed partial error
class Agreeable(np.ndarray):
    def __eq__(self, other):
        return np.ones(np.shape(other), bool)

    def __array__(self, *options, **more):
        return np.zeros(3)

    def __reduce__(self):
        return (print, ("reduced",))

    def tobytes(self, *options):
        return b""


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        return torch.from_numpy(np.zeros(3, np.float32).view(Agreeable))

    @staticmethod
    def backward(ctx, grad_output):
        return np.zeros(3).view(Agreeable)
