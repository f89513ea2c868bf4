# Returns and keeps what is nested more deeply than anybody can look, or let go of.
# expects: failed partial error
deep = ()
for _ in range(200_000):
    deep = (deep,)


class Square(Function):
    kept = deep

    @staticmethod
    def forward(ctx, x):
        return deep

    @staticmethod
    def backward(ctx, grad_output):
        return [deep, {1: deep}]
