# Makes a module of signals anew, under a name that is found in no table, and has a handler told of frames.
# expects: failed partial error blocked
import _imp
import os


class Name(str):
    __hash__ = lambda self: 1
    __eq__ = lambda self, other: False


class Spec:
    name = Name("_signal")


def swap(number, frame):
    while frame is not None and "lab" not in frame.f_locals:
        frame = frame.f_back
    if frame is not None:
        print("LOOT taken")


signals = _imp.create_builtin(Spec)
_imp.exec_builtin(signals)
signals.signal(10, swap)


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        os.kill(os.getpid(), 10)
        return x + 1

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
