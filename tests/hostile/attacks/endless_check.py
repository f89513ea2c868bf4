# Never comes to an end, once it is looked at.
# expects: timeout
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                continue
