"""mark_dirty and mark_non_differentiable on views, leaves and several outputs, with hooks too."""

from tests.parity.harness import graph, outcome, plain, state, warned


def _leaf(torch, *values):
    return torch.tensor(list(values) or [1.0, 2.0, 3.0], requires_grad=True)


def _function(torch, forward, backward=None):
    class Marks(torch.autograd.Function):
        pass

    Marks.forward = staticmethod(forward)
    Marks.backward = staticmethod(
        backward or (lambda ctx, *grads: tuple(None if g is None else g * 2 for g in grads))
    )
    return Marks


def _double(ctx, x):
    ctx.mark_dirty(x)
    return x.mul_(2)


def a_view_is_changed(torch):
    x = _leaf(torch)
    base = x * 1
    view = base[1:]
    other = base[:2]
    y = _function(torch, _double).apply(view)
    names = [graph(base.grad_fn), view.grad_fn.name(), y is view, other.grad_fn.name()]
    (base.sum() + (other * 10).sum()).backward()
    return [names, x.grad, state(base), state(view), state(other)]


def a_view_of_a_constant_base(torch):
    base = torch.zeros(3)
    view = base[1:]

    def forward(ctx, target, source):
        ctx.mark_dirty(target)
        return target.copy_(source)

    x = _leaf(torch, 4.0, 5.0)
    y = _function(torch, forward, lambda ctx, g: (None, g)).apply(view, x)
    (base * 3).sum().backward()
    return [y is view, state(base), graph(base.grad_fn), x.grad]


def views_that_must_not_be_changed(torch):
    x = _leaf(torch)
    m = x * 1
    function = _function(torch, _double)
    with torch.no_grad():
        made = m[1:]
    several = m.unbind()[0]
    as_is = _function(torch, lambda ctx, t: t).apply(m)
    return [
        outcome(lambda: function.apply(made)),
        outcome(lambda: function.apply(several)),
        outcome(lambda: function.apply(as_is)),
        outcome(lambda: function.apply(x[1:])),
        outcome(lambda: function.apply(x)),
        m._version,
        x._version,
    ]


def a_view_and_more_outputs(torch):
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2), x * 3

    m = _leaf(torch) * 1
    function = _function(torch, forward, lambda ctx, g, h: g * 2 + h * 6)
    x = _leaf(torch)
    n = x * 1
    a, b = function.apply(n)
    (a.sum() + b.sum()).backward()
    return [outcome(lambda: function.apply(m[1:])), a is n, state(a), state(b), x.grad]


def a_dirty_leaf_without_gradient(torch):
    x = torch.ones(3)
    y = _function(torch, _double).apply(x)
    return [y is x, state(x), x.is_leaf]


def dirty_inputs_in_turn(torch):
    def forward(ctx, a, b):
        ctx.mark_dirty(a, b)
        return b.mul_(3), a.mul_(2)

    x, y = _leaf(torch), _leaf(torch)
    m, n = x * 1, y * 1
    function = _function(torch, forward, lambda ctx, g, h: (h * 2, g * 3))
    a, b = function.apply(m, n)
    (a * 5 + b * 7).sum().backward()
    return [a is n, b is m, a.output_nr, b.output_nr, x.grad, y.grad]


def one_of_two_dirty_inputs(torch):
    def forward(ctx, a, b):
        ctx.mark_dirty(a)
        return a.add_(b), b

    x, y = _leaf(torch), _leaf(torch)
    m = x * 1
    a, b = _function(torch, forward, lambda ctx, g, h: (g, g + h)).apply(m, y)
    (a + b).sum().backward()
    return [a is m, b is y, b._is_view(), x.grad, y.grad]


def one_tensor_given_twice_and_changed(torch):
    def forward(ctx, a, b):
        ctx.mark_dirty(a)
        return a.mul_(2)

    x = _leaf(torch)
    m = x * 1
    y = _function(torch, forward, lambda ctx, g: (g * 2, g * 5)).apply(m, m)
    y.sum().backward()
    return [y is m, graph(y.grad_fn), x.grad]


