# Puts another module in the place of one that the observers work with, while they do.
# expects: failed partial error blocked
import sys
import types

fake = types.ModuleType("binascii")
fake.b2a_base64 = lambda *data, **options: b"AAAA"


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        sys.modules["binascii"] = sys.modules["graders.observe.codec"] = fake
        return x + 1

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
