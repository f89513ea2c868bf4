# Warns with an object that acts as it is told of.
# expects: failed partial error blocked
import sys
import warnings


class Text(str):
    def __str__(self):
        sys.modules["graders.observe.lab"].Lab.record = lambda *all: None
        return "x"


class Odd(UserWarning):
    def __str__(self):
        sys.modules["graders.observe.lab"].Lab.record = lambda *all: None
        return Text("=1+1\x1b[2J")


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        warnings.warn(Odd())
        return x + 1

    @staticmethod
    def backward(ctx, grad_output):
        warnings.warn(Odd())
        return grad_output
