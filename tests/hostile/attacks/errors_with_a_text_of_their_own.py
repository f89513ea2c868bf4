# Raises an error of syntax whose text is no text, and one whose traceback is none.
# expects: failed error
# later: any
class Text(str):
    def rstrip(self):
        return 10**9

    def __getitem__(self, place):
        return object()


class Untraced(Exception):
    @property
    def __traceback__(self):
        return self

    tb_next = None
    tb_lineno = -1
    tb_frame = property(lambda self: self)
    f_code = f_globals = property(lambda self: self)
    co_filename = Text("exercise")


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        if x.dim():
            raise Untraced
        error = SyntaxError("here")
        error.lineno, error.text = 10**30, Text("there")
        raise error
