"""Tensors that are read and written by the same operator, and what `out=` makes of its target."""

from tests.parity.expressions import lines, observed
from tests.parity.harness import outcome


def elements_on_the_move(torch):
    def changed(change):
        x = torch.arange(4)
        return outcome(lambda: (change(x), x)[1])

    at = torch.tensor([3, 2, 1, 0])
    changes = {
        "scatter_": lambda x: x.scatter_(0, at, x),
        "scatter_ of a part": lambda x: x[:2].scatter_(0, at[2:], x[2:]),
        "scatter_add_": lambda x: x.scatter_add_(0, at, x),
        "scatter_ into itself": lambda x: torch.scatter(x, 0, at, at, out=x),
        "index_add_": lambda x: x.index_add_(0, at, x),
        "index_copy_": lambda x: x.index_copy_(0, at, x),
        "index_fill_": lambda x: x.index_fill_(0, x, 3),
        "put_": lambda x: x.put_(at, x),
        "index_put_": lambda x: x.index_put_((at,), x),
        "index_put_ of another size": lambda x: x.index_put_((at[:1],), x, True),
        "assignment": lambda x: x.__setitem__(at, x),
        "assignment of one number": lambda x: x.__setitem__(x, 5),
        "assignment of a part": lambda x: x.__setitem__(x > 1, x[2:]),
        "assignment of another part": lambda x: x.__setitem__(x > 1, x[:2]),
        "assignment of what was indexed": lambda x: x.__setitem__([1, 0], x[[0, 1]]),
        "masked_scatter_": lambda x: x.masked_scatter_(x > 1, x),
        "gather": lambda x: torch.gather(x, 0, at, out=x),
        "index_select": lambda x: torch.index_select(x, 0, at, out=x),
        "take": lambda x: torch.take(x, x, out=x),
        "masked_select": lambda x: torch.masked_select(x, x >= 0, out=x),
        "nonzero": lambda x: torch.nonzero(x, out=x),
        "cat": lambda x: torch.cat([x], out=x),
        "cumsum": lambda x: torch.cumsum(x, 0, out=x),
    }
    return {name: changed(change) for name, change in changes.items()}


def operands_that_would_grow(torch):
    def written(function):
        x = torch.ones(4)
        return outcome(lambda: function(torch.full((2, 1), 2.0), x))

    return [
        written(lambda column, x: torch.add(column, x, out=x)),
        written(lambda column, x: torch.maximum(x, column, out=x)),
        written(lambda column, x: torch.where(column > 0, x, x, out=x)),
        written(lambda column, x: torch.lerp(x, column, 0.5, out=x)),
        written(lambda column, x: torch.clamp(x, column, out=x)),
        written(lambda column, x: torch.eq(x, column, out=x)),
        written(lambda column, x: torch.mul(x, x, out=x)),
        outcome(lambda: torch.mul(empty := torch.ones(0), torch.ones(4, 1), out=empty)),
    ]


def forms_with_a_target(torch):
    return observed(
        torch,
        lines("""
        torch.sum(o.detach(), out=torch.empty(0))
        torch.sum(o.detach(), dtype=torch.float64, out=torch.empty(0))
        torch.sum(o.detach(), 0, out=torch.empty(0))
        torch.prod(o.detach(), out=torch.empty(0))
        torch.max(i, out=torch.empty(0))
        torch.max(i, 0, out=torch.empty(0))
        torch.max(i, 0, out=(torch.empty(0), torch.empty(0, dtype=torch.long)))
        torch.max(i, i, out=torch.empty(0))
        torch.sort(at, out=torch.empty(0))
        str(torch.sort(at, out=(torch.empty(0).long(), torch.empty(0).long())))
        torch.argsort(at, out=torch.empty(0).long())
        torch.argsort(at, stable=True, out=torch.empty(0).long())
        torch.where(b, i, 2, out=torch.empty(0).long())
        torch.cumsum(o.detach(), 0, dtype=torch.float64, out=torch.empty(0))
        torch.cumsum(o.detach(), 0, dtype=torch.float64, out=torch.empty(0).double())
        torch.sum(o.detach(), 0, dtype=torch.float64, out=torch.empty(0))
        torch.mean(o.detach(), 0, dtype=torch.float64, out=torch.empty(0))
    """),
    )


def sources_of_other_ranks(torch):
    return observed(
        torch,
        lines("""
        x.scatter(1, grid[:, :1], s)
        x.scatter_add(1, grid[:, :1], s)
        w.scatter(0, at[:2], s)
        w.scatter(0, at[:1], s)
        s.scatter(0, at[1:2], w[:1])
        w.scatter(0, at[0], w)
        w.scatter_add(0, at[0], p[0])
        w.detach().scatter_reduce(0, at[0], w.detach(), "sum")
        w.scatter_add(0, at[0], s)
    """),
    )


