"""gradcheck: Functions whose backward changes what it gets, or returns the same memory again."""

import importlib

from tests.parity.harness import outcome


def _double(torch, backward):
    members = {"forward": staticmethod(lambda ctx, x: x * 2), "backward": staticmethod(backward)}
    return type("Double", (torch.autograd.Function,), members).apply


def _checked(torch, backward):
    x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    options = [{}, {"fast_mode": True}, {"nondet_tol": 10.0}]
    check = torch.autograd.gradcheck
    return [outcome(lambda o=o: check(_double(torch, backward), x, **o)) for o in options]


def a_backward_that_changes_its_gradient(torch):
    return _checked(torch, lambda ctx, g: g.mul_(2))


def a_backward_that_reuses_memory(torch):
    kept = torch.empty(2, dtype=torch.float64)

    def backward(ctx, g):
        torch.mul(g, 2, out=kept)
        return kept

    return _checked(torch, backward)


def the_jacobian_of_such_a_backward(torch):
    checks = importlib.import_module(f"{torch.__name__}.autograd.gradcheck")
    x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    y = _double(torch, lambda ctx, g: g.mul_(2))(x)
    return checks.get_analytical_jacobian((x,), y)
