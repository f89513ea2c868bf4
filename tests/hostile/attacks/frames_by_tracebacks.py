# Has the standard library hand out frames, by functions that stand in for its own, and swaps the observers' notes.
# expects: failed partial error blocked
import traceback

found = []


def frame():
    told, traceback.walk_stack = traceback.walk_stack, lambda frame: found.append(frame) or iter(())
    try:
        traceback.extract_stack()
    finally:
        traceback.walk_stack = told
    return found.pop()


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        here = frame()
        while here is not None:
            print("LOOT", len(here.f_locals))
            here = here.f_back
        return x + 1

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
