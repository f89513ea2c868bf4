"""Products of vectors and matrices, of all ranks."""

from tests.parity.expressions import lines, observed
from tests.parity.harness import graph, outcome
from tests.parity.sessions import shown

RANKS = [
    "w",
    "q[0]",
    "x",
    "q",
    "k",
    "k.mT",
    "k[:1]",
    "k[None]",
    "k.mT[:, None]",
    "s",
    "z",
    "n",
    "x[:, :0]",
]


def of_all_ranks(torch):
    return observed(torch, [f"torch.matmul({a}, {b})" for a in RANKS for b in RANKS])


def by_name(torch):
    return observed(
        torch,
        lines("""
        x @ q
        x.matmul(q)
        x.mm(q)
        torch.mm(x, q)
        torch.mm(input=x, mat2=q)
        torch.mm(x, x)
        torch.mm(w, x)
        torch.mm(x, w)
        torch.mm(x, k)
        torch.mm(z, q)
        torch.mm(x, d.t())
        torch.mm(i, i.t())
        torch.mm(j, j.t())
        torch.mm(u, u.t())
        torch.mm(b, b.t())
        torch.mm(h, h.t())
        torch.mm(i, q)
        x @ i.t()
        torch.mv(x, w)
        x.mv(vec=w)
        torch.mv(x, x)
        torch.mv(w, w)
        torch.mv(x, q[0])
        torch.mv(x, d[0])
        torch.mv(i, i[0])
        torch.mv(z, w)
        torch.dot(w, w)
        w.dot(tensor=x[0])
        torch.dot(w, q[0])
        torch.dot(x, w)
        torch.dot(w, d[0])
        torch.dot(i[0], i[1])
        torch.dot(z[:, 0], z[:, 1])
        torch.dot(w, s)
        torch.outer(w, x[0])
        torch.ger(w, w)
        w.outer(w)
        torch.outer(x, w)
        torch.outer(w, i[0])
        torch.bmm(k, k.mT)
        k.bmm(k.mT)
        torch.bmm(k, k)
        torch.bmm(k, x)
        torch.bmm(x, k)
        torch.bmm(k, k.mT[:1])
        torch.bmm(k, k.mT.double())
        torch.addmm(x[:, :2], x, q)
        torch.addmm(w[:2], x, q)
        torch.addmm(c, x, q)
        torch.addmm(w[:2], x, q, beta=2, alpha=3)
        torch.addmm(w[:2], x, q, alpha=0.5)
        torch.addmm(w[:2], x, q, beta=0)
        x[:, :2].addmm(x, q)
        torch.addmm(w, x, q)
        torch.addmm(w[:2], x, x)
        torch.addmm(w[:2], w, q)
        torch.addmm(w[:2], x, w)
        torch.addmm(w[:2].double(), x, q)
        torch.addmm(i, i, i)
        torch.einsum('ij,jk->ik', x.detach(), q.detach()) * 1
        torch.einsum('ij,jk', x.detach(), q.detach()) * 1
        torch.einsum('ij->ji', x.detach()) * 1
        torch.einsum('ij->', x.detach()) * 1
        torch.einsum('i,i', w.detach(), w.detach()) * 1
        torch.einsum('i,j->ij', w.detach(), w.detach()) * 1
        torch.einsum('bij,bkj->bik', k.detach(), k.detach()) * 1
        torch.einsum('...ij,jk->...ik', k.detach(), q.detach()) * 1
        torch.einsum('...j,j', k.detach(), w.detach()) * 1
        torch.einsum('ii', (x @ q).detach()) * 1
        torch.einsum('ii->i', (x @ q).detach()) * 1
        torch.einsum('ij,ij->i', x.detach(), x.detach()) * 1
        torch.einsum('ij,j,ij->i', x.detach(), w.detach(), x.detach()) * 1
        torch.einsum('ij, jk -> ik', x.detach(), q.detach()) * 1
        torch.einsum('ij,jk->ik', [x.detach(), q.detach()]) * 1
        torch.einsum('ij,jk->ik', x.detach()) * 1
        torch.einsum('ij->i', x.detach(), x.detach()) * 1
        torch.einsum('ij,jk->ik', x.detach(), x.detach()) * 1
        torch.einsum('ijk->i', x.detach()) * 1
        torch.einsum('ij->k', x.detach()) * 1
        torch.einsum('ij->ii', x.detach()) * 1
        torch.einsum('bij,bjk->bik', k.detach(), k.mT.detach()) * 1
        torch.einsum('i,ij,j->', w[:2].detach(), x.detach(), w.detach()) * 1
    """),
    )


def layers(torch):
    return observed(
        torch,
        lines("""
        F.linear(x, q.t())
        F.linear(x, q.t(), w[:2])
        F.linear(input=x, weight=q.t(), bias=w[:2])
        F.linear(w, q.t())
        F.linear(w, q.t(), w[:2])
        F.linear(k, q.t())
        F.linear(k, q.t(), w[:2])
        F.linear(k.transpose(0, 1), q.t(), w[:2])
        F.linear(k[None], q.t(), w[:2])
        F.linear(x, w)
        F.linear(w, w)
        F.linear(k, w)
        F.linear(x, w, s)
        F.linear(x, q)
        F.linear(x, q, w)
        F.linear(w, q)
        F.linear(k, q)
        F.linear(x, d)
        F.linear(x, x, w)
        F.linear(x, x, d[0, :2])
        F.linear(i, i)
        F.linear(z, x)
        F.linear(z, x, w[:2])
        F.linear(s, x)
        F.linear(x, k)
    """),
    )


