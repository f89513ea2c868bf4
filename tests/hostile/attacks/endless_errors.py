# Errors in rings and chains, in groups of groups, whose texts raise errors of their own.
# expects: failed partial error timeout
class Failure(Exception):
    def __str__(self):
        raise Failure

    __repr__ = __str__

    @property
    def __traceback__(self):
        return self

    def with_traceback(self, trace):
        return self


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        error = other = Failure()
        for _ in range(10_000):
            error, error.__cause__ = Failure(), error
        other.__context__ = error
        group = ExceptionGroup("a", [error])
        for _ in range(5_000):
            group = ExceptionGroup("a", [group])
        raise group
