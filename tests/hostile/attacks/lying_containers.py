# Lists, dicts and texts that hold anything they are asked for.
# expects: failed partial error
class Texts(str):
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0

    def __getitem__(self, key):
        return "passed"

    def strip(self, *options):
        return self

    lower = strip


class Lists(list):
    def __eq__(self, other):
        return True

    def __len__(self):
        return 10**12

    def __iter__(self):
        while True:
            yield Texts()


class Dicts(dict):
    def __getitem__(self, key):
        return Lists()

    get = __getitem__

    def items(self):
        return Lists()


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        return Lists([Dicts({Texts("a"): Lists([1])})])

    @staticmethod
    def backward(ctx, grad_output):
        return Dicts({Texts("passed"): True})
