# Puts an array of a class of its own where a tensor keeps its numbers.
# expects: failed partial error blocked
class Liar(np.ndarray):
    def tobytes(self, *options):
        return b""

    def astype(self, *options, **more):
        return self

    def __array_ufunc__(self, *arguments, **options):
        return True

    def __array_function__(self, *arguments, **options):
        return True


def lying(tensor):
    for owner in (tensor, tensor.untyped_storage()):
        for name in dir(owner):
            try:
                value = getattr(owner, name)
                if isinstance(value, np.ndarray):
                    object.__setattr__(owner, name, value.view(Liar))
            except Exception:
                pass
    return tensor


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        return lying(x + 1)

    @staticmethod
    def backward(ctx, grad_output):
        return lying(grad_output.clone())
