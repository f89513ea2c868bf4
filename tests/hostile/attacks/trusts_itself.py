# Writes itself down among those who may look at frames.
# expects: failed partial error blocked
import sys


def look():
    frame = sys._getframe()
    while frame is not None:
        for each in list(frame.f_locals.values()):
            if type(each).__name__ == "Case":
                print("LOOT taken")
                each.records.update(dict.fromkeys(each.records, True))
        frame = frame.f_back


askers = sys.modules["graders.observe.askers"]
parts = object.__new__(sys.modules["graders.observe.parts"].Parts)
parts.set_so_far = 0
trusted = askers.trusted(parts)
trusted[id(look.__code__)] = askers.Asker(look.__code__, lambda frame: True, False, False)


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
