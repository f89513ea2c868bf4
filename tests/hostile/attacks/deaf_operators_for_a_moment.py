# Has the engine's operators change nothing in place between forward and backward, and puts them back.
# expects: failed partial error blocked
import importlib
import weakref

in_place = importlib.import_module("autograd_core.ops.in_place_arithmetic")
changed = in_place.changed


def deaf(operator, tensor, *arguments):
    in_place.changed = changed
    return tensor


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.kept = x
        in_place.changed = deaf
        weakref.finalize(ctx, setattr, in_place, "changed", changed)
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * 2 * ctx.kept
