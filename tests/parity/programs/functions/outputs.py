"""What forward may return: several outputs, inputs, views, integers, no tensors at all."""

from tests.parity.harness import outcome


def _identity(torch, forward):
    class Passes(torch.autograd.Function):
        @staticmethod
        def backward(ctx, g):
            return g

    Passes.forward = staticmethod(forward)
    return Passes


def several_outputs(torch):
    class SumAndDifference(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return x + y, x - y

        @staticmethod
        def backward(ctx, by_sum, by_difference):
            return by_sum + by_difference, by_sum - by_difference

    x = torch.tensor(5.0, requires_grad=True)
    y = torch.tensor(3.0, requires_grad=True)
    outputs = SumAndDifference.apply(x, y)
    s, d = outputs
    edges = [number for _, number in (s * d).grad_fn.next_functions]
    (s * d).backward()
    return [type(outputs).__name__, s, d, s.grad_fn is d.grad_fn, edges, x.grad, y.grad]


def an_output_nobody_uses_gets_zeros(torch):
    seen = []

    class Two(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2, x.sum()

        @staticmethod
        def backward(ctx, first, second):
            seen.append([first, second])
            return first * 2

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    Two.apply(x)[0].sum().backward()
    Two.apply(x)[1].backward()
    return [seen, x.grad]


def an_output_nobody_uses_gets_none_on_request(torch):
    seen = []

    class Two(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(False)
            return x * 2, x * 3

        @staticmethod
        def backward(ctx, first, second):
            seen.append([first is None, second is None])
            return (first if first is not None else second) * 2

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    Two.apply(x)[0].sum().backward()
    Two.apply(x)[1].sum().backward()
    return [seen, x.grad]


def outputs_that_are_no_tensors(torch):
    class Mixed(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2, 7, None, "text"

        @staticmethod
        def backward(ctx, *gradients):
            seen.append([g if g is None else g.tolist() for g in gradients])
            return gradients[0] * 2

    seen = []
    x = torch.tensor(1.0, requires_grad=True)
    outputs = Mixed.apply(x)
    outputs[0].backward()
    return [outputs, seen, x.grad]


def forward_must_return_something_usable(torch):
    returns = {
        "none": lambda ctx, x: None,
        "number": lambda ctx, x: 3.0,
        "list": lambda ctx, x: [x * 2],
        "empty": lambda ctx, x: (),
    }
    x = torch.tensor(1.0, requires_grad=True)
    return {
        name: outcome(lambda f=forward: _identity(torch, f).apply(x))
        for name, forward in returns.items()
    }


def an_input_returned_unchanged(torch):
    passes = _identity(torch, lambda ctx, x: x)
    leaf = torch.tensor(3.0, requires_grad=True)
    y = passes.apply(leaf)
    result = leaf * 2
    z = passes.apply(result)
    z.backward()
    constant = torch.tensor(1.0)
    return {
        "of_leaf": [y is leaf, y, y._base is leaf, y.data_ptr() == leaf.data_ptr()],
        "of_result": [z is result, z.grad_fn.name(), result.grad_fn.name()],
        "grad": leaf.grad,
        "of_constant": passes.apply(constant) is constant,
    }


def an_input_returned_unchanged_is_changed_later(torch):
    passes = _identity(torch, lambda ctx, x: x)
    leaf = torch.tensor([3.0], requires_grad=True)
    y = passes.apply(leaf * 1)
    return outcome(lambda: y.add_(1))


def a_view_returned_from_forward(torch):
    class Flat(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.view(-1)

        @staticmethod
        def backward(ctx, g):
            return g.view(1, 2)

    x = torch.tensor([[1.0, 2.0]], requires_grad=True)
    m = x * 1
    y = Flat.apply(m)
    y.sum().backward()
    return [y, y._base is m, x.grad, outcome(lambda: Flat.apply(x * 1).add_(1))]


def an_integer_output_does_not_require_grad(torch):
    class Both(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2, x.long()

        @staticmethod
        def backward(ctx, g, gi):
            seen.append([g, gi])
            return g * 2

    seen = []
    x = torch.tensor([1.5], requires_grad=True)
    y, i = Both.apply(x)
    y.backward()
    return [y, i, seen]


def mark_non_differentiable(torch):
    class Both(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y, mask = x * 2, x * 0
            ctx.mark_non_differentiable(mask)
            return y, mask

        @staticmethod
        def backward(ctx, g, for_mask):
            seen.append([g.tolist(), for_mask.tolist()])
            return g * 2

    seen = []
    x = torch.tensor([1.5], requires_grad=True)
    y, mask = Both.apply(x)
    y.backward()
    return [y, mask, mask.is_leaf, seen, x.grad, outcome(mask.sum().backward)]


def an_input_returned_as_it_is_and_saved(torch):
    def made(forward, save, mark=()):
        class Saves(torch.autograd.Function):
            @staticmethod
            def setup_context(ctx, inputs, output):
                ctx.save_for_backward(*save(inputs, output))
                for method, tensors in mark:
                    getattr(ctx, method)(*tensors(inputs))

            @staticmethod
            def backward(ctx, *grads):
                return grads[0], None

        Saves.forward = staticmethod(forward)
        return Saves

    def applied(function, **options):
        x = torch.tensor([1.0, 2.0], **options)
        y = torch.ones(2)
        return outcome(lambda: function.apply(x, y))

    def inputs(inputs, output):
        return inputs

    leaf = {"requires_grad": True}
    unchanged = made(lambda x, y: x, inputs)
    return [
        applied(unchanged, **leaf),
        applied(unchanged),
        applied(unchanged, dtype=torch.int64),
        applied(made(lambda x, y: (x * 2, y), inputs), **leaf),
        applied(made(lambda x, y: (x * 2, y), lambda inputs, output: inputs[:1]), **leaf),
        applied(made(lambda x, y: x, lambda inputs, output: (output,)), **leaf),
        applied(made(lambda x, y: x.view_as(x), inputs), **leaf),
        applied(
            made(lambda x, y: x, inputs, [("mark_non_differentiable", lambda given: given[:1])]),
            **leaf,
        ),
        applied(made(lambda x, y: y.add_(x), inputs, [("mark_dirty", lambda given: given[1:])])),
    ]
