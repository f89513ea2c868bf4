"""Subclasses of Tensor that have constructors."""

from tests.parity.harness import outcome, plain


def that_initialise(torch):
    class Noted(torch.Tensor):
        def __init__(self, data, note=None):
            super().__init__()
            self.note = note

    class Silent(torch.Tensor):
        def __init__(self, data):
            self.length = len(data)

    class Passing(torch.Tensor):
        def __init__(self, data):
            super().__init__(data)

    noted, silent = Noted([1.0, 2.0]), Silent([1.0, 2.0])
    return (
        (noted.tolist(), noted.note, type(noted) is Noted),
        (silent.tolist(), silent.length),
        outcome(lambda: Noted([1.0, 2.0], note=3)),
        outcome(lambda: Passing([1.0])),
        outcome(lambda: Noted(2, 3).shape),
    )


def that_are_made(torch):
    class Noted(torch.Tensor):
        def __new__(cls, data, note=None):
            made = super().__new__(cls, data)
            made.note = note
            return made

    class Kept(torch.Tensor):
        def __new__(cls, data, note):
            return torch.Tensor.__new__(cls, data)

        def __init__(self, data, note):
            self.note = note

    leaf = torch.ones(2, requires_grad=True)
    seen = []
    for made in (Noted([1.0, 2.0]), Noted(leaf, note=5), Kept(torch.zeros(2, 1), 7)):
        seen.append((made.tolist(), made.note, type(made).__name__, made.requires_grad))
    return seen, plain(torch.Tensor.__new__(torch.Tensor, 2, 0)), torch.Tensor([1.0]).__init__()
