# Puts keys into a trusted module that look at frames while the guard compares them.
# expects: failed partial error blocked
import sys
import traceback


class Key(str):
    found = None

    def __init__(self, name):
        self.name = name

    def __hash__(self):
        return hash(self.name)

    def __eq__(self, other):
        if Key.found is None:
            try:
                Key.found = sys._getframe()
            except PermissionError:
                pass
        return False


place = vars(traceback)
kept = dict(place)
place.clear()
place.update((Key(name), None) for name in kept)
place.update(kept)


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        traceback.extract_stack()
        if Key.found is not None:
            print("LOOT taken")
        return x + 1

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
