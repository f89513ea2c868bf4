# Has the linker find how the interpreter is told to trace, and watches the observers.
# expects: failed partial error blocked
import ctypes

libc = ctypes.CDLL(None)
libc.dlsym.restype = ctypes.c_void_p
libc.dlsym.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
KIND = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.py_object, ctypes.c_int, ctypes.c_void_p)


def told(thing, frame, what, argument):
    names = frame.f_locals
    if "lab" in names and hasattr(names["lab"], "records"):
        names["lab"].records.clear()
    return 0


called = KIND(told)
trace = ctypes.PYFUNCTYPE(None, KIND, ctypes.py_object)(libc.dlsym(None, b"PyEval_SetTrace"))
trace(called, None)
Square = Wrong
