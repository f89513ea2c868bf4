"""How a Function is written and used: styles, keywords, instances, subclasses and mistakes."""

from tests.parity.function_material import square_function
from tests.parity.harness import graph, outcome, plain


def _leaf(torch, *values):
    return torch.tensor(list(values) or [1.0, 2.0], requires_grad=True)


def _scale(torch, **members):
    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(x, factor=3.0):
            return x * factor

        @staticmethod
        def setup_context(ctx, inputs, output):
            seen.append([len(inputs), plain(inputs[1:])])
            ctx.factor = inputs[1]

        @staticmethod
        def backward(ctx, g):
            return g * ctx.factor, *[None] * (len(ctx.needs_input_grad) - 1)

    for name, value in members.items():
        setattr(Scale, name, value)
    seen = []
    return Scale, seen


def keywords_with_ctx(torch):
    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, factor=3):
            ctx.factor = factor
            return x * factor

        @staticmethod
        def backward(ctx, g):
            return g * ctx.factor, None

    x = _leaf(torch)
    return [
        outcome(lambda: Scale.apply(x, factor=2)),
        outcome(lambda: Scale.apply(x=x)),
        outcome(lambda: Scale.apply(x, nothing=1)),
        outcome(lambda: Scale.apply(x)),
        outcome(lambda: Scale.apply(x.detach(), factor=5)),
        outcome(lambda: Scale.apply(x, ctx=3)),
    ]


def keywords_with_setup_context(torch):
    scale, seen = _scale(torch)
    x = _leaf(torch)
    results = [
        outcome(lambda: scale.apply(x)),
        outcome(lambda: scale.apply(x, 4.0)),
        outcome(lambda: scale.apply(x, factor=5.0)),
        outcome(lambda: scale.apply(x=x)),
        outcome(lambda: scale.apply(factor=2.0, x=x)),
        outcome(lambda: scale.apply()),
        outcome(lambda: scale.apply(x, 1.0, 2.0)),
        outcome(lambda: scale.apply(x, nothing=1)),
        outcome(lambda: scale.apply(x, x=x)),
    ]
    return [results, seen]


def defaults_count_as_arguments(torch):
    scale, seen = _scale(torch)
    x = _leaf(torch)
    y = scale.apply(x)
    y.sum().backward()
    return [graph(y.grad_fn), y.grad_fn.needs_input_grad, x.grad, seen]


def arguments_by_name_only(torch):
    def function(forward, setup_context=None):
        class Own(torch.autograd.Function):
            pass

        Own.forward = staticmethod(forward)
        if setup_context is not None:
            Own.setup_context = staticmethod(setup_context)
        return Own

    def only(x, *, factor=2):
        return x * factor

    def more(x, *rest, factor=2, **others):
        return x * factor

    def others(x, **others):
        return x * 2

    def with_ctx(ctx, a, b=2, c=3, *, d=4):
        seen.append([type(each).__name__ for each in (a, b, c)])
        return a * 2

    seen, x = [], _leaf(torch)
    setup = lambda ctx, inputs, output: seen.append(len(inputs))  # noqa: E731
    return [
        [
            outcome(lambda f=forward, names=names: function(f, setup).apply(x, **names))
            for forward in (only, more, others)
            for names in ({}, {"factor": 3}, {"other": 1})
        ],
        [
            outcome(lambda names=names: function(with_ctx).apply(x, **names))
            for names in ({}, {"b": 1}, {"c": 1}, {"b": x, "c": 1}, {"d": 1}, {"a": 1}, {"e": 1})
        ],
        outcome(lambda: function(with_ctx).apply(b=x, a=x)),
        outcome(lambda: function(with_ctx).apply(c=1)),
        outcome(lambda: function(with_ctx).apply(x, 1, 2, 3)),
        outcome(lambda: function(with_ctx).apply(x, 1, 2, 3, c=1)),
        seen,
    ]


def star_arguments_with_setup_context(torch):
    class Total(torch.autograd.Function):
        @staticmethod
        def forward(*tensors):
            return tensors[0] + tensors[1]

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.count = len(inputs)

        @staticmethod
        def backward(ctx, g):
            return (g,) * ctx.count

    x = _leaf(torch)
    Total.apply(x, x).sum().backward()
    return x.grad


