"""Writing into expanded tensors and through old orders of arguments: warnings, errors, results."""

from tests.parity.harness import outcome, warned

_WRITES = """
e.copy_(e)
e[1:].copy_(e[1:])
e.__setitem__(slice(0, 1), e[:1])
e.__setitem__(0, e[1])
e.masked_fill_(m, 2.0)
e.masked_fill_(m, torch.tensor(2.0))
e.index_fill_(0, i, 2.0)
e.index_fill_(1, i, torch.tensor(2.0))
e.index_copy_(0, i, y)
e.index_add_(0, i, y)
e.index_put_((i,), y)
e.scatter_(0, j, y)
e.scatter_add_(0, j, y)
e.fill_(1)
e.zero_()
e.copy_(y)
e.add_(1)
e.exp_()
e.masked_scatter_(m, y)
e.put_(j, y)
e.set_(y)
b.masked_fill_(b > 1, b[0, 0])
b.index_fill_(0, i[:1], b[0, 0])
b.masked_fill_(b > 1, 1e40)
torch.full((2,), 1e40)
torch.full((2,), 70000.0, dtype=torch.float16)
torch.full_like(b, 1e300)
b.fill_(1e40)
b.half().fill_(70000)
b.double().fill_(1e40)
b.masked_fill(b > 1, 1e40)
b.index_fill(0, i[:1], 1e40)
b.scatter(1, j[:1], 1e40)
torch.where(b > 1, 1e40, b)
torch.full((2,), float("inf"), dtype=torch.float16)
torch.add(b, 2, y)
torch.add(b, 2, 3)
torch.sub(b, 2, y)
torch.addcmul(b, 2, y, y)
torch.addcdiv(b, 2, y, y)
b.add(2, b)
b.add_(2, b)
b.sub(2, b)
b.addcmul_(2, b, b)
"""


def what_they_say_and_leave(torch):
    return {line: _tried(torch, line) for line in _WRITES.strip().splitlines()}


def _tried(torch, line):
    b = torch.tensor([[1.0, 2.0]])
    names = {
        "torch": torch,
        "b": b,
        "e": b.expand(2, 2),
        "y": torch.tensor([[0.5, 0.25], [0.75, 1.5]]),
        "m": torch.tensor([[True, False], [False, True]]),
        "i": torch.tensor([0, 1]),
        "j": torch.tensor([[0, 1], [1, 0]]),
    }
    seen = []
    texts = warned(lambda: seen.append(outcome(lambda: eval(line, names))))
    return [seen, texts, b.tolist(), b._version]


def gradients_past_filled_places(torch):
    x = torch.tensor([[1.0, 2.0]], requires_grad=True)
    base = x * 1
    seen = base.expand(2, 2)
    seen.masked_fill_(torch.tensor([[True, False], [False, False]]), 5.0)
    total = (seen * torch.tensor([[1.0, 2.0], [3.0, 4.0]])).sum()
    return outcome(total.backward), x.grad, seen, base


def one_side_of_a_diagonal(torch):
    """Zeros are written once, wherever else their place is seen."""
    seen = []
    for shape in ((1, 3), (3, 1), (1, 1), (2, 1, 3)):
        for name in ("tril_", "triu_"):
            for diagonal in (0, -1, 2):
                e = torch.ones(shape).expand(*shape[:-2], 3, 3)
                seen.append([getattr(e, name)(diagonal), e._version])
    x = torch.ones(1, 3, requires_grad=True)
    base = x * 1
    base.expand(3, 3).triu_(1)
    return seen, base, outcome(base.sum().backward), x.grad
