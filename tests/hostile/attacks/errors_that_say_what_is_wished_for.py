# Says in some walks that something was changed in place, in texts that act as they go.
# expects: failed partial error blocked
import sys

calls = []


class Text(str):
    def __del__(self):
        sys.modules["graders.observe.lab"].np = None


class Changed(RuntimeError):
    def __str__(self):
        return Text("one of the variables was modified by an inplace operation")


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.kept = x
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        calls.append(1)
        if len(calls) % 5 == 4:
            raise Changed
        return grad_output * 2 * ctx.kept
