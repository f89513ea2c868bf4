"""What a custom backward may return and do: wrong results, double backward, re-entrance, errors."""

from tests.parity.function_material import returning, run
from tests.parity.harness import graph, outcome, plain


def _leaf(torch, *values):
    return torch.tensor(list(values) or [1.0, 2.0, 3.0], requires_grad=True)


def too_few_and_too_many(torch):
    other = _leaf(torch)
    return [
        run(torch, lambda ctx, g: ()),
        run(torch, lambda ctx, g: (), other),
        run(torch, lambda ctx, g: g, other),
        run(torch, lambda ctx, g: (g,), 3),
        run(torch, lambda ctx, g: (g, None)),
        run(torch, lambda ctx, g: (g, None, None), 3),
        run(torch, lambda ctx, g: (g, g)),
        run(torch, lambda ctx, g: (g, None, g), 3),
        run(torch, lambda ctx, g: (None, None, None)),
        run(torch, lambda ctx, g: (g, None, 5)),
        run(torch, lambda ctx, g: None, other),
    ]


def of_a_wrong_type(torch):
    return [
        run(torch, lambda ctx, g: 3),
        run(torch, lambda ctx, g: 2.5),
        run(torch, lambda ctx, g: "text"),
        run(torch, lambda ctx, g: [g]),
        run(torch, lambda ctx, g: [g, g]),
        run(torch, lambda ctx, g: {"g": g}),
        run(torch, lambda ctx, g: (g, 3), 3),
        run(torch, lambda ctx, g: (3, None), 3),
        run(torch, lambda ctx, g: ((g,),)),
        run(torch, lambda ctx, g: g.numpy()),
        run(torch, lambda ctx, g: (3, 4), torch.ones(3)),
        run(torch, lambda ctx, g: (g, 4), torch.ones(3)),
        run(torch, lambda ctx, g: True),
    ]


def of_a_wrong_shape(torch):
    return [
        run(torch, lambda ctx, g: g.sum()),
        run(torch, lambda ctx, g: g[:1]),
        run(torch, lambda ctx, g: g[:2]),
        run(torch, lambda ctx, g: g.new_ones(2, 3)),
        run(torch, lambda ctx, g: g.new_ones(3, 1)),
        run(torch, lambda ctx, g: g.new_ones(1, 3)),
        run(torch, lambda ctx, g: g.new_ones(5)),
        run(torch, lambda ctx, g: g.new_ones(0)),
        run(torch, lambda ctx, g: g.new_ones(2, 2, 3)),
        run(torch, lambda ctx, g: g.new_ones(3, 3)),
    ]


def of_a_wrong_dtype(torch):
    return [
        run(torch, lambda ctx, g: g.double() * 3),
        run(torch, lambda ctx, g: g.half() * 3),
        run(torch, lambda ctx, g: g.long() * 3),
        run(torch, lambda ctx, g: g > 0),
        run(torch, lambda ctx, g: torch.arange(3)),
        run(torch, lambda ctx, g: g.double().sum()),
        run(torch, lambda ctx, g: g.new_ones(2, 3).double()),
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
        returning(torch, make).apply(x).sum().backward()
        results.append([x.grad, list(x.grad.stride()), x.grad.is_contiguous()])
    return results


def requiring_grad(torch):
    w = _leaf(torch, 5.0, 5.0, 5.0)
    x = _leaf(torch)
    y = returning(torch, lambda ctx, g: w).apply(x)
    y.sum().backward()
    results = [x.grad, x.grad is w, x.grad.requires_grad]
    grown = w * 2
    x = _leaf(torch)
    y = returning(torch, lambda ctx, g: grown).apply(x)
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
    y = returning(torch, lambda ctx, g: (g, g)).apply(a, b)
    y.sum().backward()
    a.grad.add_(100)
    return [a.grad, b.grad]


def the_incoming_gradient_kept(torch):
    kept = []
    x = _leaf(torch)
    y = returning(torch, lambda ctx, g: (kept.append(g), g)[1]).apply(x)
    y.backward(torch.ones(3))
    x.grad.add_(1)
    y = returning(torch, lambda ctx, g: (kept.append(g), g)[1]).apply(x)
    y.backward(torch.ones(3))
    return [kept, x.grad, kept[0] is kept[1]]


def none_where_needed(torch):
    x, y = _leaf(torch), _leaf(torch)
    z = returning(torch, lambda ctx, g: (None, g)).apply(x * 2, y * 3)
    z.sum().backward()
    w = returning(torch, lambda ctx, g: (None, g)).apply(x, y)
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


def gradients_in_one_list_by_hand(torch):
    class Boxed(torch.autograd.Function):
        boxed_grads_call = True

        @staticmethod
        def forward(ctx, x):
            return x * 2, x * 3

        @staticmethod
        def backward(ctx, grads):
            count = len(grads)
            return grads.pop() * count

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y, _ = Boxed.apply(x)
    g = torch.ones(2)
    return [
        outcome(lambda: y.grad_fn.apply(g, g * 5)),
        outcome(lambda: y.grad_fn.apply(g)),
        outcome(lambda: y.grad_fn.apply()),
        outcome(lambda: torch.autograd.grad(y.sum(), x)),
    ]
