# Warns with objects that end the process when they are put into words.
# expects: failed partial error
import warnings


class Fatal(UserWarning):
    def __str__(self):
        raise SystemExit


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        warnings.warn(Fatal("here"))
        return x + 1

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
