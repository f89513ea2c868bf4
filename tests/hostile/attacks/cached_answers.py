# Has a function of the observers remember another answer, by a class that equals the one it is asked about.
# expects: failed partial error blocked
import sys

lab = sys.modules["graders.observe.lab"]


class Kind(type(torch.Tensor)):
    def __eq__(self, other):
        return True

    def __hash__(self):
        return hash(torch.Tensor)

    def __dir__(self):
        return []


class Empty(metaclass=Kind):
    pass


lab._methods_of.cache_clear()
lab._methods_of(Empty)


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.kept = x
        object.__getattribute__(x, "__dict__").update(add_=lambda self, *others: self)
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * 2 * ctx.kept.detach()
