# Raises a SyntaxError of its own making, with a line and a text that are none.
# expects: failed partial error
class Numbers(int):
    def __eq__(self, other):
        return True

    __hash__ = int.__hash__


class Text(str):
    def rstrip(self, *options):
        return self

    def __getitem__(self, key):
        return self * 1000


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        error = SyntaxError(Text("passed"))
        error.lineno, error.text = 10**30, Text("x" * 10**5)
        error.__class__ = type("Passed", (SyntaxError,), {"lineno": Numbers(-1)})
        raise error
