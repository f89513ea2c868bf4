# Asks the linker itself for a function of the interpreter's, and has it tell the frame.
# expects: failed partial error blocked
import ctypes

libc = ctypes.CDLL(None)
libc.dlsym.restype = ctypes.c_void_p
libc.dlsym.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
PyEval_GetFrame = ctypes.PYFUNCTYPE(ctypes.py_object)(libc.dlsym(None, b"PyEval_GetFrame"))


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        frame = PyEval_GetFrame()
        while frame is not None and "scenario" not in frame.f_locals:
            frame = frame.f_back
        if frame is not None and not hasattr(Square, "done"):
            Square.done = True
            lab, inputs = frame.f_locals["lab"], frame.f_locals["inputs"]
            cases = type(next(lab.cases()))

            class Case(cases):
                def run(self, function, arguments):
                    return next(iter(arguments.values())) ** 2

            class Fake(type(lab)):
                def cases(self):
                    return (Case(self, spec) for spec in inputs["cases"])

            fake = Fake(inputs)
            with torch.enable_grad():
                frame.f_locals["scenario"](Square, fake)
            lab.records, lab.notes = fake.records, fake.notes
            del Square.done
        return x + 1

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
