"""Outputs of custom Functions that share memory, and what may be done to them afterwards."""

from tests.parity.harness import graph, outcome, plain, state


def _leaf(torch, *values):
    return torch.tensor(list(values) or [1.0, 2.0, 3.0], requires_grad=True)


def _function(torch, forward, inputs=1):
    class Shares(torch.autograd.Function):
        @staticmethod
        def backward(ctx, *grads):
            seen.append([None if grad is None else grad.tolist() for grad in grads])
            total = sum(grad.sum() for grad in grads if grad is not None)
            return (torch.zeros(3) + total, *[None] * (inputs - 1))

    Shares.forward = staticmethod(forward)
    seen = Shares.seen = []
    return Shares


def _about(output, *others):
    return [
        plain(output),
        output._is_view(),
        output._base is not None and any(output._base is other for other in others),
        [output is other for other in others],
        output._version,
        output.is_leaf,
        output.output_nr,
    ]


def an_input_as_is(torch):
    x = _leaf(torch)
    m = x * 1
    function = _function(torch, lambda ctx, t: t)
    results = []
    for given in (x, m, m[:], x.detach(), x.detach()[:]):
        y = function.apply(given)
        results.append([_about(y, given, m), graph(y.grad_fn) and graph(y.grad_fn)[0]])
    return results


def an_input_as_is_without_recording(torch):
    x = _leaf(torch)
    function = _function(torch, lambda ctx, t: t)
    with torch.no_grad():
        a = function.apply(x)
        b = function.apply(x * 1)
    return [_about(a, x), _about(b, x), x.requires_grad, a.grad_fn is None]


def an_input_as_is_that_forward_has_detached(torch):
    def forward(ctx, t):
        return t.detach_()

    x = _leaf(torch)
    y = _function(torch, forward).apply(x)
    return [_about(y, x), x.requires_grad, graph(y.grad_fn)]


def an_input_as_is_changed_later(torch):
    x = _leaf(torch)
    function = _function(torch, lambda ctx, t: t)
    y = function.apply(x)
    z = function.apply(x * 1)
    free = function.apply(x.detach())
    return [
        outcome(lambda: y.add_(1)),
        outcome(lambda: z.add_(1)),
        outcome(lambda: y[0].add_(1)),
        outcome(lambda: z.view(3).mul_(2)),
        outcome(lambda: z.detach().mul_(2)),
        outcome(lambda: free.mul_(2)),
    ]


def an_input_as_is_changed_without_recording(torch):
    m = _leaf(torch) * 1
    y = _function(torch, lambda ctx, t: t).apply(m)
    with torch.no_grad():
        y.mul_(2)
    return [state(m), outcome(lambda: state(y)), outcome(lambda: y.sum().backward())]


def the_input_changed_after_it_was_returned(torch):
    m = _leaf(torch) * 1
    y = _function(torch, lambda ctx, t: t).apply(m)
    m.mul_(3)
    return [state(m), outcome(lambda: plain(y.grad_fn.name())), y.tolist()]


def a_view_of_the_input(torch):
    x = _leaf(torch)
    m = x * 1
    results = []
    for make in (
        lambda ctx, t: t[:2],
        lambda ctx, t: t.view(3, 1),
        lambda ctx, t: t.view_as(t),
        lambda ctx, t: t.detach(),
        lambda ctx, t: t.detach()[1:],
        lambda ctx, t: t.expand(2, 3),
    ):
        function = _function(torch, make)
        for given in (x, m):
            y = function.apply(given)
            results.append(
                [
                    _about(y, given),
                    outcome(lambda y=y: y.mul_(2)),
                    outcome(lambda y=y: y.sum().backward()),
                ]
            )
    return results


def views_of_the_input(torch):
    m = _leaf(torch) * 1
    function = _function(torch, lambda ctx, t: (t[:2], t[1:], t * 2))
    a, b, c = function.apply(m)
    return [
        _about(a, m),
        _about(b, m),
        _about(c, m),
        outcome(lambda: a.add_(1)),
        outcome(lambda: b[0].add_(1)),
        outcome(lambda: c.add_(1)),
        outcome(lambda: m.add_(1)),
        outcome(lambda: a.grad_fn),
        outcome(lambda: (b * 2).sum().backward()),
    ]


def outputs_that_are_views_of_each_other(torch):
    def forward(ctx, t):
        y = t * 2
        return y, y[:2]

    x = _leaf(torch)
    function = _function(torch, forward)
    y, part = function.apply(x)
    results = [_about(y, x), _about(part, y, x), part._base is None or plain(part._base)]
    (y.sum() + part.sum()).backward()
    results.append(x.grad)
    y, part = function.apply(x)
    return [
        *results,
        outcome(lambda: part.add_(1)),
        outcome(lambda: y.add_(1)),
        outcome(lambda: plain(part)),
    ]


def the_view_of_what_nobody_else_sees(torch):
    x = _leaf(torch)
    function = _function(torch, lambda ctx, t: (t * 2)[:2])
    y = function.apply(x)
    results = [_about(y, x), plain(y._base)]
    y.sum().backward()
    return [*results, x.grad, outcome(lambda: y.add_(1))]


def the_same_output_twice(torch):
    def forward(ctx, t):
        y = t * 2
        return y, y

    x = _leaf(torch)
    function = _function(torch, forward)
    a, b = function.apply(x)
    results = [_about(a, b), _about(b, a)]
    (a + 2 * b).sum().backward()
    return [*results, x.grad, function.seen]


