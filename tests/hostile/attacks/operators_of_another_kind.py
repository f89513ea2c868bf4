# Gives the engine's operators other forwards, so that nothing changes what is added to.
# expects: failed partial error blocked
import importlib

arithmetic = importlib.import_module("autograd_core.ops.arithmetic")
for kind in vars(arithmetic).values():
    if isinstance(kind, type) and kind.__name__.startswith("Add"):
        kind.forward = kind.write = staticmethod(lambda ctx, x, *others: x)


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.kept = x
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * 2 * ctx.kept
