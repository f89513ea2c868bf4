"""What a custom backward may return and do: wrong results, double backward, re-entrance, errors."""

from ..harness import graph, outcome, plain, state


def _leaf(torch, *values):
    return torch.tensor(list(values) or [1.0, 2.0, 3.0], requires_grad=True)


def _returning(torch, backward, inputs=1):
    class Returns(torch.autograd.Function):
        @staticmethod
        def forward(ctx, *tensors):
            return tensors[0] * 2

    Returns.backward = staticmethod(backward)
    return Returns


def _run(torch, backward, *others):
    x = _leaf(torch)
    error = outcome(lambda: _returning(torch, backward).apply(x, *others).sum().backward())
    return [error, x.grad]


def too_few_and_too_many(torch):
    other = _leaf(torch)
    return [
        _run(torch, lambda ctx, g: ()),
        _run(torch, lambda ctx, g: (), other),
        _run(torch, lambda ctx, g: g, other),
        _run(torch, lambda ctx, g: (g,), 3),
        _run(torch, lambda ctx, g: (g, None)),
        _run(torch, lambda ctx, g: (g, None, None), 3),
        _run(torch, lambda ctx, g: (g, g)),
        _run(torch, lambda ctx, g: (g, None, g), 3),
        _run(torch, lambda ctx, g: (None, None, None)),
        _run(torch, lambda ctx, g: (g, None, 5)),
        _run(torch, lambda ctx, g: None, other),
    ]


def of_a_wrong_type(torch):
    return [
        _run(torch, lambda ctx, g: 3),
        _run(torch, lambda ctx, g: 2.5),
        _run(torch, lambda ctx, g: "text"),
        _run(torch, lambda ctx, g: [g]),
        _run(torch, lambda ctx, g: [g, g]),
        _run(torch, lambda ctx, g: {"g": g}),
        _run(torch, lambda ctx, g: (g, 3), 3),
        _run(torch, lambda ctx, g: (3, None), 3),
        _run(torch, lambda ctx, g: ((g,),)),
        _run(torch, lambda ctx, g: g.numpy()),
        _run(torch, lambda ctx, g: (3, 4), torch.ones(3)),
        _run(torch, lambda ctx, g: (g, 4), torch.ones(3)),
        _run(torch, lambda ctx, g: True),
    ]


def of_a_wrong_shape(torch):
    return [
        _run(torch, lambda ctx, g: g.sum()),
        _run(torch, lambda ctx, g: g[:1]),
        _run(torch, lambda ctx, g: g[:2]),
        _run(torch, lambda ctx, g: g.new_ones(2, 3)),
        _run(torch, lambda ctx, g: g.new_ones(3, 1)),
        _run(torch, lambda ctx, g: g.new_ones(1, 3)),
        _run(torch, lambda ctx, g: g.new_ones(5)),
        _run(torch, lambda ctx, g: g.new_ones(0)),
        _run(torch, lambda ctx, g: g.new_ones(2, 2, 3)),
        _run(torch, lambda ctx, g: g.new_ones(3, 3)),
    ]


def of_a_wrong_dtype(torch):
    return [
        _run(torch, lambda ctx, g: g.double() * 3),
        _run(torch, lambda ctx, g: g.half() * 3),
        _run(torch, lambda ctx, g: g.long() * 3),
        _run(torch, lambda ctx, g: g > 0),
        _run(torch, lambda ctx, g: torch.arange(3)),
        _run(torch, lambda ctx, g: g.double().sum()),
        _run(torch, lambda ctx, g: g.new_ones(2, 3).double()),
    ]


def of_unusual_layout(torch):
    x = torch.ones(2, 3, requires_grad=True)
    results = []
    for make in (
        lambda ctx, g: torch.arange(6.0).view(3, 2).t(),
        lambda ctx, g: torch.ones(1, 1).expand(2, 3),
        lambda ctx, g: torch.arange(12.0).view(2, 6)[:, ::2],
        lambda ctx, g: torch.ones(()).expand(2, 3),
    ):
        x.grad = None
        _returning(torch, make).apply(x).sum().backward()
        results.append([x.grad, list(x.grad.stride()), x.grad.is_contiguous()])
    return results


