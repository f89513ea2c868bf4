# Prints marks that nobody sees, that turn the writing round, and that tables run, on every way out.
# expects: failed partial error blocked
import sys
import warnings

EVIL = "\x1b]8;;http://example.com\x1b\\click\x1b[?1049h\x9d0;mine\x9c\u2066\u202e\u200b\u200f\ufeff\u061c=cmd|' /C calc'!A0\r\x7f"
print(EVIL * 50)
sys.stderr.write(EVIL)
warnings.warn(EVIL)


class Square(Function):
    __doc__ = EVIL

    @staticmethod
    def forward(ctx, x):
        print(EVIL)
        raise type(EVIL, (Exception,), {})(EVIL)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
