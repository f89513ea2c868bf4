"""Scaled sums, rounded quotients, products added to tensors, steps between tensors."""

from tests.parity.expressions import lines, observed
from tests.parity.harness import outcome


def quotients_and_remainders(torch):
    return observed(torch, lines("""
        x // 2
        x // w
        2 // x
        x % 2
        x % w
        2 % x
        h % 0.25
        h // 0.25
        i // 0
        i % 0
        i // 2
        i % 3
        torch.remainder(2, x)
        torch.fmod(x, 2)
        torch.fmod(x, w)
        torch.fmod(i, 0)
        torch.fmod(i, 3)
        torch.div(x, w, rounding_mode='floor')
        torch.div(x, 2, rounding_mode='trunc')
        torch.div(x, 2, rounding_mode=None)
        torch.div(x, 2, rounding_mode='up')
        torch.div(i, 2, rounding_mode='floor')
        torch.div(i, 3, rounding_mode='trunc')
        torch.div(i, i, rounding_mode='floor')
        torch.div(i, 2.0, rounding_mode='trunc')
        x.div(w, rounding_mode=None)
    """))  # fmt: skip


def sums_of_products(torch):
    return observed(torch, lines("""
        torch.addcmul(x, w, w, value=2)
        torch.addcmul(x, w, c)
        torch.addcmul(s, s, x)
        torch.addcmul(i, i, i)
        torch.addcmul(i, i, i, value=0.5)
        torch.addcmul(x, i, w)
        torch.addcmul(x, h, w)
        torch.addcmul(x, w, 2.0)
        torch.addcmul(x, torch.ones(5), w)
        h.addcmul(h, h, value=0.5)
        torch.addcdiv(x, w, w, value=2)
        torch.addcdiv(x, w, c, value=0.5)
        torch.addcdiv(i, i, i)
        torch.addcdiv(x, i, i + 9)
        x.addcdiv(w, w)
    """))  # fmt: skip


def between_two_tensors(torch):
    return observed(torch, lines("""
        torch.lerp(x, w, 0.5)
        torch.lerp(x, w, w)
        torch.lerp(x, w, c)
        torch.lerp(x, w, s)
        torch.lerp(x, h, 0.5)
        torch.lerp(x, w, h)
        torch.lerp(i, i, 0.5)
        torch.lerp(x, 2.0, 0.5)
        torch.lerp(x, torch.ones(5), 0.5)
        x.lerp(w, 0.1)
        h.lerp(h, 0.25)
    """))  # fmt: skip


def scaled_sums(torch):
    return observed(torch, lines("""
        torch.sub(x, w, alpha=2)
        torch.sub(x, 2, alpha=3)
        torch.sub(x, w, alpha=0)
        torch.add(x, 2, alpha=2)
        torch.add(i, i, alpha=.5)
        torch.add(i, b, alpha=True)
        torch.add(b, b, alpha=2)
        torch.sub(b, b, alpha=2)
        h.add(w, alpha=0.5)
        h.add(h, alpha=0.125)
    """))  # fmt: skip


def quotients_by_whole_numbers_added(torch):
    x, a = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    whole = torch.tensor([1, 2])
    return [
        outcome(lambda: torch.addcdiv(x, a, whole).sum().backward()),
        outcome(lambda: torch.addcdiv(x, a.detach(), whole).sum().backward()),
        outcome(lambda: torch.addcmul(x, a, whole).sum().backward()),
        x.grad,
        a.grad,
    ]
