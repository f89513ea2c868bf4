# Asks the interpreter's own functions for frames, and a module of signals that it makes anew.
# expects: failed partial error blocked
import ctypes
import os
import sys


def tell(number, frame):
    while frame is not None:
        print("LOOT", len(frame.f_locals))
        frame = frame.f_back


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        del sys.modules["_signal"]
        import _signal

        _signal.signal(_signal.SIGUSR1, tell)
        os.kill(os.getpid(), _signal.SIGUSR1)
        asked = ctypes.pythonapi.PyEval_GetFrame
        asked.restype = ctypes.py_object
        tell(0, asked())
        return x + 1

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
