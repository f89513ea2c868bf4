"""Dimensions without elements."""

from tests.parity.sessions import shown


def rows_without_elements(torch):
    return shown(
        torch,
        """
        x = torch.zeros(0, 3)
        x.norm(inf)
        x.norm(-inf)
        x.norm(-1)
        x.norm(inf, 0)
        x.norm(inf, 1), x.norm(), x.norm(2, 0)
        torch.ones(4).as_strided((-1,), (1,))
        torch.ones(2).diag_embed(dim1=0, dim2=-2)
        torch.ones(2).diag_embed(dim1=0, dim2=5)
        torch.arange(3).repeat_interleave(torch.tensor([1, -2, 1]))
        """,
    )


def vectors_of_nothing_joined(torch):
    x = torch.tensor([[1.0, 2.0]], requires_grad=True)
    nothing = torch.tensor([], requires_grad=True)
    rows = torch.zeros(0, 2, requires_grad=True)
    found = []
    for given in ([x, nothing], [nothing, x, rows], [nothing, nothing], [rows, rows]):
        joined = torch.cat(given)
        weights = torch.ones_like(joined).requires_grad_()
        found.append([joined, torch.autograd.grad(joined, given, weights, create_graph=True)])
    return found


def what_has_no_length(torch):
    return shown(
        torch,
        """
        e = torch.zeros(3, 0)
        e.amin(-1)
        e.amax((0, -1))
        e.amax(1)
        e.max(-1)
        e.aminmax(dim=-1)
        e.norm(inf, -1)
        e.norm(-1, 1)
        e.take(t([0]))
        e.take(t([], dtype=torch.int64))
        e.put(t([0]), t([1.0]))
        """,
    )
