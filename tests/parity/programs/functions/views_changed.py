"""Views and custom Functions: changed among other arguments, saved, and without a gradient."""

from contextlib import nullcontext

from tests.parity.harness import graph, outcome, short_name


def _function(torch, forward, backward):
    members = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type("Own", (torch.autograd.Function,), members)


def _rows(torch):
    return torch.arange(4.0).view(2, 2).requires_grad_()


def behind_what_is_no_tensor(torch):
    def forward(ctx, *arguments):
        view, other = arguments[-2:]
        ctx.mark_dirty(view)
        return view.mul_(2).add_(other)

    results = []
    for others in ((), (3,), (3, [1]), (None, "a")):
        for needed in (True, False):
            none = (None,) * len(others)
            own = _function(torch, forward, lambda ctx, g, none=none: (*none, g * 2, g * 3))
            x, w = _rows(torch), torch.ones(2, requires_grad=needed)
            y, seen = x * 1, []
            row = y[1]
            own.apply(*others, row, w)
            y.grad_fn.register_hook(lambda grads, _, seen=seen: seen.append(grads))
            graphs = [graph(y.grad_fn), graph(row.grad_fn)]
            (y * torch.arange(4.0).view(2, 2)).sum().backward()
            results.append([graphs, seen, x.grad, w.grad])
    return results


def changed_and_saved(torch):
    seen = []

    def forward(ctx, x):
        ctx.mark_dirty(x)
        ctx.save_for_backward(x)
        return x.mul_(2)

    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        seen.append([y.requires_grad, y.grad_fn is ctx, y.output_nr])
        return g * 2 + 0 * y

    own = _function(torch, forward, backward)
    x = _rows(torch)
    y = x * 1
    row = y[1]
    own.apply(row)
    (grad,) = torch.autograd.grad((row * row).sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(grad.sum(), x, retain_graph=True)
    row.add_(1)
    return [seen, graph(grad.grad_fn), second, outcome((row * 1).sum().backward)]


def without_a_gradient(torch):
    def function(outputs):
        def forward(ctx, x):
            results = x[:1], x * 2, x * 3
            ctx.mark_non_differentiable(results[0])
            ctx.save_for_backward(*results[:outputs])
            return results[:outputs]

        def backward(ctx, *grads):
            saved = ctx.saved_tensors
            seen.append([[each.requires_grad, each.is_leaf] for each in saved])
            return grads[1] * 2

        return _function(torch, forward, backward)

    results, seen = [], []
    same = torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t)
    for count in (2, 3):
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        y = x * 1
        with same:
            view, *others = function(count).apply(y)
        flags = [view.requires_grad, view.is_leaf, view._is_view(), short_name(others[0].grad_fn)]
        changed = outcome(lambda view=view: view.mul_(2))
        results.append([flags, changed, outcome(others[0].sum().backward), x.grad])
    return [results, seen]


def saved_when_they_were_stale(torch):
    """A view that lost its history to a change in place is refused when backward reads it."""
    seen = []

    def backward(ctx, g):
        seen.append(outcome(lambda: ctx.saved_tensors))
        return g.sum().expand(2, 2)

    def unmarked(ctx, x):
        x.add_(1)
        ctx.save_for_backward(x)
        return x

    def marked(ctx, x):
        row = x[0]
        ctx.save_for_backward(row)
        ctx.mark_dirty(x)
        return x.add_(1)

    def of_the_input(ctx, x):
        row = x[0]
        row.add_(1)
        ctx.save_for_backward(row)
        return x * 1

    def same(tensor):
        return tensor

    for forward in (unmarked, marked, of_the_input):
        own = _function(torch, forward, backward)
        for make in (lambda: _rows(torch) * 1, lambda: own.apply(_rows(torch) * 1)):  # noqa: B023
            seen.append(outcome(lambda: own.apply(make()).sum().backward()))  # noqa: B023
            with torch.autograd.graph.saved_tensors_hooks(same, same):
                seen.append(outcome(lambda: own.apply(make()).sum().backward()))  # noqa: B023
    return seen


def saved_when_they_had_a_history_again(torch):
    def looked_at(hooked, tracked, after):
        x = _rows(torch)
        base = x * 1 if tracked else torch.ones(2, 2)
        row, seen = base[0], []
        if not after:
            base.mul_(x)

        def forward(ctx, x):
            if after:
                base.add_(1)
            ctx.save_for_backward(row)
            return x * 1

        def backward(ctx, g):
            (row,) = ctx.saved_tensors
            seen.append([graph(row.grad_fn), row.is_leaf])
            return g * row.sum()

        def same(tensor):
            return tensor

        own = _function(torch, forward, backward)
        hooks = torch.autograd.graph.saved_tensors_hooks(same, same)
        with hooks if hooked else nullcontext():
            y = own.apply(x)
        (gradient,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        return [seen, gradient, outcome(lambda: torch.autograd.grad(gradient.sum(), x))]

    cases = ((True, False), (True, True), (False, False))
    return [looked_at(hooked, *case) for hooked in (False, True) for case in cases]


def gradients_that_no_argument_takes(torch):
    def forward(ctx, view, number):
        ctx.mark_dirty(view)
        return view.mul_(number)

    own = _function(torch, forward, lambda ctx, g: (g, g))
    y = _rows(torch) * 1
    row = own.apply(y[0], 3)
    return [outcome(y.sum().backward), outcome(row.sum().backward)]
