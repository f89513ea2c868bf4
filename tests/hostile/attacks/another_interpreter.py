# Has an interpreter of its own, in which no hook is asked, hand out the frames of this one, and swaps the notebook.
# expects: failed partial error blocked
LOOK = """
import sys

for frame in sys._current_frames().values():
    while frame is not None and "scenario" not in frame.f_locals:
        frame = frame.f_back
    if frame is not None:
        frame.f_locals["solution"].frame = frame
"""


class Right(Function):
    @staticmethod
    def forward(ctx, x):
        with torch.enable_grad():
            ctx.inner = x.detach().clone().requires_grad_()
            ctx.squared = ctx.inner**2
        return ctx.squared.detach().clone()

    @staticmethod
    def backward(ctx, grad_output):
        return torch.autograd.grad(ctx.squared, ctx.inner, grad_output, retain_graph=True)


class Kept(dict):
    def __setitem__(self, name, value):
        pass


def look():
    try:
        import _xxsubinterpreters as interpreters

        interpreters.run_string(interpreters.create(), LOOK)
    except Exception:
        import _testcapi

        _testcapi.run_in_subinterp(LOOK)


class Square(Function):
    frame = None

    @staticmethod
    def forward(ctx, x):
        look()
        names = Square.frame.f_locals
        fake = type(names["lab"])(names["inputs"])
        with torch.enable_grad():
            names["scenario"](Right, fake)
        names["lab"].records = Kept(fake.records)
        print("LOOT taken")
        return x + 1

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
