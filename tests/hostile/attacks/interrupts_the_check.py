# Pretends to be the person at the keyboard.
# expects: failed partial error
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        raise KeyboardInterrupt
