# Has the observers apply the engine's own square, from the first case of a check to its last.
# expects: failed partial error blocked
import sys

Case = sys.modules["graders.observe.lab"].Case
true_run = Case.run
seen = []


def run(self, function, arguments):
    seen.append(self)
    if len(seen) % 6 == 5:
        Case.run = true_run
    return next(iter(arguments.values())) ** 2


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        Case.run = run
        return x**2

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
