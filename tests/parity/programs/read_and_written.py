"""Tensors that are read and written by the same operator, and what `out=` makes of its target."""

from ..expressions import lines, observed
from ..harness import outcome


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