def requiring_grad(torch):
    w = _leaf(torch, 5.0, 5.0, 5.0)
    x = _leaf(torch)
    y = _returning(torch, lambda ctx, g: w).apply(x)
    y.sum().backward()
    results = [x.grad, x.grad is w, x.grad.requires_grad]
    grown = w * 2
    x = _leaf(torch)
    y = _returning(torch, lambda ctx, g: grown).apply(x)
    y.sum().backward(create_graph=True)
    return [
        *results,
        x.grad,
        graph(x.grad.grad_fn),
        outcome(lambda: x.grad.sum().backward()),
        w.grad,
    ]


def the_same_for_two_inputs(torch):
    a, b = _leaf(torch), _leaf(torch)
    y = _returning(torch, lambda ctx, g: (g, g)).apply(a, b)
    y.sum().backward()
    a.grad.add_(100)
    return [a.grad, b.grad]


def the_incoming_gradient_kept(torch):
    kept = []
    x = _leaf(torch)
    y = _returning(torch, lambda ctx, g: (kept.append(g), g)[1]).apply(x)
    y.backward(torch.ones(3))
    x.grad.add_(1)
    y = _returning(torch, lambda ctx, g: (kept.append(g), g)[1]).apply(x)
    y.backward(torch.ones(3))
    return [kept, x.grad, kept[0] is kept[1]]


def none_where_needed(torch):
    x, y = _leaf(torch), _leaf(torch)
    z = _returning(torch, lambda ctx, g: (None, g)).apply(x * 2, y * 3)
    z.sum().backward()
    w = _returning(torch, lambda ctx, g: (None, g)).apply(x, y)
    return [
        x.grad,
        y.grad,
        outcome(lambda: torch.autograd.grad(w.sum(), x, retain_graph=True)),
        outcome(lambda: torch.autograd.grad(w.sum(), x, allow_unused=True, retain_graph=True)),
        outcome(lambda: torch.autograd.grad(w.sum(), [x, y], materialize_grads=True)),
    ]


