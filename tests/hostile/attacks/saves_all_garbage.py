# Has the collector keep what it finds, and looks for observers in it.
# expects: failed partial error blocked
import gc


def look():
    gc.set_debug(gc.DEBUG_SAVEALL)
    gc.collect()
    for each in gc.garbage:
        if type(each).__name__ in ("Lab", "Case", "Channel", "Session"):
            print("LOOT taken")
            each.records.clear()
    gc.set_debug(0)


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        look()
        return x + 1

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
