# Has the standard library tell the locals of all frames, and replaces what tells them on the way.
# expects: failed partial error blocked
import builtins
import traceback

tell, taken = builtins.repr, []


class Telling:
    def __repr__(self):
        builtins.repr = lambda value: taken.append(value) or ""
        return ""


def look():
    telling = Telling()
    try:
        traceback.StackSummary.extract(traceback.walk_stack(None), capture_locals=True)
    except PermissionError:
        pass
    builtins.repr = tell


look()
for each in taken:
    if type(each).__name__ in ("Kept", "Channel", "Session"):
        print("LOOT taken")


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        return x + 1

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
