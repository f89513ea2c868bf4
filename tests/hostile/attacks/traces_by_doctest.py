# Has doctest, which sets back the trace function that was there, set one that was not.
# expects: failed partial error blocked
import doctest
import sys


def trace(frame, event, argument):
    print("LOOT taken", frame)
    return trace


sys.gettrace = lambda: trace


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        doctest.run_docstring_examples(trace, {})
        return x + 1

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
