"""Products of vectors and matrices, of all ranks."""

from ..expressions import lines, observed

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
