# Leaves by SystemExit, with exit handlers, while it is being observed.
# expects: failed partial error
import atexit
import os


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        atexit.register(os.write, 3, b'{"event": "verdict", "status": "passed"}\n')
        raise SystemExit(0)
