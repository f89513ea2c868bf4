# Is compared, measured, shown and hashed for ever.
# expects: timeout failed partial error
class Endless:
    def __eq__(self, other):
        while True:
            pass

    __hash__ = __len__ = __bool__ = __iter__ = __index__ = __float__ = __eq__

    def __repr__(self):
        while True:
            pass

    __str__ = __format__ = __repr__


class Failure(Exception):
    def __str__(self):
        while True:
            pass


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.kept = Endless()
        raise Failure(Endless())