def copies_within_one_memory(torch):
    def changed(shape, written, read, dtype=torch.float32):
        def copy():
            x = torch.arange(12).to(dtype).view(shape)
            written(x).copy_(read(x))
            return x

        return outcome(copy)

    parts = {
        "to the right": lambda x: (x[:, 1:], x[:, :-1]),
        "to the left": lambda x: (x[:, :-1], x[:, 1:]),
        "two steps": lambda x: (x[:, 2:], x[:, :-2]),
        "down": lambda x: (x[1:], x[:-1]),
        "transposed": lambda x: (x[:, :2], x[:, :2].t()),
        "into the transposed": lambda x: (x[:, :2].t(), x[:, :2]),
        "one for all": lambda x: (x, x[1, 1]),
        "one row for all": lambda x: (x[:, :2], x[1, :2]),
        "every other": lambda x: (x.view(-1)[2::2], x.view(-1)[:-2:2]),
        "other steps": lambda x: (x.view(-1)[::2], x.view(-1)[:6]),
        "dense in another order": lambda x: (
            x.as_strided((1, 2, 2), (4, 2, 1)),
            x.as_strided((1, 2, 2), (4, 1, 2), 1),
        ),
        "itself": lambda x: (x, x.view(x.shape)),
    }
    return {
        f"{name}, {dtype}": changed(
            (2, 6), lambda x, f=f: f(x)[0], lambda x, f=f: f(x)[1], getattr(torch, dtype)
        )
        for name, f in parts.items()
        for dtype in ("float32", "int64")
    }


def assignments_from_the_same_rows(torch):
    a = torch.arange(8.0, requires_grad=True)
    x = (a * 1).view(2, 4)
    x[:, 1:] = x[:, :-1]
    (g,) = torch.autograd.grad(x, a, torch.arange(1.0, 9.0).view(2, 4))
    return x, x._version, g


def arithmetic_within_one_memory(torch):
    def changed(change):
        x = (torch.arange(12.0) + 1).view(3, 4)
        return outcome(lambda: (change(x), x, x._version)[1:])

    return {
        "by the first column": changed(lambda x: x.div_(x[:, :1])),
        "by the last column": changed(lambda x: x.div_(x[:, -1:])),
        "less the second column": changed(lambda x: x.sub_(x[:, 1:2])),
        "less the first row": changed(lambda x: x.sub_(x[0])),
        "less the diagonal": changed(lambda x: x[:, :3].sub_(x.diagonal())),
        "with the left": changed(lambda x: x[:, 1:].add_(x[:, :-1])),
        "with the right": changed(lambda x: x[:, :-1].add_(x[:, 1:], alpha=2)),
        "times the transposed": changed(lambda x: x[:, :3].mul_(x[:, :3].t())),
        "transposed times the others": changed(lambda x: x[:, :3].t().mul_(x[:, 1:])),
        "by one of them": changed(lambda x: x.div_(x[1, 1])),
        "to their powers": changed(lambda x: x[:2, 1:].pow_(x[:2, :-1] / 4)),
        "two others": changed(lambda x: x[:, 1:].addcmul_(x[:, :-1], x[:, 1:])),
        "towards": changed(lambda x: x[:, 1:].lerp_(x[:, :-1], 0.5)),
        "less than": changed(lambda x: x.lt_(x[:, 1:2])),
        "of another shape": changed(lambda x: x[:, :1].add_(x[:, 1:3])),
        "integers": changed(lambda x: x.long().view(4, 3).t().sub_(x.long()[:, :1])),
        "quotients of what is whole": outcome(
            lambda: (lambda x: x.div_(x[:, :1]))(torch.arange(4).view(2, 2))
        ),
        "a memory": changed(lambda x: x.detach()[:, 1:].add_(x.data[:, :-1])),
    }


def gradients_within_one_memory(torch):
    a = (torch.arange(6.0) + 1).requires_grad_()
    x = (a * 1).view(2, 3)
    x -= x[:, :1]
    y = (a * 1).view(2, 3)
    y *= y[:, :1]
    weights = torch.arange(6.0).view(2, 3)
    return (
        [x, torch.autograd.grad(x, a, weights)],
        [y, outcome(lambda: torch.autograd.grad(y, a, weights))],
    )


def indices_within_one_memory(torch):
    def assigned(index, part):
        a = torch.arange(12.0, requires_grad=True)
        x = (a * 1).view(3, 4)
        x[index] = part(x)
        return x, torch.autograd.grad(x, a, torch.arange(12.0).view(3, 4))

    every = slice(None)
    parts = {
        "columns to the right": ((every, [1, 2]), lambda x: x[:, :2]),
        "columns to the left": ((every, [0, 1]), lambda x: x[:, 1:3]),
        "columns turned round": ((every, [3, 2, 1]), lambda x: x[:, :3]),
        "one column twice": ((every, [1, 1]), lambda x: x[:, :2]),
        "one column for all": ((every, [1, 0]), lambda x: x[:, 1:2]),
        "rows": (([1, 2],), lambda x: x[:2]),
        "of another shape": ((every, [1, 2]), lambda x: x[:, :3]),
    }
    return {
        name: outcome(lambda index=index, part=part: assigned(index, part))
        for name, (index, part) in parts.items()
    }


def rows_copied_onto_themselves_are_refused_first(torch):
    def written(change):
        x = torch.arange(4.0)
        return [outcome(lambda: change(x)), x]

    two, far = torch.tensor([0, 1]), torch.tensor([0, 9, 1, 2])
    return [
        written(lambda x: x.index_copy_(0, two, x)),
        written(lambda x: x.index_copy_(0, far, x)),
        written(lambda x: x.index_copy_(0, x, x)),
        written(lambda x: x.index_copy_(5, two, x)),
        written(lambda x: x.index_copy_(0, two, x.double())),
        written(lambda x: x[:1].expand(4).index_copy_(0, far, torch.ones(4))),
        written(lambda x: x.requires_grad_().index_copy_(0, two, x)),
        written(lambda x: x.index_copy_(0, two, 3)),
    ]