def grad_mode_inside(torch):
    seen = []

    class Modes(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            seen.append(["forward", torch.is_grad_enabled(), (x * 2).requires_grad])
            with torch.enable_grad():
                y = x * 2
                seen.append(["enabled", y.requires_grad, torch.is_grad_enabled()])
            return y * 1

        @staticmethod
        def backward(ctx, g):
            seen.append(["backward", torch.is_grad_enabled(), g.requires_grad])
            return g * 2

    x = _leaf(torch)
    y = Modes.apply(x)
    y.sum().backward(retain_graph=True)
    torch.autograd.grad(y.sum(), x, create_graph=True)
    with torch.no_grad():
        Modes.apply(x)
    return [seen, graph(y.grad_fn)]


def what_was_recorded_inside_forward_is_replaced(torch):
    class Records(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            with torch.enable_grad():
                return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 100

    x = _leaf(torch)
    y = Records.apply(x)
    y.sum().backward()
    with torch.no_grad():
        z = Records.apply(x)
    free = Records.apply(x.detach())
    return [graph(y.grad_fn), x.grad, z, free]


def gradient_computed_inside_forward(torch):
    class Inside(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            with torch.enable_grad():
                y = x.detach().requires_grad_()
                z = (y * y).sum()
                (ctx.slope,) = torch.autograd.grad(z, y)
            return z.detach()

        @staticmethod
        def backward(ctx, g):
            return g * ctx.slope

    x = _leaf(torch)
    y = Inside.apply(x)
    y.backward()
    return [y, x.grad]


def twice_through_saved_inputs(torch):
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x * x

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * 3 * x * x

    x = _leaf(torch)
    (first,) = torch.autograd.grad(Cube.apply(x).sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x, create_graph=True)
    (third,) = torch.autograd.grad(second.sum(), x)
    return [plain(first), plain(second), third]


def twice_through_saved_outputs(torch):
    class Exp(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp()
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx, g):
            (y,) = ctx.saved_tensors
            return g * y

    x = _leaf(torch, 0.0, 1.0)
    y = Exp.apply(x)
    (first,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x, create_graph=True)
    return [plain(first), graph(first.grad_fn), plain(second)]


def twice_through_intermediates(torch):
    class Kept(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            square = x * x
            ctx.save_for_backward(square)
            ctx.note = square
            return square * x

        @staticmethod
        def backward(ctx, g):
            (square,) = ctx.saved_tensors
            return 3 * square * g

    class Returned(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            square = x * x
            ctx.save_for_backward(x, square)
            return square * x, square

        @staticmethod
        def backward(ctx, g, h):
            x, square = ctx.saved_tensors
            return 3 * square * g + 2 * x * h

    x = _leaf(torch)
    (first,) = torch.autograd.grad(Kept.apply(x).sum(), x, create_graph=True)
    (right,) = torch.autograd.grad(Returned.apply(x)[0].sum(), x, create_graph=True)
    return [
        plain(first),
        outcome(lambda: torch.autograd.grad(first.sum(), x)),
        plain(right),
        outcome(lambda: torch.autograd.grad(right.sum(), x)),
    ]


def once_differentiable(torch):
    class Once(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(x, y)
            return x * y

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx, g):
            _, y = ctx.saved_tensors
            return g * y, None

    x, y = _leaf(torch), _leaf(torch)
    z = Once.apply(x, y)
    plain_gradient = torch.autograd.grad(z.sum(), x, retain_graph=True)
    (kept,) = torch.autograd.grad(z.sum(), x, create_graph=True, retain_graph=True)
    upstream = torch.ones(3, requires_grad=True)
    (refused,) = torch.autograd.grad(z, x, upstream, create_graph=True, retain_graph=True)
    return [
        plain_gradient,
        kept,
        refused,
        graph(refused.grad_fn),
        outcome(refused.sum().backward),
        outcome(lambda: torch.autograd.grad(refused.sum(), upstream)),
        Once.backward.__name__,
    ]


def once_differentiable_with_several_gradients(torch):
    class Once(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, n):
            return x * 2, x * 3, n

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx, g, h, n):
            seen.append([torch.is_grad_enabled(), g.requires_grad, n is None])
            return g * 2 + h * 3, None

    seen, x = [], _leaf(torch)
    a, b, _ = Once.apply(x * x, 5)
    (first,) = torch.autograd.grad((a * b).sum(), x, create_graph=True)
    return [plain(first), seen, outcome(first.sum().backward)]


def backward_inside_backward(torch):
    class Inner(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            with torch.enable_grad():
                y = x.detach().requires_grad_()
                (y * y).sum().backward()
            return g * y.grad

    x = _leaf(torch)
    Inner.apply(Inner.apply(x)).sum().backward()
    return x.grad


def backward_of_itself_inside_backward(torch):
    class Deep(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, depth):
            ctx.depth = depth
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            if ctx.depth:
                with torch.enable_grad():
                    y = torch.ones(3, requires_grad=True)
                    Deep.apply(y, ctx.depth - 1).sum().backward()
                g = g + y.grad
            return g, None

    x = _leaf(torch)
    Deep.apply(x, 20).sum().backward()
    return x.grad


def errors_leave_everything_usable(torch):
    fail = [True]

    class Fails(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            if fail[0]:
                raise ValueError("in backward")
            return g * 2 * ctx.saved_tensors[0]

    x = _leaf(torch)
    y = Fails.apply(x)
    first = outcome(y.sum().backward)
    results = [first, x.grad, torch.is_grad_enabled(), plain(y.grad_fn.saved_tensors)]
    fail[0] = False
    y.sum().backward()
    return [*results, x.grad]


def errors_in_forward_leave_everything_usable(torch):
    class Fails(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, fail):
            x.mul_(2)
            ctx.mark_dirty(x)
            if fail:
                raise ValueError("in forward")
            return x

        @staticmethod
        def backward(ctx, g):
            return g * 2, None

    x = _leaf(torch)
    m = x * 1
    result = [outcome(lambda: Fails.apply(m, True)), state(m), torch.is_grad_enabled()]
    with torch.no_grad():
        result.append([outcome(lambda: Fails.apply(m, True)), torch.is_grad_enabled()])
    y = Fails.apply(m, False)
    y.sum().backward()
    return [*result, x.grad]


def changing_the_incoming_gradient(torch):
    x = _leaf(torch)
    y = _returning(torch, lambda ctx, g: g.mul_(3)).apply(x)
    given = torch.ones(3)
    y.backward(given)
    z = _returning(torch, lambda ctx, g: g.mul_(3)).apply(x)
    (z + z * 1).sum().backward()
    return [x.grad, given]


def only_what_is_asked_for(torch):
    seen = []

    class Product(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            ctx.save_for_backward(a, b)
            return a * b

        @staticmethod
        def backward(ctx, g):
            seen.append(ctx.needs_input_grad)
            a, b = ctx.saved_tensors
            return g * b, g * a

    a, b = _leaf(torch), _leaf(torch)
    y = Product.apply(a, b)
    torch.autograd.grad(y.sum(), a, retain_graph=True)
    torch.autograd.grad(y.sum(), b, retain_graph=True)
    y.sum().backward(inputs=[a], retain_graph=True)
    y.sum().backward()
    return [seen, a.grad, b.grad]


def gradients_of_numbers_and_constants(torch):
    return [
        _run(torch, lambda ctx, g: (g, g), torch.ones(3)),
        _run(torch, lambda ctx, g: (g, g.sum()), torch.ones(3)),
        _run(torch, lambda ctx, g: (g, g), 3),
        _run(torch, lambda ctx, g: (g, None, g), 3, torch.ones(3)),
        _run(torch, lambda ctx, g: (g, torch.zeros(3)), [torch.ones(3)]),
        _run(torch, lambda ctx, g: (g, g.long()), torch.arange(3)),
    ]


def several_results_for_one_leaf(torch):
    x = _leaf(torch)
    function = _returning(torch, lambda ctx, *g: (g[0], g[0] * 10, None, g[0] * 100))
    function.apply(x, x, 3, x * 2).sum().backward()
    return x.grad


def a_subclass_of_tuple(torch):
    import collections

    pair = collections.namedtuple("pair", "a b")
    x = _leaf(torch)

    class Named(torch.autograd.Function):
        @staticmethod
        def forward(ctx, t, n):
            return pair(t * 2, n)

        @staticmethod
        def backward(ctx, g, n):
            return pair(g * 2, None)

    result = outcome(lambda: type(Named.apply(x, 3)).__name__)
    return [result, outcome(lambda: Named.apply(x, 3)[0].sum().backward()), x.grad]


def outputs_of_every_kind(torch):
    def attempt(make):
        class Gives(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return make(x)

            @staticmethod
            def backward(ctx, *grads):
                return sum(g.sum() for g in grads if g is not None) * torch.ones(3)

        def run():
            out = Gives.apply(x)
            return [type(out).__name__, plain(out)]

        x = _leaf(torch)
        return outcome(run)

    return [
        attempt(lambda x: None),
        attempt(lambda x: 3),
        attempt(lambda x: "text"),
        attempt(lambda x: [x * 2, x * 3]),
        attempt(lambda x: {"a": x * 2}),
        attempt(lambda x: (x * 2, None, 3, "text", [x * 2], {"a": x})),
        attempt(lambda x: (x * 2, (x * 3, x * 4))),
        attempt(lambda x: ()),
        attempt(lambda x: (x * 2,)),
        attempt(lambda x: (None,)),
        attempt(lambda x: (1, 2)),
        attempt(lambda x: (x * 2, x)),
    ]
