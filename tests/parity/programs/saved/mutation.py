"""Changing saved tensors in place where it is allowed."""

from tests.parity.harness import outcome


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


def one_that_is_refused_inside_of_another_ends_that(torch):
    x = _leaf(torch)
    with _allowed(torch):
        y = (x * x).sum()
        refused = outcome(_allowed(torch).__enter__)
        return [refused, outcome(y.backward), x.grad]


def outside_the_check_is_as_before(torch):
    x = _leaf(torch)
    y = x * 1
    z = y * y
    with _allowed(torch):
        y.add_(1)
        return outcome(z.sum().backward)


def _counts(context):
    return [len(list(context.cloned.items())), len(list(context.tid_to_weakhandle.items()))]


def what_the_context_knows(torch):
    seen = []
    with torch.autograd.graph.allow_mutation_on_saved_tensors() as context:
        leaf = torch.ones(2, 3, requires_grad=True)
        changed = leaf.clone()
        first, second, product = changed**2, changed**3, changed * changed
        seen.append(_counts(context))
        changed[:1].mul_(10)
        seen.append(_counts(context))
        third = changed**2
        seen.append(_counts(context))
        (first + second + product + third).sum().backward()
        seen.append(_counts(context))
        del first, second, product, third
        seen.append(_counts(context))
    return seen, leaf.grad, type(context).__name__


def what_backward_saves_is_kept_too(torch):
    with torch.autograd.graph.allow_mutation_on_saved_tensors() as context:
        leaf = torch.ones(2, requires_grad=True)
        changed = leaf.clone()
        cube = changed**3
        (slope,) = torch.autograd.grad(cube.sum(), leaf, create_graph=True)
        changed.mul_(2)
        counts = _counts(context)
        second = torch.autograd.grad(slope.sum(), leaf)
        context.clear()
        return counts, second, _counts(context), outcome(lambda: cube.sum().backward())
