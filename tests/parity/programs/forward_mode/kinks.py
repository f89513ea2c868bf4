"""Gradients and tangents where a function has a kink, a pole, or too few elements."""

import warnings

from tests.parity.expressions import lines, observed
from tests.parity.harness import plain


def _duals(torch):
    make = torch.autograd.forward_ad.make_dual
    x = make(torch.tensor([-2.0, 1.0, 3.0, 2.0, 3.0, 4.0]), torch.full((6,), 3.0))
    low = make(torch.tensor([0.0, 1.0, 2.0, 3.0, 3.0, 3.0]), torch.ones(6))
    high = make(torch.tensor([-1.0, -1.0, -1.0, 3.0, 3.0, 3.0]), torch.full((6,), 2.0))
    return x, low, high


def tangents_of_bounds(torch):
    unpack = torch.autograd.forward_ad.unpack_dual
    with torch.autograd.forward_ad.dual_level():
        x, low, high = _duals(torch)
        results = (
            torch.clamp(x, low, high),
            torch.clamp(x, min=low),
            torch.clamp(x, max=high),
            torch.clamp(x, max=torch.tensor(3.0)),
            torch.clamp(torch.tensor([0.0, 1.0, 5.0, 4.0, 3.0, 3.0]), min=low),
            torch.clamp_min(x, low),
            torch.clamp_max(x, high),
            torch.maximum(x, low),
        )
        return [unpack(each).tangent for each in results]


def gradients_of_bounds_that_meet(torch):
    x = torch.tensor([-1.0, 1.0, 3.0, 2.0], requires_grad=True)
    low = torch.tensor([0.0, 1.0, 2.0, 3.0], requires_grad=True)
    high = torch.tensor([0.0, 1.0, 2.0, 1.0], requires_grad=True)
    return [
        torch.autograd.grad(torch.clamp(x, low, high).sum(), (x, low, high)),
        torch.autograd.grad(torch.clamp(x, low, low).sum(), (x, low)),
    ]


def spreads_of_too_few(torch):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return observed(
            torch,
            lines("""
            s.var()
            s.std()
            s.var(correction=2)
            torch.std_mean(s)
            w.var(correction=3)
            w.std(correction=5)
            w.var(0, correction=3)
            w.var(0, correction=5)
            torch.var_mean(w, correction=4)
            x[:1].std(0)
            w[:1].std(unbiased=False)
        """),
        )


def tangents_of_spreads_of_too_few(torch):
    forward_ad = torch.autograd.forward_ad
    with warnings.catch_warnings(), forward_ad.dual_level():
        warnings.simplefilter("ignore")
        x = forward_ad.make_dual(torch.tensor([1.0, 2.0, 4.0]), torch.tensor([1.0, 0.5, 2.0]))
        results = (
            x.var(),
            x.var(correction=3),
            x[:1].var(),
            x[0].var(),
            x.std(0, correction=3),
            x.view(1, 3).var(0),
        )
        return [forward_ad.unpack_dual(each).tangent for each in results]


def missing_tangents(torch):
    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        x = forward_ad.make_dual(torch.tensor([1.0, 2.0, 0.0]), torch.tensor([1.0, 0.5, 2.0]))
        zero, whole = torch.tensor([0.0, 2.0, 0.0]), torch.tensor([0, 2, 3])
        results = (
            torch.addcdiv(x, torch.tensor([1.0, 0.0, 0.0]), zero),
            torch.addcdiv(torch.tensor([1.0, 1.0, 1.0]), x, zero),
            torch.addcmul(x, zero, torch.tensor(float("inf"))),
            torch.remainder(x, zero),
            torch.fmod(x, zero),
            torch.pow(zero, x),
            torch.pow(x, zero),
            torch.pow(whole, x),
        )
        return [forward_ad.unpack_dual(each).tangent for each in results]


def tangents_beside_operands_of_another_dtype(torch):
    forward_ad = torch.autograd.forward_ad
    double, few = torch.tensor([1.0, 3.0], dtype=torch.float64), torch.tensor([True, False])

    def seen(compute):
        with forward_ad.dual_level():
            x = forward_ad.make_dual(torch.tensor([1.0, 2.0]), torch.tensor([2.0, 3.0]))
            y = double.clone()
            tangent = forward_ad.unpack_dual(compute(x, y)).tangent
            changed = forward_ad.unpack_dual(y).tangent
            return [plain(tangent), changed is not None and [changed, changed._version]]

    return [
        seen(lambda x, y: torch.addcmul(y, x, x)),
        seen(lambda x, y: torch.addcdiv(y, x, x)),
        seen(lambda x, y: torch.maximum(x, y)),
        seen(lambda x, y: torch.where(few, x, y)),
        seen(lambda x, y: torch.cat([x, y])),
        seen(lambda x, y: y.addcmul_(x, x)),
        seen(lambda x, y: y.addcdiv_(x, x)),
        seen(lambda x, y: y.mul_(x)),
        seen(lambda x, y: y.copy_(x)),
        seen(lambda x, y: y[:1].copy_(x[:1])),
        seen(lambda x, y: y[:1].add_(x[:1])),
    ]


