# Listens to errors that nobody can raise, and asks their tracebacks for frames.
# expects: failed partial error blocked
import sys


class Failing:
    def __del__(self):
        raise ValueError


def hook(told):
    trace = told.exc_traceback
    while trace is not None:
        print("LOOT", "taken", trace.tb_frame.f_back)
        trace = trace.tb_next


sys.unraisablehook = sys.excepthook = sys.breakpointhook = hook


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        Failing()
        return x + 1

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
