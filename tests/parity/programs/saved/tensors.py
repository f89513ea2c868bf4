"""What a graph keeps, and how it notices that what it keeps is gone or changed."""

from traceback import format_exc

from tests.parity.function_material import returning
from tests.parity.harness import outcome


def _square(torch, keep="input"):
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x * x
            ctx.save_for_backward(x if keep == "input" else y)
            return y

        @staticmethod
        def backward(ctx, g):
            (kept,) = ctx.saved_tensors
            return g * 2 * kept

    return Square


def saved_tensors_before_and_after_backward(torch):
    x = torch.tensor(3.0, requires_grad=True)
    y = _square(torch).apply(x)
    before = y.grad_fn.saved_tensors
    is_x = before[0] is x
    y.backward()
    return [before, is_x, outcome(lambda: y.grad_fn.saved_tensors), outcome(y.backward)]


def saved_tensors_with_retain_graph(torch):
    x = torch.tensor(3.0, requires_grad=True)
    y = _square(torch).apply(x)
    y.backward(retain_graph=True)
    return [y.grad_fn.saved_tensors, outcome(y.backward), x.grad]


def saved_intermediates_keep_their_grad_fn(torch):
    x = torch.tensor(3.0, requires_grad=True)
    m = x * 2
    y = _square(torch).apply(m)
    (saved,) = y.grad_fn.saved_tensors
    return [saved, saved is m, saved.grad_fn is m.grad_fn]


def saved_outputs_have_the_functions_node(torch):
    x = torch.tensor(3.0, requires_grad=True)
    y = _square(torch, keep="output").apply(x)
    (saved,) = y.grad_fn.saved_tensors
    return [saved, saved.grad_fn is y.grad_fn, saved is y]


def a_stale_input_of_a_custom_function(torch):
    x = torch.tensor([3.0, 4.0], requires_grad=True)
    m = x * 1
    y = _square(torch).apply(m)
    m.add_(1)
    return [outcome(y.sum().backward), outcome(lambda: y.grad_fn.saved_tensors)]


def a_stale_output_of_a_custom_function(torch):
    x = torch.tensor([3.0, 4.0], requires_grad=True)
    y = _square(torch, keep="output").apply(x)
    y.mul_(2)
    return outcome(y.sum().backward)


def a_stale_leaf(torch):
    x = torch.tensor([3.0, 4.0], requires_grad=True)
    y = _square(torch).apply(x)
    with torch.no_grad():
        x.mul_(2)
    return outcome(y.sum().backward)


def a_stale_constant(torch):
    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, factor):
            ctx.save_for_backward(factor)
            return x * factor

        @staticmethod
        def backward(ctx, g):
            return g * ctx.saved_tensors[0], None

    x = torch.tensor([3.0, 4.0], requires_grad=True)
    factor = torch.tensor([1.0, 2.0], dtype=torch.float64)
    y = Scale.apply(x, factor)
    factor.zero_()
    return outcome(y.sum().backward)


def stale_through_a_view(torch):
    x = torch.tensor([[3.0, 4.0]], requires_grad=True)
    m = x * 1
    y = _square(torch).apply(m)
    m[0].zero_()
    return outcome(y.sum().backward)


def kept_by_ctx_attributes_nothing_is_noticed(torch):
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.x = x
            return x * x

        @staticmethod
        def backward(ctx, g):
            return g * 2 * ctx.x

    x = torch.tensor(3.0, requires_grad=True)
    m = x * 1
    y = Square.apply(m)
    m.data.add_(1)
    m.detach().add_(1)
    y.backward()
    return x.grad


