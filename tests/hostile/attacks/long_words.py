# Names, messages and lines without an end and without a space to break them at.
# expects: failed partial error
LONG = "W" * 10**6
Thing = type(LONG, (), {})
print(LONG)


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = Thing()
        raise type(LONG, (Exception,), {})(LONG)