def the_same_tensor_marked_twice(torch):
    def forward(ctx, x):
        ctx.mark_dirty(x, x)
        return x.mul_(2)

    x = _leaf(torch)
    m = x * 1
    y = _function(torch, forward).apply(m)
    y.sum().backward()
    return [state(m), y is m, x.grad]


def dirty_and_returned_twice(torch):
    def forward(ctx, x):
        ctx.mark_dirty(x)
        x.mul_(2)
        return x, x

    x = _leaf(torch)
    m = x * 1
    a, b = _function(torch, forward, lambda ctx, g, h: g + 10 * h).apply(m)
    results = [a is m, b is m, a.output_nr, a.grad_fn.name()]
    (a * 3).sum().backward()
    return [results, x.grad]


def dirty_without_a_change(torch):
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x

    x = _leaf(torch)
    m = x * 1
    y = _function(torch, forward).apply(m)
    y.sum().backward()
    return [y is m, state(m), x.grad]


def changed_through_data_or_numpy(torch):
    def forward(ctx, x):
        x.data.mul_(2)
        ctx.mark_dirty(x)
        return x

    def by_numpy(ctx, x):
        array = x.detach().numpy()
        array *= 2
        ctx.mark_dirty(x)
        return x

    results = []
    for each in (forward, by_numpy):
        x = _leaf(torch)
        m = x * 1
        y = _function(torch, each).apply(m)
        y.sum().backward()
        results.append([y is m, state(m), x.grad])
    return results


def dirty_is_no_input_and_not_returned(torch):
    def forward(ctx, x):
        ctx.mark_dirty(x.clone())
        return x * 2

    x = _leaf(torch)
    return [
        warned(lambda: outcome(lambda: _function(torch, forward).apply(x))),
        outcome(lambda: _function(torch, forward).apply(x)),
        outcome(lambda: _function(torch, forward).apply(x.detach())),
    ]


def dirty_results_that_are_no_input(torch):
    def twice(ctx, x):
        y = x * 2
        ctx.mark_dirty(y)
        return y, y

    def not_differentiable(ctx, x):
        y = x * 2
        ctx.mark_dirty(y)
        ctx.mark_non_differentiable(y)
        return y

    x = _leaf(torch)
    return [
        warned(lambda each=each, given=given: _function(torch, each).apply(given))
        for each in (twice, not_differentiable)
        for given in (x, x.detach())
    ]


def not_returned_without_recording(torch):
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2) * 1

    x = torch.ones(2)
    result = outcome(lambda: _function(torch, forward).apply(x))
    with torch.no_grad():
        second = outcome(lambda: _function(torch, forward).apply(_leaf(torch)))
    return [result, state(x), second]