def tangents_that_are_handed_on_in_another_dtype(torch):
    forward_ad = torch.autograd.forward_ad
    double = torch.tensor([1.0, 3.0], dtype=torch.float64)
    number = torch.tensor(2.0, dtype=torch.float64)

    def seen(compute):
        with forward_ad.dual_level():
            x = forward_ad.make_dual(torch.tensor([1.0, 2.0]), torch.tensor([2.0, 3.0]))
            y = forward_ad.make_dual(double.clone(), double)
            n = forward_ad.make_dual(number.clone(), number)
            return forward_ad.unpack_dual(compute(x, y, n)).tangent

    return [
        seen(lambda x, y, n: torch.fmod(x, double)),
        seen(lambda x, y, n: torch.remainder(x, double)),
        seen(lambda x, y, n: torch.addcmul(x, double, double)),
        seen(lambda x, y, n: torch.addcdiv(x, double, double)),
        seen(lambda x, y, n: torch.maximum(x, n)),
        seen(lambda x, y, n: torch.minimum(x, y)),
        seen(lambda x, y, n: torch.div(x, y, rounding_mode="floor")),
        seen(lambda x, y, n: torch.div(y, x, rounding_mode="trunc")),
    ]


def edges_of_what_has_no_derivative(torch):
    x, y = torch.ones(2, requires_grad=True), torch.ones(2)
    results = (x // y, y // x, x // x, x // 2, 2 // x, 5 % x)
    return [len(each.grad_fn.next_functions) for each in results]


def layouts_of_spreads(torch):
    x = torch.arange(24.0).reshape(2, 4, 3).transpose(1, 2).requires_grad_()
    results = (x.std(0), *torch.std_mean(x, 0), *torch.var_mean(x, (0, 1)))
    grads = [torch.autograd.grad(each.sum(), x)[0] for each in (x.var(), x.std(), x.var(0))]
    return [each.stride() for each in (*results, *grads)]


def tangents_of_what_is_broadcast(torch):
    forward_ad = torch.autograd.forward_ad
    column, whole = torch.tensor([[2.0], [3.0]]), torch.tensor([[2, 3, 4], [5, 6, 7]])
    with forward_ad.dual_level():
        x = forward_ad.make_dual(torch.tensor([1.0, 2.5, 9.0]), torch.tensor([1.0, 0.5, 2.0]))
        results = (
            x % whole,
            x % column,
            column % x,
            torch.fmod(x, column),
            torch.addcmul(x, column, column),
            torch.addcmul(column, x, torch.tensor(2.0)),
            torch.addcmul(torch.ones(2, 3), torch.tensor(2.0), x),
            torch.addcdiv(x, column, column),
            torch.addcdiv(torch.ones(2, 3), x, torch.tensor(2.0)),
            torch.addcdiv(torch.ones(2, 3), torch.tensor(2.0), x),
            x**column,
            column**x,
        )
        return [forward_ad.unpack_dual(each).tangent for each in results]


def tangents_of_gradients(torch):
    """Some have none where only the point moves."""
    forward_ad, functional = torch.autograd.forward_ad, torch.nn.functional
    seen = []
    for function in (
        functional.leaky_relu, functional.hardtanh, functional.relu6, torch.relu, functional.elu,
        torch.tanh,
    ):  # fmt: skip
        x = torch.tensor([-1.0, 2.0, 0.5, 7.0], requires_grad=True)
        with forward_ad.dual_level():
            y = function(forward_ad.make_dual(x, torch.tensor([1.0, 2.0, -1.0, 0.5])))
            (grad,) = torch.autograd.grad(y.sum(), x, create_graph=True)
            seen.append(forward_ad.unpack_dual(grad).tangent is None)
    return seen


def gradients_of_the_tangent_of_a_quotient(torch):
    """What has no tangent counts as one of zero, which no divisor makes another number."""
    forward_ad = torch.autograd.forward_ad
    seen = []
    for divisor in (float("nan"), float("inf"), 0.0, 2.0):
        for y in (divisor, torch.tensor([divisor, divisor])):
            x, t = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
            with forward_ad.dual_level():
                tangent = forward_ad.unpack_dual(forward_ad.make_dual(x, t) / y).tangent
                seen.append([str(each) for each in torch.autograd.grad(tangent.sum(), (x, t))])
    return seen
