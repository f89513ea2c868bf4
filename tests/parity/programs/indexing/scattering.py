"""Elements scattered by indices and masks, written over or combined."""

from tests.parity.expressions import lines, observed
from tests.parity.sessions import shown


def by_old_names(torch):
    return shown(
        torch,
        """
        at = torch.tensor([0, 1])
        torch.zeros(3).scatter(0, at, torch.ones(2), reduce='add')
        torch.zeros(3).scatter(0, at, torch.ones(2), reduce='mean')
        torch.ones(3).scatter_(0, at, torch.ones(2) * 3, reduce='multiply')
        """,
    )


def placing(torch):
    return observed(
        torch,
        lines("""
        x.masked_scatter(b, p)
        torch.masked_scatter(x, b, p)
        x.masked_scatter(b, w)
        x.masked_scatter(b, w[:1])
        x.masked_scatter(b[0], p)
        x.masked_scatter(i, p)
        x.masked_scatter(b, d)
        (x * 1).masked_scatter_(b, p)
        (x * 1).masked_scatter_(b, w[:1])
        x.scatter(0, grid, 2.0, reduce='add')
        x.detach().scatter(0, grid, 2.0, reduce='add')
        x.detach().scatter(0, grid, 2.0, reduce='multiply')
        x.scatter_reduce(0, grid, p, 'sum')
        x.scatter_reduce(0, grid, p, reduce='prod')
        x.scatter_reduce(0, grid, p, reduce='mean')
        x.scatter_reduce(0, grid, p, reduce='amax')
        x.scatter_reduce(0, grid, p, reduce='amin')
        torch.scatter_reduce(x, 1, grid, p, reduce='sum', include_self=False)
        torch.scatter_reduce(x, 1, grid, p, reduce='amax', include_self=False)
        torch.scatter_reduce(x, 1, grid, p, reduce='mean', include_self=False)
        torch.scatter_reduce(x, 1, grid, p, reduce='prod', include_self=False)
        torch.scatter_reduce(x, 1, grid, p, reduce='amin', include_self=False)
        x.scatter_reduce(0, grid, p, 'foo')
        (x * 1).scatter_reduce_(0, grid, p, 'sum')
        x.put(at, w)
        x.put(at, w, accumulate=True)
        torch.put(x, at, w)
        (x * 1).put_(at, w)
        (x * 1).put_(at[:2], w[:2])
        (x * 1).put_(at, w, accumulate=True)
        (x * 1).put_(at, w[:2])
        (x * 1).put_(at + 9, w)
        (x * 1).put_(at - 6, w)
        (x * 1).put_(at.float(), w)
        x.index_fill(1, at, s)
        x.index_fill(1, at, 2)
        (x * 1).index_fill_(1, at, 2)
        (x * 1).index_fill_(1, at, 2.5)
        (x * 1).index_fill_(1, at, s)
        x.index_fill(1, at + 1, 2)
        x.index_fill(1, at.float(), 2)
        x.index_fill(1, at, w)
        s.index_fill(0, torch.tensor([0]), 2.0)
    """),
    )


def by_masks_and_index_put(torch):
    return observed(
        torch,
        lines("""
        x.masked_scatter(b, torch.ones(6))
        torch.zeros(2, 3).masked_scatter(b, x)
        x.masked_scatter(torch.ones(2, 3), x)
        x.clone().masked_scatter_(torch.ones(2, 3), x)
        x.clone().masked_scatter_(b, d)
        x.clone().masked_scatter_(torch.ones(3, 3).bool(), d)
        x.index_put((at, at, at), s)
        x.clone().index_put_((at, at, at), s)
        """),
    )


def rows_added_out_of_range(torch):
    return shown(
        torch,
        """
        A[0].index_add(0, t([5]), A[0, :1])
        A[0].index_add(0, t([5]), A[0, :1], alpha=2)
        A[0].index_add(0, t([2]), A[0, :1], alpha=2)
        """,
    )