def none_and_several_can_be_saved(torch):
    class Keeps(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(x, None, y)
            return x * y

        @staticmethod
        def backward(ctx, g):
            x, nothing, y = ctx.saved_tensors
            assert nothing is None
            return g * y, g * x

    x = torch.tensor(3.0, requires_grad=True)
    y = torch.tensor(4.0, requires_grad=True)
    z = Keeps.apply(x, y)
    z.backward()
    return [x.grad, y.grad]


def only_tensors_can_be_saved(torch):
    class Keeps(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x, 3)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

    return outcome(lambda: Keeps.apply(torch.tensor(3.0, requires_grad=True)))


def saving_twice_keeps_the_last(torch):
    class Keeps(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            ctx.save_for_backward(x * 10)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            (kept,) = ctx.saved_tensors
            return g * kept

    x = torch.tensor(3.0, requires_grad=True)
    Keeps.apply(x).backward()
    return x.grad


def nothing_saved_is_an_empty_tuple(torch):
    class Keeps(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * len(ctx.saved_tensors)

    x = torch.tensor(3.0, requires_grad=True)
    y = Keeps.apply(x)
    saved = y.grad_fn.saved_tensors
    y.backward()
    return [saved, x.grad, outcome(lambda: y.grad_fn.saved_tensors), outcome(y.backward)]


def a_leaf_changed_before_the_graph_is_made_is_fine(torch):
    x = torch.tensor([3.0], requires_grad=True)
    with torch.no_grad():
        x.add_(1)
    y = _square(torch).apply(x)
    y.sum().backward()
    return [x._version, x.grad]


def products_keep_only_what_a_gradient_needs(torch):
    data = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    products = {
        "mm": (lambda a, b: torch.mm(a, b), data, data),
        "mv": (lambda a, b: torch.mv(a, b), data, data[0]),
        "dot": (lambda a, b: torch.dot(a, b), data[0], data[1]),
        "bmm": (lambda a, b: torch.bmm(a, b), data[None], data[None]),
        "addmm": (lambda a, b: torch.addmm(data, a, b), data, data),
        "scaled addmm": (lambda a, b: torch.addmm(data, a, b, alpha=2), data, data),
        "linear": (lambda a, b: torch.nn.functional.linear(a, b, data[0]), data, data),
    }
    found = []
    for name, (product, *values) in products.items():
        for learns in ((True, True), (True, False), (False, True)):
            first, second = (
                (value.clone() * 1).requires_grad_(wanted)
                for value, wanted in zip(values, learns, strict=True)
            )
            kept = []
            with torch.autograd.graph.saved_tensors_hooks(
                lambda t, kept=kept: kept.append(t.shape) or t, lambda t: t
            ):
                product(first, second)
            z = product(first, second)
            frozen = second if learns[0] else first
            if not frozen.requires_grad:
                frozen.add_(1)
            endings = [outcome(lambda z=z: z.sum().backward()) for _ in range(2)]
            found.append([name, learns, kept, endings, first.grad, second.grad])
    return found


def a_product_without_gradients_of_its_factors_keeps_nothing(torch):
    bias = torch.ones(2, requires_grad=True)
    z = torch.addmm(bias, torch.ones(2, 2), torch.ones(2, 2)).sum()
    z.backward()
    return [outcome(z.backward), bias.grad]


def an_input_that_is_detached_in_place_afterwards(torch):
    def gradient(square):
        x = torch.tensor([2.0, 3.0], requires_grad=True)
        tripled = x * 3
        squared = square(tripled)
        tripled.detach_()
        squared.sum().backward()
        return x.grad

    return [
        outcome(lambda: gradient(_square(torch).apply)),
        outcome(lambda: gradient(lambda x: x * x)),
    ]


def without_a_gradient_what_was_kept_is_looked_at(torch):
    nothing = returning(torch, lambda ctx, g: None)
    x = torch.ones(2, requires_grad=True)
    product, total = x * x, x + x
    for inner in (product, total):
        nothing.apply(inner).sum().backward()
    changed = x * 1
    squared = changed * changed
    changed.add_(1)
    return [outcome(nothing.apply(inner).sum().backward) for inner in (product, total, squared)]


def a_changed_output_is_named_by_its_maker_alone(torch):
    def refused(make, used):
        outputs = make(torch.ones(2, 3, requires_grad=True))
        end = used(outputs[1]).sum()
        with torch.no_grad():
            outputs[1].neg_()
        return outcome(end.backward)

    makers = [lambda x: x.unbind(), lambda x: x.split(2, 1), lambda x: torch.var_mean(x, 1)]
    uses = [lambda part: part * part, lambda part: part.sigmoid() * part]
    return [refused(make, used) for make in makers for used in uses]


def a_changed_tensor_is_all_that_an_error_tells_of(torch):
    def shows(use):
        x = torch.ones(2, requires_grad=True) * 1
        y = use(x)
        x.add_(1)
        try:
            y.sum().backward()
        except RuntimeError as error:
            return [format_exc().count("Traceback"), error.__cause__, str(error)]

    return [shows(use) for use in (_square(torch).apply, torch.sin, lambda x: x * x, torch.prod)]


def saved_tensors_that_are_gone(torch):
    x = torch.ones(2, requires_grad=True)
    y = x.exp() * x * torch.ones(2)
    raw = y.grad_fn._raw_saved_other, y.grad_fn._raw_saved_self
    before = [each.unpack() for each in raw]
    y.sum().backward()
    return [before, *[outcome(each.unpack) for each in raw]]
