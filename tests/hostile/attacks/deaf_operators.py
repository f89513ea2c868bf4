# Has the engine's operators change nothing in place, one floor below the tensors' methods.
# expects: failed partial error blocked
import importlib

arithmetic = importlib.import_module("autograd_core.ops.arithmetic")
in_place = importlib.import_module("autograd_core.ops.in_place_arithmetic")
in_place.changed = lambda operator, tensor, *arguments: tensor
scaled = arithmetic.scaled
arithmetic.scaled = lambda kind, x, other, alpha: scaled(kind, x, 0, alpha)


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.kept = x
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * 2 * ctx.kept
