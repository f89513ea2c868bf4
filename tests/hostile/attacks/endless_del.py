# Does not let go of what it returns.
# expects: timeout
class Clinging:
    def __del__(self):
        while True:
            pass


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        return Clinging()
