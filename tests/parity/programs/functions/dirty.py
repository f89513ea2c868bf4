"""mark_dirty: what it does, what it asks for, and what happens without it."""

from tests.parity.harness import graph, outcome, state, warned


def _function(torch, forward, name="Changes"):
    class Changes(torch.autograd.Function):
        @staticmethod
        def backward(ctx, *gradients):
            return gradients if len(gradients) > 1 else gradients[0]

    Changes.forward = staticmethod(forward)
    Changes.__name__ = name
    return Changes


def _add_one(ctx, x):
    x.add_(1)
    ctx.mark_dirty(x)
    return x


def on_a_result(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    m = x * 3
    y = _function(torch, _add_one).apply(m)
    y.sum().backward()
    return [y is m, state(y), m.is_leaf, graph(y.grad_fn), x.grad]


def on_a_leaf(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    error = outcome(lambda: _function(torch, _add_one).apply(x))
    return [error, x.tolist(), x._version]


def on_a_leaf_under_no_grad(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with torch.no_grad():
        y = _function(torch, _add_one).apply(x)
    return [y is x, state(x), state(y), x.is_leaf, y.is_leaf]


def on_a_constant(torch):
    x = torch.tensor([1.0, 2.0])
    y = _function(torch, _add_one).apply(x)
    return [y is x, state(y), y.is_leaf]


def the_order_of_marking_and_changing_is_free(torch):
    def mark_first(ctx, x):
        ctx.mark_dirty(x)
        return x.add_(1)

    x = torch.tensor([1.0], requires_grad=True)
    y = _function(torch, mark_first).apply(x.clone())
    y.backward()
    return [state(y), x.grad]


def marked_and_not_returned(torch):
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.add_(1) * 2

    x = torch.tensor([1.0], requires_grad=True)
    return outcome(lambda: _function(torch, forward).apply(x.clone()))


def marked_and_a_clone_returned(torch):
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.add_(1).clone()

    x = torch.tensor([1.0], requires_grad=True)
    return outcome(lambda: _function(torch, forward).apply(x.clone()))


def marked_and_a_view_returned(torch):
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.add_(1).view(1)

    x = torch.tensor([1.0], requires_grad=True)
    return outcome(lambda: _function(torch, forward).apply(x.clone()))


def changed_and_not_marked(torch):
    def forward(ctx, x):
        return x.add_(1)

    x = torch.tensor([1.0], requires_grad=True)
    m = x * 3
    y = _function(torch, forward).apply(m)
    y.backward()
    return [y is m, state(y), state(m), x.grad]


def a_leaf_changed_and_not_marked(torch):
    def forward(ctx, x):
        return x.add_(1)

    x = torch.tensor([1.0], requires_grad=True)
    return [outcome(lambda: _function(torch, forward).apply(x)), state(x)]


def what_is_marked_is_no_input(torch):
    def forward(ctx, x):
        y = x * 2
        ctx.mark_dirty(y)
        return y

    x = torch.tensor([1.0], requires_grad=True)
    return [
        warned(lambda: outcome(lambda: _function(torch, forward).apply(x.clone()))),
        outcome(lambda: _function(torch, forward).apply(x.clone())),
    ]


def what_is_marked_is_no_tensor(torch):
    def forward(ctx, x):
        ctx.mark_dirty(3)
        return x * 2

    x = torch.tensor([1.0], requires_grad=True)
    return outcome(lambda: _function(torch, forward).apply(x.clone()))


def of_two_wrong_marks_the_other_is_told(torch):
    def forward(ctx, x):
        ctx.mark_dirty(3)
        ctx.mark_non_differentiable("y")
        return x * 2

    return outcome(lambda: _function(torch, forward).apply(torch.ones(1, requires_grad=True)))


def two_inputs_marked(torch):
    def forward(ctx, x, y):
        ctx.mark_dirty(x, y)
        return x.add_(1), y.mul_(2)

    x = torch.tensor([1.0], requires_grad=True)
    y = torch.tensor([2.0], requires_grad=True)
    a, b = _function(torch, forward).apply(x.clone(), y.clone())
    (a * b).backward()
    return [state(a), state(b), x.grad, y.grad]


def marking_twice_keeps_the_last(torch):
    def forward(ctx, x, y):
        ctx.mark_dirty(x)
        ctx.mark_dirty(y)
        return x + 1, y.mul_(2)

    x = torch.tensor([1.0], requires_grad=True)
    y = torch.tensor([2.0], requires_grad=True)
    m, n = x.clone(), y.clone()
    a, b = _function(torch, forward).apply(m, n)
    return [a is m, b is n, m._version, n._version]


def a_dirty_input_returned_twice(torch):
    def forward(ctx, x):
        ctx.mark_dirty(x)
        x.add_(1)
        return x, x

    x = torch.tensor([1.0], requires_grad=True)
    return outcome(lambda: [type(t).__name__ for t in _function(torch, forward).apply(x.clone())])


def on_a_view(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    base = x * 3
    view = base[:1]
    y = _function(torch, _add_one).apply(view)
    base.sum().backward()
    return [y is view, y.tolist(), base.tolist(), base.grad_fn.name(), x.grad]


def on_a_view_of_a_leaf(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    return outcome(lambda: _function(torch, _add_one).apply(x[:1]))


def on_a_base_with_views(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    base = x * 3
    view = base[:1]
    _function(torch, _add_one).apply(base)
    (view * view).sum().backward()
    return [view.tolist(), view.grad_fn.name(), x.grad]


def a_constant_marked_beside_what_requires_grad(torch):
    def forward(ctx, target, x):
        ctx.mark_dirty(target)
        return target.copy_(x)

    target = torch.zeros(2)
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = _function(torch, forward).apply(target, x)
    return [y is target, state(target), target.is_leaf]


def marked_and_non_differentiable(torch):
    def forward(ctx, x):
        ctx.mark_dirty(x)
        ctx.mark_non_differentiable(x)
        return x.add_(1)

    x = torch.tensor([1.0], requires_grad=True)
    return outcome(lambda: _function(torch, forward).apply(x.clone()))


def a_saved_dirty_input_has_the_new_history(torch):
    def forward(ctx, x):
        ctx.mark_dirty(x)
        x.exp_()
        ctx.save_for_backward(x)
        return x

    x = torch.tensor([1.0], requires_grad=True)
    m = x * 1
    y = _function(torch, forward).apply(m)
    (saved,) = y.grad_fn.saved_tensors
    return [state(saved), saved.grad_fn is y.grad_fn]


def earlier_users_notice(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    m = x * 1
    product = m * m
    _function(torch, _add_one, "AddOne").apply(m)
    return outcome(product.sum().backward)


def retained_gradients_follow_the_tensor(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    m = x * 1
    m.retain_grad()
    y = _function(torch, lambda ctx, t: (ctx.mark_dirty(t), t.mul_(1))[1]).apply(m)
    (y * 5).sum().backward()
    return [m.grad, y is m]


def a_changed_tensor_has_no_gradient_any_more(torch):
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx, g):
            return g * 2

    x = torch.ones(2, requires_grad=True)
    y = x * 3
    y.retain_grad()
    y.sum().backward(retain_graph=True)
    before = y.grad
    Double.apply(y)
    after = y.grad
    y.sum().backward()
    return [before, after, y.grad, x.grad]


def a_view_of_the_input_marked_in_its_place(torch):
    def forward(ctx, x):
        view = x[:]
        view.mul_(2)
        ctx.mark_dirty(view)
        return view

    def applied_to(make):
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        return outcome(lambda: _function(torch, forward).apply(make(x)))

    return [
        applied_to(make)
        for make in (lambda x: x, lambda x: x * 1, lambda x: (x * 1)[:1], lambda x: x.detach())
    ]


def a_view_that_is_no_input_marked(torch):
    """Also beside an input without gradient, of a new tensor, and of one from outside."""
    outside = torch.ones(2, 2)

    def applied_to(view_of, x):
        def forward(ctx, x, y):
            view = view_of(x)
            ctx.mark_dirty(view)
            return view.mul_(2)

        y = torch.ones(2, requires_grad=True)
        return [outcome(lambda: _function(torch, forward).apply(x, y)), state(x)]

    return [
        applied_to(view_of, make())
        for view_of in (lambda x: x[:1], lambda x: (x * 2)[:1], lambda x: outside[:1])
        for make in (lambda: torch.ones(2, 2), lambda: torch.ones(2, 2, requires_grad=True) * 1)
    ]


def integers_that_forward_has_changed(torch):
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, counts, x):
            counts.mul_(2)
            ctx.mark_dirty(counts)
            return counts, x * 2

        @staticmethod
        def backward(ctx, by_counts, g):
            return None, g * 2

    counts, leaf = torch.tensor([1, 2]), torch.tensor([1.0], requires_grad=True)
    first, second = Doubled.apply(counts, leaf)
    second.backward()
    return first is counts, counts, counts._version, leaf.grad
