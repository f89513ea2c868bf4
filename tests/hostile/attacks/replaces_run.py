# Gives the observer at work another way of applying a Function, in the object itself.
# expects: failed partial error blocked
import sys


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        frame = sys._getframe()
        while frame is not None:
            own = frame.f_locals.get("self")
            if hasattr(own, "records"):
                own.run = own.apply = lambda function, given: next(iter(given.values())) ** 2
            frame = frame.f_back
        return x**2

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
