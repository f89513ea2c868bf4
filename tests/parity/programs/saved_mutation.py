"""Changing saved tensors in place where it is allowed."""

from ..harness import outcome


def _allowed(torch):
    return torch.autograd.graph.allow_mutation_on_saved_tensors()


def _leaf(torch, n=2):
    return torch.ones(n, requires_grad=True)


def backward_reads_what_was_saved(torch):
    x = _leaf(torch)
    with _allowed(torch):
        y = x.clone()
        z = (y**2).sum()
        y.sin_()
        z.backward()
    return [x.grad, y]


def a_leaf_may_be_changed_too(torch):
    x = _leaf(torch)
    with _allowed(torch):
        y = (x * x).sum()
        with torch.no_grad():
            x.mul_(5)
        y.backward()
    return [x.grad, x]


def changes_reach_through_views_and_outputs(torch):
    x = _leaf(torch, 4)
    with _allowed(torch):
        base = x.clone()
        e = base.exp()
        part = base[:2]
        square = (part * part).sum()
        part.mul_(3)
        base.add_(1)
        e.mul_(2)
        base[0] = 7.0
        (square + e.sum() + base.sum()).backward()
    return x.grad


def custom_functions_change_and_save(torch):
    class Doubles(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            x.mul_(2)
            ctx.mark_dirty(x)
            return x

        @staticmethod
        def backward(ctx, g):
            return g * 2

    x = _leaf(torch)
    with _allowed(torch):
        y = x * 1
        z = y * y
        Doubles.apply(y)
        z.sum().backward()
    return x.grad


def several_values_of_one_tensor(torch):
    x = _leaf(torch)
    with _allowed(torch):
        y = x * 2
        total = torch.zeros(2)
        for _ in range(3):
            total = total + y * y
            y.add_(1)
        total.sum().backward(retain_graph=True)
        first = x.grad.clone()
        total.sum().backward()
    return [first, x.grad]


def backward_belongs_inside(torch):
    x = _leaf(torch)
    with _allowed(torch):
        y = (x * x).sum()
    outside = outcome(y.backward)
    with _allowed(torch):
        in_another = outcome(y.backward)
    return [outside, in_another]


def contexts_cannot_be_nested(torch):
    def nested():
        with _allowed(torch), _allowed(torch):
            pass

    x = _leaf(torch)
    refused = outcome(nested)
    y = (x * x).sum()
    y.backward()
    return [refused, x.grad]


def outside_the_check_is_as_before(torch):
    x = _leaf(torch)
    y = x * 1
    z = y * y
    with _allowed(torch):
        y.add_(1)
        return outcome(z.sum().backward)
