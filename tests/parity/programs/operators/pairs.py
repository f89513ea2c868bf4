"""Functions of two operands, and questions about signs."""

from tests.parity.expressions import lines, observed


def hypot_and_their_like(torch):
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


def questions_of_sign(torch):
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


def distances(torch):
    return observed(
        torch,
        lines("""
        torch.dist(x, p)
        torch.dist(x, w, 1)
        torch.dist(x, c, p=3)
        x.dist(p * 2, float("inf"))
        torch.dist(x, x)
        torch.dist(x, d)
        torch.dist(x, i)
        torch.dist(i, i)
        torch.dist(h, x)
        torch.dist(x, p, True)
        torch.dist(x, p, torch.tensor(2))
        torch.dist(z, z)
        torch.dist(x, q)
        torch.dist(x, 3)
        torch.dist(x)
        torch.dist(x, p, 'a')
        torch.dist(x, p, 2, 3)
        torch.dist(x, p, out=s)
    """),
    )


def distances_forward_and_twice(torch):
    forward, seen = torch.autograd.forward_ad, []
    for order in (1.5, 2, 3):
        x, y, t = [
            torch.tensor(each, requires_grad=True) for each in ([1.0, 2.0], [3.0, -1.0], [0.5, 2.0])
        ]
        with forward.dual_level():
            dual = forward.make_dual(x.detach(), t.detach())
            for z in (torch.dist(dual, y.detach(), order), torch.dist(y.detach(), dual, order)):
                seen.append(forward.unpack_dual(z).tangent)
        z = torch.dist(x, y, order)
        (grad,) = torch.autograd.grad(z, x, create_graph=True)
        seen += [z.grad_fn._saved_p, torch.autograd.grad(grad[0], (x, y), allow_unused=True)]
    return seen