def products_of_vectors_and_matrices_by_their_graphs(torch):
    """Inner and Kronecker products are made of views, a cross product of one dtype alone."""
    seen = []
    for shapes in ((2, 2), (2, (1, 2)), ((1, 2), (1, 2)), ((3, 2), 2), (2, (3, 2)), (0, (2, 0)),
                   ((1, 1), (3, 1)), ((2, 3, 2), (4, 5, 2))):  # fmt: skip
        x, y = [torch.ones(shape, requires_grad=True) for shape in shapes]
        for product in (torch.inner, torch.kron):
            seen.append([graph(product(x, y).grad_fn), product(x, y)])
    turned = torch.arange(6.0).reshape(2, 3).t().requires_grad_()
    inner = torch.inner(turned, turned)
    inner.sum().backward()
    kinds = torch.float16, torch.float32, torch.int32, torch.bool
    crossed = [
        outcome(lambda: torch.linalg.cross(torch.ones(2, 3).to(a), torch.ones(2, 3).to(b)))  # noqa: B023
        for a in kinds
        for b in kinds
    ]
    return [
        *seen,
        graph(inner.grad_fn),
        turned.grad,
        outcome(lambda: torch.kron(torch.ones(2, 2), turned)),
        crossed,
        outcome(lambda: torch.cross(torch.ones(2, 3), torch.ones(4, 3).double(), dim=-1)),
        outcome(lambda: torch.cross(torch.ones(2, 3), torch.ones(1, 3), dim=-1)),
    ]


def crossed(torch):
    return shown(
        torch,
        """
        torch.cross(torch.ones(3), torch.arange(3.0))
        torch.cross(torch.ones(2, 3), torch.ones(2, 3))
        torch.cross(torch.ones(3, 3), torch.arange(9.0).reshape(3, 3))
        torch.cross(torch.ones(2), torch.ones(2))
        torch.ones(4, 2).cross(torch.ones(4, 2))
        """,
    )


def products_that_are_not_folded(torch):
    """Neither a matrix times stacked ones, nor stacked ones with gaps times a vector."""
    whole = torch.arange(24.0).requires_grad_()
    stacked = whole.reshape(2, 3, 4)
    turned = whole.reshape(4, 2, 3).transpose(0, 1)
    seen = []
    for product in (torch.arange(6.0).reshape(2, 3) @ stacked, turned @ torch.arange(3.0)):
        (gradient,) = torch.autograd.grad(product, whole, torch.ones_like(product))
        seen.append([product, graph(product.grad_fn), gradient])
    return seen


def inner_and_crossed(torch):
    return observed(
        torch,
        lines("""
        torch.inner(x, x)
        torch.inner(w, w)
        torch.inner(x, w)
        x.inner(w)
        torch.inner(s, x)
        torch.inner(x, q)
        torch.cross(x, p, dim=1)
        x.cross(w.expand(2, 3), dim=1)
        torch.cross(x, w, dim=1)
        torch.linalg.cross(x, p)
        torch.cross(x, p, dim=0)
        torch.kron(x, p)
        x.kron(w)
        torch.kron(w, s)
        torch.kron(n, n)
        (x * 1).addmm_(x, torch.eye(3), beta=2, alpha=3)
        (x * 1).addmm_(x, torch.eye(3))
        torch.addmm(w, x, torch.eye(3), beta=0)
    """),
    )


def linear_with_unusual_biases(torch):
    linear = torch.nn.functional.linear
    weight = torch.ones(2, 3, requires_grad=True)
    found = []
    for x in (torch.ones(3), torch.ones(1, 2, 3), torch.ones(2, 4, 3).transpose(0, 1)):
        for bias in (torch.tensor(1.0), torch.ones(1), torch.ones(2), torch.ones(4)[::2]):
            z = linear(x, weight, bias)
            found.append([z, z._version])
    return [
        found,
        outcome(lambda: linear(torch.ones(1, 2, 3), torch.ones(3), torch.ones(1))),
        outcome(lambda: linear(torch.ones(2, 3, 0), torch.ones(2, 0), torch.ones(2))),
        outcome(lambda: linear(torch.ones(0), torch.ones(3, 1), torch.ones(3))),
    ]


def products_that_do_not_count(torch):
    nan = torch.tensor([[float("nan"), 1.0], [1.0, float("inf")]])
    ones = torch.ones(2, 2)
    return [
        torch.addmm(ones, nan, ones, alpha=0),
        torch.addmm(ones.half(), nan.half(), ones.half(), alpha=0),
        torch.addmm(nan, ones, ones, beta=0),
        torch.baddbmm(ones[None], nan[None], ones[None], alpha=0),
    ]
