"""What few programs write: subclasses with constructors, several Ellipses, tensors as options."""

from ..harness import graph, outcome, plain
from ..sessions import shown


def subclasses_that_initialise(torch):
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


def subclasses_that_are_made(torch):
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


def several_ellipses(torch):
    return shown(
        torch,
        """
        A[..., ..., :].shape, A[0, ..., ..., :].shape
        A[..., ..., 1]
        m = A[0].clone()
        m[..., ...], m[..., 1, ...], m[..., ..., :, :]
        m[..., ..., :] = -1
        m, m._version
        m[..., ..., 0]
        m[..., ..., ..., -1] = 2
        m[..., ..., 1:]
        m[..., ..., ::2] = 3
        m[..., ..., [0]]
        m[..., ..., t([True, False])] = 4
        m, m._version
        """,
    )


def scalars(torch):
    return shown(
        torch,
        """
        torch.scalar_tensor([1])
        torch.scalar_tensor((1,))
        torch.scalar_tensor(None)
        torch.scalar_tensor(np.ones(()))
        torch.scalar_tensor(t([1]))
        torch.scalar_tensor(t(1.0, requires_grad=True))
        torch.scalar_tensor(t(2)), torch.scalar_tensor(np.float32(1.5)), torch.scalar_tensor(True)
        """,
    )


def dicts_of_modules(torch):
    return shown(
        torch,
        """
        d = torch.nn.ModuleDict({'a': torch.nn.ReLU(), 'b': torch.nn.Tanh()})
        d.items(), d.values(), list(d), 'a' in d, 'c' in d
        d.get('a')
        d.popitem()
        d.pop('a'), len(d)
        d.pop('a')
        d == d, d == torch.nn.ModuleDict(), hash(d) == hash(d)
        torch.nn.ModuleDict(d)
        d.clear(), d
        """,
    )


def options_that_are_tensors(torch):
    def trained(kind, **options):
        p = torch.tensor([1.0, -2.0], requires_grad=True)
        optimizer = kind([p], 0.125, **options)
        for _ in range(3):
            optimizer.zero_grad()
            (p * p).sum().backward()
            optimizer.step()
        return plain(p), plain(list(optimizer.state[p].values())[-1])

    half, quarter, sgd = torch.tensor(0.5), torch.tensor(0.25), torch.optim.SGD
    return (
        trained(sgd, momentum=half, weight_decay=quarter),
        trained(sgd, momentum=half, dampening=quarter),
        trained(sgd, momentum=half, nesterov=True),
        trained(torch.optim.Adam, eps=quarter, weight_decay=half),
    )


def mistakes(torch):
    return shown(
        torch,
        """
        F = torch.nn.functional
        F.nll_loss(torch.ones(2), torch.ones(2))
        F.nll_loss(torch.ones(2), t([0, 1], dtype=torch.int32))
        F.nll_loss(torch.ones(2), t([0, 1])), F.nll_loss(torch.ones(2), t([], dtype=torch.int64))
        F.nll_loss(torch.ones(2), t([1])), F.nll_loss(torch.ones(2), t(1))
        F.cross_entropy(S, S)
        F.cross_entropy(S, S, label_smoothing=0.5, reduction="none")
        S.repeat_interleave(2, 0)
        S.repeat_interleave(2, -1)
        S.repeat_interleave(-2, 0)
        S.repeat_interleave(t(2), 0)
        S.repeat_interleave(2), S.repeat_interleave(t([3])), t([1, 2]).repeat_interleave(t(2), 0)
        t([1, 2]).repeat_interleave(t([[2, 1]]))
        A[0].index_add(0, t([5]), A[0, :1])
        A[0].index_add(0, t([5]), A[0, :1], alpha=2)
        A[0].index_add(0, t([2]), A[0, :1], alpha=2)
        """,
    )


def cosines_of_what_is_broadcast(torch):
    cosine = torch.nn.functional.cosine_similarity
    a = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    b = torch.tensor([2.0, 1.0], requires_grad=True)
    return (
        [graph(cosine(a, each, dim=0).grad_fn) for each in (a, a.detach(), b, b[None])],
        [plain(each) for each in torch.autograd.grad(cosine(a, b, dim=0).sum(), (a, b))],
        outcome(lambda: cosine(a, torch.ones(3))),
        outcome(lambda: cosine(a, torch.ones(()), dim=0)),
    )