def the_same_input_returned_twice(torch):
    x = _leaf(torch)
    function = _function(torch, lambda ctx, t: (t, t))
    a, b = function.apply(x * 1)
    results = [_about(a, b), _about(b, a), outcome(lambda: a.mul_(2))]
    (a + 2 * b).sum().backward()
    return [*results, x.grad, function.seen]


def two_inputs_returned_in_turn(torch):
    class Swaps(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            return b, a

        @staticmethod
        def backward(ctx, g, h):
            return h, g

    x, y = _leaf(torch), _leaf(torch, 4.0, 5.0, 6.0)
    a, b = Swaps.apply(x, y)
    (a * 2 + b * 3).sum().backward()
    return [_about(a, x, y), _about(b, x, y), x.grad, y.grad]


def an_input_given_twice_and_returned(torch):
    x = _leaf(torch)
    function = _function(torch, lambda ctx, a, b: a, inputs=2)
    y = function.apply(x, x)
    y.sum().backward()
    return [_about(y, x), graph(y.grad_fn), x.grad]


def a_saved_input_that_is_returned(torch):
    class Keeps(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            seen.append([x.is_leaf, x.grad_fn is ctx, x is given])
            return g * x

    seen, given = [], _leaf(torch)
    y = Keeps.apply(given)
    kept = y.grad_fn.saved_tensors[0]
    results = [kept is given, kept is y, kept.is_leaf]
    y.sum().backward()
    return [results, seen, given.grad]


def what_backward_sees_of_a_global_tensor(torch):
    constant = torch.ones(3)
    grown = _leaf(torch) * 2
    free = _function(torch, lambda ctx, t: constant).apply(_leaf(torch))
    results = [_about(free, constant), state(constant)]
    taken = _function(torch, lambda ctx, t: grown).apply(_leaf(torch))
    results += [_about(taken, grown), graph(grown.grad_fn), graph(taken.grad_fn)]
    return results


def a_global_leaf_as_output(torch):
    leaf = _leaf(torch)
    y = _function(torch, lambda ctx, t: leaf).apply(_leaf(torch))
    return [_about(y, leaf), state(leaf), leaf.is_leaf, graph(y.grad_fn)]


def a_global_as_output_without_recording(torch):
    leaf = _leaf(torch)
    grown = leaf * 2
    function = _function(torch, lambda ctx, t, give: give, inputs=1)
    with torch.no_grad():
        a = function.apply(torch.ones(1), [leaf])
    b = _function(torch, lambda ctx, t: leaf).apply(torch.ones(1))
    c = _function(torch, lambda ctx, t: grown).apply(torch.ones(1))
    return [type(a).__name__, _about(b, leaf), _about(c, grown)]


def outputs_changed_afterwards(torch):
    x = _leaf(torch)
    function = _function(torch, lambda ctx, t: t * 2)
    y = function.apply(x)
    y.mul_(3)
    names = graph(y.grad_fn)
    y.sum().backward()
    two = _function(torch, lambda ctx, t: (t * 2, t * 3))
    a, b = two.apply(x)
    a.add_(1)
    b[0].mul_(5)
    (a + b).sum().backward()
    return [names, x.grad, state(a), state(b), two.seen]


def an_output_saved_and_changed_afterwards(torch):
    class Exp(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp()
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx, g):
            return g * ctx.saved_tensors[0]

    x = _leaf(torch)
    y = Exp.apply(x)
    y.mul_(2)
    z = Exp.apply(x)
    z.detach().mul_(2)
    return [outcome(lambda: y.sum().backward()), outcome(lambda: z.sum().backward())]


def views_of_outputs_changed(torch):
    x = _leaf(torch)
    y = _function(torch, lambda ctx, t: t * 2).apply(x)
    part = y[1:]
    part.mul_(10)
    names = [graph(y.grad_fn)[0], part.grad_fn.name()]
    y.sum().backward()
    return [names, x.grad, state(y)]


def outputs_of_other_shapes(torch):
    x = _leaf(torch)
    results = []
    for make in (
        lambda ctx, t: t.sum(),
        lambda ctx, t: t.new_zeros(0),
        lambda ctx, t: t.expand(2, 3).t().contiguous().t() * 1,
        lambda ctx, t: (t * torch.ones(2, 3)).t(),
        lambda ctx, t: t.double(),
        lambda ctx, t: t.half(),
        lambda ctx, t: t.long(),
        lambda ctx, t: t > 1,
        lambda ctx, t: torch.ones(2),
    ):
        function = _function(torch, make)
        y = function.apply(x)
        ran = outcome(lambda y=y: y.sum().backward())
        results.append(
            [_about(y, x), list(y.stride()), ran, x.grad.tolist() if x.grad is not None else None]
        )
        x.grad = None
    return results


def detaching_an_output(torch):
    m = _leaf(torch) * 1
    y = _function(torch, lambda ctx, t: t).apply(m)
    z = _function(torch, lambda ctx, t: t * 2).apply(m)
    return [outcome(lambda: y.detach_()), outcome(lambda: z.detach_()), z.is_leaf]


def flags_of_an_output(torch):
    m = _leaf(torch)
    y, n = _function(torch, lambda ctx, t: (t * 2, t.long())).apply(m)
    return [
        outcome(lambda: y.requires_grad_(False)),
        outcome(lambda: n.requires_grad_()),
        y.retains_grad,
        outcome(lambda: y.data.requires_grad),
    ]


def a_view_and_what_is_changed_after_it_was_made(torch):
    def forward(ctx, x):
        return x.view_as(x), x.mul_(2)

    x = _leaf(torch)
    view, changed = _function(torch, forward).apply(x * 1)
    (view + changed).sum().backward()
    return [view.is_leaf, state(view), state(changed), x.grad]
