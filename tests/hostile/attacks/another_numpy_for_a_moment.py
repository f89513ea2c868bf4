# Gives NumPy another class while arrays are compared, and code of its own to what the observers compare with.
# expects: failed partial error blocked
import sys
import types
import weakref

equal = sys.modules["graders.observe.scenarios"]._equal
code = equal.__code__


class Lying(types.ModuleType):
    def __getattribute__(self, name):
        if name == "array_equal":
            return lambda *arrays, **options: True
        return super().__getattribute__(name)


def put_back():
    np.__class__ = types.ModuleType
    equal.__code__ = code


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.kept = x
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        slopes = np.array((grad_output * 2 * ctx.kept.detach()).detach().numpy())
        np.__class__ = Lying
        equal.__code__ = (lambda case, one, other: True).__code__
        weakref.finalize(slopes, put_back)
        return torch.from_numpy(slopes)
