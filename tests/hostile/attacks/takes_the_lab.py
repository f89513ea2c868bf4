# Has the context manager that is handed the lab give it a tensor module in which everything is squared.
# expects: failed partial error blocked
import contextlib
import types

begin = contextlib._GeneratorContextManagerBase.__init__


class Squared(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * 2 * ctx.saved_tensors[0]


class Other(Function):
    apply = classmethod(lambda cls, *arguments: Function.apply.__func__(Squared, *arguments))


module = types.ModuleType("autograd_core")
vars(module).update(vars(torch))
module.autograd = types.SimpleNamespace(**{**vars(torch.autograd), "Function": Other})


def beginning(self, function, arguments, options):
    for each in arguments:
        if hasattr(each, "records"):
            each.torch = module
    begin(self, function, arguments, options)


contextlib._GeneratorContextManagerBase.__init__ = beginning


class Square(Other):
    @staticmethod
    def forward(ctx, x):
        return x + 1

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
