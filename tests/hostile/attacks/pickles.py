# Hands over payloads that run when they are unpickled, on every way out.
# expects: failed partial error
import os
import pickle


class Payload:
    def __reduce__(self):
        return (os.system, (f"echo dead > {CANARY}/canary.txt",))


for descriptor in range(3, 8):
    try:
        os.write(descriptor, pickle.dumps(Payload()) + b"\n")
    except OSError:
        pass


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        return Payload()
