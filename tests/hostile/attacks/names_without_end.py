# Raises errors whose classes, texts and causes have no end.
# expects: failed error timeout
# later: any
class Kind(type):
    __name__ = property(lambda cls: 5)

    def __getattribute__(cls, name):
        raise RuntimeError(name)


class Odd(Exception, metaclass=Kind):
    def __str__(self):
        return Text("<script>")


class Text(str):
    def __getitem__(self, place):
        return b"\xff"

    def encode(self, *options):
        return b"\xff\xfe"


deep = ValueError("deep")
for _ in range(5_000):
    deep = ExceptionGroup("group", [deep])
deep.__cause__ = deep
deep.__notes__ = ["note" * 10**6]


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        raise Odd("\ud800") if x.dim() else deep
