"""Operators that are asked for less often, and the errors of those that are not."""

from ..expressions import lines, observed


def in_whole_numbers(torch):
    return observed(
        torch,
        lines("""
        i << 1
        i << i
        2 << i
        2 >> i
        i >> 1
        u >> 1
        x << 1
        x >> 1
        x << x
        b << 1
        torch.bitwise_left_shift(i, 1)
        torch.bitwise_left_shift(1, i)
        i.bitwise_left_shift(1)
        1 & i
        1 | i
        3 ^ i
        True & b
        True | b
        False ^ b
        1 & x
        x & 1
        x & x
        x | 1
        x ^ x
        ~x
        x.bitwise_not()
        torch.bitwise_not(x)
        b ** b
        b // b
        b % b
        b.fmod(b)
        b ** 2
        2 ** b
        b // True
        b % True
        b / b
        b - b
        b - True
        torch.tensor(200, dtype=torch.uint8) + torch.tensor(100, dtype=torch.uint8)
        torch.tensor(200, dtype=torch.uint8) * 2
        -torch.tensor(200, dtype=torch.uint8)
        torch.tensor(100, dtype=torch.int8) + torch.tensor(100, dtype=torch.int8)
        torch.tensor(200, dtype=torch.uint8) + 300
    """),
    )


def extremes_in_twos(torch):
    return observed(
        torch,
        lines("""
        x.cummax(1)
        torch.cummax(x, dim=0)
        x.cummin(1)
        t.cummax(1)
        t.cummin(1)
        nan.cummax(0)
        nan.cummin(0)
        i.cummax(0)
        s.cummax(0)
        x.cummax(2)
        torch.aminmax(x)
        x.aminmax(dim=1)
        t.aminmax(dim=1, keepdim=True)
        t.aminmax()
        i.aminmax()
        z.aminmax()
        s.aminmax(dim=0)
        s.aminmax(dim=0, keepdim=True)
    """),
    )


def pairs(torch):
    return observed(
        torch,
        lines("""
        torch.hypot(x, p)
        torch.hypot(x, w)
        x.hypot(w)
        torch.hypot(x, d)
        torch.hypot(i, i)
        torch.fmax(x, w)
        torch.fmin(x, w)
        torch.fmax(nan, nan.flip(0))
        torch.fmin(nan, nan.flip(0))
        torch.fmax(i, x)
        torch.fmax(t, t)
        torch.xlogy(x, p)
        torch.xlogy(o, o.abs())
        torch.xlogy(2, p)
        torch.xlogy(x, 3.0)
        x.xlogy(p)
        torch.xlogy(i, i.abs())
    """),
    )


def products(torch):
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


def questions(torch):
    return observed(
        torch,
        lines("""
        torch.isposinf(nan)
        torch.isneginf(nan)
        torch.signbit(nan)
        torch.signbit(x)
        torch.signbit(i)
        torch.isposinf(i)
        torch.isneginf(u)
        torch.signbit(b)
    """),
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


def turned(torch):
    return observed(
        torch,
        lines("""
        x.T
        w.mT
        x.mT
        k.mT
        x.H
        w.H
        k.H
        x.mH
        k.mH
        w.mH
        x.adjoint()
        k.adjoint()
        w.adjoint()
    """),
    )


def in_place(torch):
    return observed(
        torch,
        lines("""
        (x * 1).masked_scatter_(b, p)
        (x * 1).masked_scatter_(b, w[:1])
        k.unsqueeze(0).unsqueeze(0).clone().squeeze_((0, 1))
        c.clone().squeeze_((0, 1))
        torch.zeros(1, 1, 3).squeeze_((0, 1))
        torch.zeros(1, 1, 3, requires_grad=True).clone().squeeze_((0, 1))
        (x * 1).floor_divide_(w)
        (x * 1).floor_divide_(2)
        i.floor_divide_(2)
        i.floor_divide_(2.0)
        i.floor_divide_(x)
        x.detach().floor_divide_(2)
        (x * 1).clamp_min_(0.1)
        (x * 1).clamp_max_(0.1)
        (x * 1).clamp_min_(w)
        (x * 1).clamp_max_(w)
        x.clamp_min(w)
        x.clamp_max(w)
        (x * 1).scatter_(0, grid, p)
        (x * 1).scatter_(0, grid, 2.0)
        (x * 1).scatter_add_(0, grid, p)
        (x * 1).index_add_(1, at, p)
        (x * 1).index_add_(1, at, p, alpha=2)
        (x * 1).index_copy_(1, at, p)
        (x * 1).masked_fill_(b, 2.0)
        (x * 1).masked_fill_(b, s)
    """),
    )


def whereabouts(torch):
    return observed(
        torch,
        lines("""
        o.nonzero(as_tuple=True)
        torch.nonzero(o, as_tuple=True)
        torch.nonzero(s, as_tuple=True)
        x.narrow(0, 0, 3)
        x.narrow(0, -1, 1)
        x.narrow(0, 3, 0)
        x.narrow(0, 0, -1)
        x.narrow(2, 0, 1)
        x.narrow(1, -4, 1)
        x.narrow(1, 2, 2)
        s.narrow(0, 0, 1)
        torch.zeros(3)[3:].storage_offset()
        torch.zeros(3)[1:1].storage_offset()
        torch.zeros(3, 4)[1:, 4:].storage_offset()
        hash(x) == id(x)
    """),
    )
