"""Custom Functions differentiated once only, inside other backwards, and after errors."""

from tests.parity.function_material import returning, run
from tests.parity.harness import graph, outcome, plain, state


def _leaf(torch, *values):
    return torch.tensor(list(values) or [1.0, 2.0, 3.0], requires_grad=True)


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


def once_differentiable_looks_at_gradients_afterwards(torch):
    def gradient(change):
        class Once(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 1

            @staticmethod
            @torch.autograd.function.once_differentiable
            def backward(ctx, g):
                change(g)
                return g * 2

        x, upstream = _leaf(torch), torch.ones(3)
        (found,) = torch.autograd.grad(Once.apply(x), x, upstream, create_graph=True)
        return [plain(found), graph(found.grad_fn)]

    return [gradient(lambda g: g), gradient(lambda g: g.requires_grad_())]


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
    y = returning(torch, lambda ctx, g: g.mul_(3)).apply(x)
    given = torch.ones(3)
    y.backward(given)
    z = returning(torch, lambda ctx, g: g.mul_(3)).apply(x)
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
        run(torch, lambda ctx, g: (g, g), torch.ones(3)),
        run(torch, lambda ctx, g: (g, g.sum()), torch.ones(3)),
        run(torch, lambda ctx, g: (g, g), 3),
        run(torch, lambda ctx, g: (g, None, g), 3, torch.ones(3)),
        run(torch, lambda ctx, g: (g, torch.zeros(3)), [torch.ones(3)]),
        run(torch, lambda ctx, g: (g, g.long()), torch.arange(3)),
    ]


def several_results_for_one_leaf(torch):
    x = _leaf(torch)
    function = returning(torch, lambda ctx, *g: (g[0], g[0] * 10, None, g[0] * 100))
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
