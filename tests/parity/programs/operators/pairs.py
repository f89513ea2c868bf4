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