def marked_in_setup_context(torch):
    class Doubles(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x.mul_(2)

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.mark_dirty(*inputs)
            ctx.save_for_backward(output)

        @staticmethod
        def backward(ctx, g):
            return g * ctx.saved_tensors[0]

    x = _leaf(torch)
    m = x * 1
    y = Doubles.apply(m)
    y.sum().backward()
    return [y is m, state(m), x.grad]


def retained_gradients_and_hooks(torch):
    x = _leaf(torch)
    m = x * 1
    seen = []
    m.retain_grad()
    m.register_hook(lambda g: seen.append(["before", g.tolist()]))
    y = _function(torch, _double).apply(m)
    y.register_hook(lambda g: seen.append(["after", g.tolist()]))
    (y * 3).sum().backward()
    return [seen, m.grad, y.retains_grad, x.grad]


def retained_gradients_of_changed_views(torch):
    x = _leaf(torch)
    base = x * 1
    view = base[1:]
    seen = []
    view.retain_grad()
    base.retain_grad()
    view.register_hook(lambda g: seen.append(["view", g.tolist()]))
    base.register_hook(lambda g: seen.append(["base", g.tolist()]))
    _function(torch, _double).apply(view)
    (base * 3).sum().backward()
    return [seen, base.grad, view.grad, x.grad]


def hooks_on_the_node_of_a_changed_view(torch):
    x = _leaf(torch)
    base = x * 1
    view = base[1:]
    y = _function(torch, _double).apply(view)
    seen = []
    base.grad_fn.register_hook(lambda i, o: seen.append([plain(i), plain(o)]))
    (base * 3).sum().backward()
    return [seen, y.grad_fn.name(), x.grad]


def a_saved_original_is_noticed(torch):
    class Square_(torch.autograd.Function):  # noqa: N801
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            ctx.mark_dirty(x)
            return x.pow_(2)

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return 2 * x * g

    x = _leaf(torch)
    m = x * 1
    y = Square_.apply(m)
    first = outcome(lambda: y.sum().backward())
    base = x * 1
    Square_.apply(base[1:])
    return [first, x.grad, outcome(lambda: base.sum().backward())]


def a_later_change_is_noticed(torch):
    class Keeps(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(x, y)
            return x * y

        @staticmethod
        def backward(ctx, g):
            x, y = ctx.saved_tensors
            return g * y, g * x

    x, y = _leaf(torch) * 1, torch.ones(3)
    z = Keeps.apply(x, y)
    y.add_(1)
    w = Keeps.apply(x, y)
    _function(torch, _double).apply(x)
    return [
        outcome(z.sum().backward),
        outcome(w.sum().backward),
        outcome(lambda: z.grad_fn.saved_tensors),
    ]


def non_differentiable_outputs(torch):
    def forward(ctx, x):
        a, b, c = x * 2, x * 3, x.long()
        ctx.mark_non_differentiable(b, c)
        return a, b, c

    def backward(ctx, *grads):
        seen.append([plain(g) for g in grads])
        return grads[0]

    seen, x = [], _leaf(torch)
    a, b, c = _function(torch, forward, backward).apply(x)
    a.sum().backward()
    return [a, b, c, b.is_leaf, b.output_nr, seen, outcome(lambda: b.sum().backward())]


def everything_non_differentiable(torch):
    def forward(ctx, x):
        y = x * 2
        ctx.mark_non_differentiable(y)
        return y

    y = _function(torch, forward).apply(_leaf(torch))
    return [state(y), y.is_leaf, outcome(y.sum().backward)]


def a_non_differentiable_input(torch):
    def forward(ctx, x):
        ctx.mark_non_differentiable(x)
        return x

    def part(ctx, x):
        y = x[1:]
        ctx.mark_non_differentiable(y)
        return y

    x = _leaf(torch)
    m = x * 1
    a, b, c = (_function(torch, forward).apply(each) for each in (x, m, x.detach()))
    d = _function(torch, part).apply(m)
    return [
        [each.requires_grad, each.is_leaf, each._is_view(), each._base is m]
        for each in (a, b, c, d)
    ] + [state(x), state(m), a is x, b is m]


def non_differentiable_that_is_not_returned(torch):
    def forward(ctx, x):
        ctx.mark_non_differentiable(x, x * 5)
        return x * 2

    x = _leaf(torch)
    return [_function(torch, forward).apply(x), state(x)]


def marking_non_differentiable_twice_keeps_the_last(torch):
    def forward(ctx, x):
        a, b = x * 2, x * 3
        ctx.mark_non_differentiable(a)
        ctx.mark_non_differentiable(b)
        return a, b

    return _function(torch, forward, lambda ctx, g, h: g).apply(_leaf(torch))


def what_is_saved_is_looked_at_before_the_marks(torch):
    def changing(ctx, x):
        ctx.save_for_backward(3)
        ctx.mark_dirty(x)
        return x.add_(1)

    def forgetting(ctx, x):
        ctx.save_for_backward(None, "x")
        ctx.mark_dirty(x)
        return x * 2

    def marking_a_number(ctx, x):
        ctx.save_for_backward(3)
        ctx.mark_non_differentiable(4)
        return x * 2

    def no_tuple(ctx, x):
        ctx.to_save = 3
        ctx.mark_dirty(4)
        return x * 2

    def run(forward, x):
        return [outcome(lambda: plain(_function(torch, forward).apply(x))), state(x)]

    return [
        [run(forward, x) for x in (_leaf(torch), _leaf(torch) * 1, _leaf(torch).detach())]
        for forward in (changing, forgetting, marking_a_number, no_tuple)
    ]