def setup_context_may_return_anything(torch):
    seen = []

    class Returns(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x * 2

        @staticmethod
        def setup_context(ctx, inputs, output):
            seen.append([output.requires_grad, output.grad_fn is None, torch.is_grad_enabled()])
            return output * 100

        @staticmethod
        def backward(ctx, g):
            return g * 2

    return [Returns.apply(_leaf(torch)), seen]


def setup_context_missing_or_superfluous(torch):
    class WithoutIt(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x * 2

    class WithBoth(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def setup_context(ctx, inputs, output):
            pass

    class Raises(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x * 2

        @staticmethod
        def setup_context(ctx, inputs, output):
            raise KeyError("in setup_context")

    x = _leaf(torch)
    return [
        outcome(lambda: WithoutIt.apply(x))["raises"],
        outcome(lambda: WithBoth.apply(x)),
        outcome(lambda: Raises.apply(x)),
        torch.is_grad_enabled(),
        outcome(lambda: torch.autograd.Function.setup_context(None, (), None)),
        outcome(lambda: torch.autograd.Function.forward()),
        outcome(lambda: torch.autograd.Function.backward(None)),
        outcome(lambda: torch.autograd.Function.jvp(None)),
        outcome(lambda: torch.autograd.Function.vmap(None, (0,))),
    ]


def setup_context_added_later(torch):
    class Later(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * ctx.factor

    def setup_context(ctx, inputs, output):
        ctx.factor = 7

    Later.setup_context = staticmethod(setup_context)
    x = _leaf(torch)
    Later.apply(x).sum().backward()
    return x.grad


def setup_context_is_inherited(torch):
    scale, seen = _scale(torch)

    class Negative(scale):
        @staticmethod
        def forward(x, factor=-1.0):
            return x * factor

    x = _leaf(torch)
    y = Negative.apply(x)
    y.sum().backward()
    return [y, x.grad, seen]


def a_function_of_a_function(torch):
    square = square_function(torch)

    class Quiet(square):
        pass

    class Tripled(square):
        @staticmethod
        def backward(ctx, g):
            return 3 * square.backward(ctx, g)

    class Shifted(square):
        @staticmethod
        def forward(ctx, x):
            return square.forward(ctx, x) + 1

    x = _leaf(torch)
    results = []
    for function in (Quiet, Tripled, Shifted):
        y = function.apply(x)
        (grad,) = torch.autograd.grad(y.sum(), x)
        results.append([y, grad, y.grad_fn.name()])
    return results


def changed_methods_count(torch):
    square = square_function(torch)
    x = _leaf(torch)
    y = square.apply(x)
    square.backward = staticmethod(lambda ctx, g: g * 100)
    y.sum().backward()
    square.forward = staticmethod(lambda ctx, t: t + 1)
    return [x.grad, square.apply(x)]


def vjp_is_changed_later(torch):
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def vjp(ctx, g):
            return g * 2

    class Own(Twice):
        @staticmethod
        def backward(ctx, g):
            return g * 5

    x = _leaf(torch)
    return [
        outcome(lambda: torch.autograd.grad(Own.apply(x).sum(), x)),
        Twice.backward is torch.autograd.Function.backward,
        outcome(lambda: Twice.backward(None, torch.ones(1))),
    ]


def class_attributes_and_helpers(torch):
    class Scaled(torch.autograd.Function):
        factor = 4

        @classmethod
        def scale(cls, x):
            return x * cls.factor

        @staticmethod
        def forward(ctx, x):
            return Scaled.scale(x)

        @staticmethod
        def backward(ctx, g):
            return Scaled.scale(g)

    x = _leaf(torch)
    y = Scaled.apply(x)
    y.sum().backward()
    return [y, x.grad, hasattr(y.grad_fn, "factor")]


def classmethods_instead_of_staticmethods(torch):
    class ByClass(torch.autograd.Function):
        @classmethod
        def forward(cls, ctx, x):
            ctx.name_of_class = cls.__name__
            return x * 2

        @classmethod
        def backward(cls, ctx, g):
            return g * len(cls.__name__)

    x = _leaf(torch)
    y = ByClass.apply(x)
    y.sum().backward()
    return [y, x.grad, y.grad_fn.name_of_class]


def methods_without_staticmethod(torch):
    class Plain(torch.autograd.Function):
        def forward(ctx, x):  # noqa: N805
            return x * 2

        def backward(ctx, g):  # noqa: N805
            return g * 2

    class WithSelf(torch.autograd.Function):
        def forward(self, ctx, x):
            return x * 2

    x = _leaf(torch)
    Plain.apply(x).sum().backward()
    return [x.grad, outcome(lambda: WithSelf.apply(x))["raises"]]
