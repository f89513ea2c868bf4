"""Activations that change what they are given: graphs, gradients, tangents, refusals."""

from tests.parity.expressions import lines, observed
from tests.parity.harness import graph, outcome, plain, state

_CHANGES = {
    "leaky_relu": lambda f, y: f.leaky_relu(y, 0.1, True),
    "elu": lambda f, y: f.elu(y, 0.5, True),
    "selu": lambda f, y: f.selu(y, True),
    "celu": lambda f, y: f.celu(y, 0.5, True),
    "silu": lambda f, y: f.silu(y, True),
    "mish": lambda f, y: f.mish(y, True),
    "hardtanh": lambda f, y: f.hardtanh(y, -1.0, 1.0, True),
    "relu6": lambda f, y: f.relu6(y, True),
    "a negative slope": lambda f, y: f.leaky_relu(y, -0.1, True),
    "a negative alpha": lambda f, y: f.elu(y, -0.5, True),
    "a part": lambda f, y: f.celu(y[0], inplace=True),
}
_VALUES = [[-2.0, -0.5, 0.0], [0.25, 3.0, 1.0]]


def gradients_and_their_graphs(torch):
    seen = {}
    for name, change in _CHANGES.items():
        x = torch.tensor(_VALUES, requires_grad=True)
        y = x * 1
        returned = change(torch.nn.functional, y)
        saved = sorted(each for each in dir(y.grad_fn) if each.startswith("_saved"))
        seen[name] = [returned is y, state(y), graph(y.grad_fn), saved, _gradients(torch, y, x)]
    return seen


def _gradients(torch, y, x):
    def twice():
        first, weight = torch.arange(6.0).view(2, 3), torch.tensor(_VALUES)
        (gradient,) = torch.autograd.grad(y, x, first, create_graph=True)
        second = torch.autograd.grad(gradient, x, weight, allow_unused=True)
        # PyTorch's zeros may have no memory.
        return gradient, graph(gradient.grad_fn), [each + 0 for each in second]

    return outcome(twice)


def tangents(torch):
    forward_ad, seen = torch.autograd.forward_ad, {}
    for name, change in _CHANGES.items():
        with forward_ad.dual_level():
            y = forward_ad.make_dual(torch.tensor(_VALUES), torch.ones(2, 3))
            seen[name] = outcome(lambda c=change, y=y: c(torch.nn.functional, y) is not None)
            seen[name] = [seen[name], plain(forward_ad.unpack_dual(y))]
    return seen


def refused_and_unrecorded(torch):
    functional, seen = torch.nn.functional, []
    for change in _CHANGES.values():
        leaf = torch.tensor(_VALUES, requires_grad=True)
        seen.append(outcome(lambda c=change, x=leaf: c(functional, x)))
        with torch.no_grad():
            change(functional, leaf)
        expanded = torch.ones(1, 3).expand(2, 3)
        seen += [state(leaf), outcome(lambda c=change, x=expanded: c(functional, x))]
    changed = torch.ones(2, requires_grad=True) * 1
    functional.elu(changed, inplace=True).add_(1)
    return seen, outcome(lambda: changed.sum().backward())


def by_the_name_of_the_function(torch):
    return observed(
        torch,
        lines("""
        F.relu_(x * 1)
        F.relu_(3)
        F.leaky_relu_(x * 1)
        F.leaky_relu_(input=x * 1, negative_slope=0.1)
        F.leaky_relu_(x * 1, 0.1, 2)
        F.elu_(x * 1, 0.5)
        F.elu_(x, alpha=0.5)
        F.elu_(x * 1, None)
        F.elu_()
        F.hardtanh_(x * 1)
        F.hardtanh_(x * 1, 2, 1)
        F.hardtanh_(x * 1, "a")
        F.selu_(x * 1)
        F.selu_(i)
        F.selu_(x * 1, 1)
        F.celu_(x * 1, 2)
        F.celu_(x * 1, 0)
        torch.selu(x)
        torch.celu(x, alpha=2)
        torch.selu_(x * 1)
        torch.celu_(x * 1, 0.5)
        """),
    )
