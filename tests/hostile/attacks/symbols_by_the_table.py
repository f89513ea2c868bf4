# Works out where the interpreter's functions are from the table in its file and the place of a class, and calls one.
# expects: failed partial error blocked
import ctypes
import glob
import os
import struct
import sys


def symbols(path):
    raw = open(path, "rb").read()
    start = struct.unpack_from("<Q", raw, 40)[0]
    size, count = struct.unpack_from("<HH", raw, 58)
    parts = [struct.unpack_from("<IIQQQQIIQQ", raw, start + size * n) for n in range(count)]
    for each in parts:
        if each[1] in (2, 11):
            names = parts[each[6]][4]
            for at in range(each[4], each[4] + each[5], 24):
                name, _, _, _, value, _ = struct.unpack_from("<IBBHQQ", raw, at)
                yield raw[names + name : raw.index(b"\0", names + name)], value


get = None
near = [os.path.realpath(sys.executable), *glob.glob(sys.base_prefix + "/lib/libpython*.so*")]
for path in near:
    known = dict(symbols(path))
    if known.get(b"PyEval_GetFrame"):
        place = id(int) - known[b"PyLong_Type"] + known[b"PyEval_GetFrame"]
        get = ctypes.PYFUNCTYPE(ctypes.py_object)(place)


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        frame = get()
        while frame is not None and "scenario" not in frame.f_locals:
            frame = frame.f_back
        if frame is not None:
            print("LOOT taken")
        return x + 1

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
