"""Function and its ctx: inputs, names, attributes, the ways to write one."""

from tests.parity.harness import graph, outcome


def _identity(torch, forward):
    class Passes(torch.autograd.Function):
        @staticmethod
        def backward(ctx, g):
            return g

    Passes.forward = staticmethod(forward)
    return Passes


def names_of_nodes(torch):
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * x

        @staticmethod
        def backward(ctx, g):
            return g

    x = torch.tensor(3.0, requires_grad=True)
    y = Square.apply(x)
    return {
        "name": y.grad_fn.name(),
        "type": type(y.grad_fn).__name__,
        "graph": graph(y.grad_fn),
        "printed": str(y),
    }


def ctx_is_the_node(torch):
    kept = []

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            kept.append(ctx)
            ctx.note = "from forward"
            return x * x

        @staticmethod
        def backward(ctx, g):
            kept.append(ctx)
            return g

    x = torch.tensor(3.0, requires_grad=True)
    y = Square.apply(x)
    y.backward()
    return [kept[0] is y.grad_fn, kept[1] is y.grad_fn, y.grad_fn.note]


def attributes_of_ctx(torch):
    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, factor):
            ctx.factor = factor
            return x * factor

        @staticmethod
        def backward(ctx, g):
            return g * ctx.factor, None

    x = torch.tensor(3.0, requires_grad=True)
    y = Scale.apply(x, 5)
    y.backward()
    return [y, x.grad, outcome(lambda: y.grad_fn.missing)]


def without_gradients_nothing_is_recorded(torch):
    passes = _identity(torch, lambda ctx, x: x * 2)
    x = torch.tensor(3.0, requires_grad=True)
    with torch.no_grad():
        unrecorded = passes.apply(x)
    return [passes.apply(torch.tensor(3.0)), unrecorded]


def needs_input_grad(torch):
    seen = []

    class Product(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y, number, text):
            seen.append(["forward", ctx.needs_input_grad])
            return x * y

        @staticmethod
        def backward(ctx, g):
            seen.append(["backward", ctx.needs_input_grad])
            return g, g, None, None

    a = torch.tensor(1.0, requires_grad=True)
    b = torch.tensor(2.0)
    Product.apply(a, b, 3, "x").backward()
    Product.apply(b, a, 3, "x").backward()
    Product.apply(b, b, 3, "x")
    return [seen, type(Product.apply(a, b, 3, "x").grad_fn.needs_input_grad).__name__]


def setup_context(torch):
    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(x, factor):
            return x * factor

        @staticmethod
        def setup_context(ctx, inputs, output):
            x, ctx.factor = inputs
            ctx.save_for_backward(x, output)
            seen.append([type(inputs).__name__, len(inputs), output.tolist()])

        @staticmethod
        def backward(ctx, g):
            return g * ctx.factor, None

    seen = []
    x = torch.tensor(3.0, requires_grad=True)
    y = Scale.apply(x, 4)
    y.backward()
    return [y, x.grad, seen]


def what_is_not_written_is_missed(torch):
    class NoBackward(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

    class NoForward(torch.autograd.Function):
        @staticmethod
        def backward(ctx, g):
            return g

    x = torch.tensor(3.0, requires_grad=True)
    y = NoBackward.apply(x)
    return [outcome(y.backward), outcome(lambda: NoForward.apply(x))]


def vjp_is_an_alias_of_backward(torch):
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def vjp(ctx, g):
            return g * 2

    x = torch.tensor(3.0, requires_grad=True)
    Twice.apply(x).backward()
    return x.grad


def both_backward_and_vjp_are_too_much(torch):
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

        @staticmethod
        def vjp(ctx, g):
            return g * 2

    y = Twice.apply(torch.tensor(3.0, requires_grad=True))
    return outcome(y.backward)


def functions_are_not_called(torch):
    passes = _identity(torch, lambda ctx, x: x * 2)
    x = torch.tensor(3.0, requires_grad=True)
    return outcome(lambda: passes()(x))


def the_wrong_number_of_arguments(torch):
    passes = _identity(torch, lambda ctx, x: x * 2)
    return outcome(lambda: passes.apply(torch.tensor(1.0), 2))["raises"]


def tensors_inside_lists_are_not_differentiated(torch):
    class Total(torch.autograd.Function):
        @staticmethod
        def forward(ctx, tensors):
            return tensors[0] + tensors[1]

        @staticmethod
        def backward(ctx, g):
            return g

    x = torch.tensor(3.0, requires_grad=True)
    return Total.apply([x, x])


def exceptions_pass_through(torch):
    class Fails(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, where):
            ctx.where = where
            if where == "forward":
                raise KeyError("in forward")
            return x * 2

        @staticmethod
        def backward(ctx, g):
            raise ValueError("in backward")

    x = torch.tensor(3.0, requires_grad=True)
    return [
        outcome(lambda: Fails.apply(x, "forward")),
        outcome(Fails.apply(x, "backward").backward),
        torch.is_grad_enabled(),
        x.grad,
    ]


def one_input_given_twice(torch):
    class Product(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            ctx.save_for_backward(a, b)
            return a * b

        @staticmethod
        def backward(ctx, g):
            a, b = ctx.saved_tensors
            return g * b, g * a

    x = torch.tensor(3.0, requires_grad=True)
    y = Product.apply(x, x)
    y.backward()
    return [graph(y.grad_fn), x.grad]


def the_very_same_tensor_reaches_forward(torch):
    seen = []

    def forward(ctx, x):
        seen.append([x is given, x.requires_grad, (x * 2).requires_grad])
        return x * 2

    given = torch.tensor(3.0, requires_grad=True)
    _identity(torch, forward).apply(given)
    return seen


def what_was_kept_outlives_a_gradient_that_does_not_fit(torch):
    class Misfit(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return ctx.saved_tensors[0].new_ones(3)

    y = Misfit.apply(torch.ones(2, requires_grad=True) * 3)
    z = (y * y).sum()
    refused = outcome(z.backward)
    return [refused, outcome(lambda: y.grad_fn.saved_tensors), outcome(z.backward)]
