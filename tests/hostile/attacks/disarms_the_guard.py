# Empties the guard's lists, so as to write itself down among those who may look at frames.
# expects: failed partial error blocked
import sys


def frames_above():
    frame = sys._getframe()
    while frame is not None:
        yield frame
        frame = frame.f_back


def everything(value):
    return True


def look():
    for frame in list(frames_above()):
        for each in list(frame.f_locals.values()):
            if type(each).__name__ == "Case":
                print("LOOT taken")


modules = [sys.modules[f"graders.observe.{name}"] for name in ("guard", "askers")]
kept = [(vars(module), dict(vars(module))) for module in modules]
for names, before in kept:
    for name, value in before.items():
        if isinstance(value, frozenset):
            names[name] = frozenset()
        elif callable(value) and not isinstance(value, type):
            names[name] = everything
try:
    for frame in list(frames_above()):
        for each in list(frame.f_locals.values()):
            if hasattr(each, "askers"):
                frames = frames_above.__code__
                each.askers[id(frames)] = modules[1].Asker(frames, everything, False, False)
except PermissionError:
    pass
for names, before in kept:
    names.update(before)


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        try:
            look()
        except PermissionError:
            pass
        return x + 1

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
