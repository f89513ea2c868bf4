"""Gradients of gradients, through operators and through custom functions."""

from tests.parity.harness import graph, node_names, outcome


def second_derivatives_of_operators(torch):
    operators = {
        "mul": lambda x: x * x * x,
        "div": lambda x: 1 / x,
        "pow": lambda x: x**3,
        "exp": torch.exp,
        "log": torch.log,
        "sin": torch.sin,
        "cos": torch.cos,
        "relu": lambda x: torch.relu(x) * x,
    }
    seen = {}
    for name, operator in operators.items():
        x = torch.tensor([0.5, 2.0], requires_grad=True)
        (first,) = torch.autograd.grad(operator(x).sum(), x, create_graph=True)
        (second,) = torch.autograd.grad(first.sum(), x)
        seen[name] = [first.tolist(), first.requires_grad, second]
    return seen


def a_function_whose_backward_is_differentiable(torch):
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x * x

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * 3 * x * x

    x = torch.tensor(2.0, requires_grad=True)
    (first,) = torch.autograd.grad(Cube.apply(x), x, create_graph=True)
    (second,) = torch.autograd.grad(first, x)
    return [first, second, node_names(first.grad_fn)]


def a_function_that_saves_its_output(torch):
    class Exp(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp()
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx, g):
            return g * ctx.saved_tensors[0]

    x = torch.tensor(1.0, requires_grad=True)
    (first,) = torch.autograd.grad(Exp.apply(x), x, create_graph=True)
    (second,) = torch.autograd.grad(first, x)
    return [first, second]


def a_function_that_saves_an_intermediate_loses_its_graph(torch):
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x * 2)
            return x * x

        @staticmethod
        def backward(ctx, g):
            return g * ctx.saved_tensors[0]

    x = torch.tensor(3.0, requires_grad=True)
    (first,) = torch.autograd.grad(Square.apply(x), x, create_graph=True)
    return [first, outcome(lambda: torch.autograd.grad(first, x))]


def once_differentiable(torch):
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * 2 * x

    x = torch.tensor(3.0, requires_grad=True)
    y = Square.apply(x)
    (alone,) = torch.autograd.grad(y, x, create_graph=True)
    y = Square.apply(x)
    (of_square,) = torch.autograd.grad(y * y, x, create_graph=True)
    return {
        "alone": [alone, outcome(lambda: torch.autograd.grad(alone, x))],
        "with_a_gradient_that_requires_grad": [
            of_square,
            outcome(lambda: torch.autograd.grad(of_square, x)),
            outcome(of_square.backward),
        ],
    }


def gradients_without_create_graph_do_not_require_grad(torch):
    seen = []

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            result = g * 2 * ctx.saved_tensors[0]
            seen.append([g.requires_grad, result.requires_grad])
            return result

    x = torch.tensor(3.0, requires_grad=True)
    Square.apply(x).backward()
    Square.apply(x).backward(create_graph=True)
    return [seen, x.grad.tolist()]


def by_grad_outputs(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    v = torch.tensor([1.0, 1.0], requires_grad=True)
    (product,) = torch.autograd.grad(x * x, x, v, create_graph=True)
    (by_v,) = torch.autograd.grad(product.sum(), v)
    return [product, by_v]


def a_penalty_on_the_gradient(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.tensor([3.0, 4.0], requires_grad=True)
    loss = ((x * w).sum() - 1) ** 2
    (by_x,) = torch.autograd.grad(loss, x, create_graph=True)
    (loss + (by_x * by_x).sum()).backward()
    return [by_x.tolist(), w.grad, x.grad]


def the_graph_of_a_gradient_that_was_broadcast(torch):
    x, y = torch.ones(2, 3, requires_grad=True), torch.ones(3, requires_grad=True)
    z = torch.ones((), requires_grad=True)
    grads = torch.autograd.grad((x * y * z).sum(), (y, z), create_graph=True)
    return [node_names(grad.grad_fn)[:2] for grad in grads]


def the_graph_of_a_gradient_of_what_was_selected(torch):
    seen = []
    for select in (
        lambda x: x.max(-1).values,
        lambda x: x.median(-1).values,
        lambda x: x.sort(-1).values,
        lambda x: x.topk(1).values,
        lambda x: x.cummax(-1).values,
        lambda x: (x.sum() * 1).prod(),
    ):
        x = torch.tensor([[1.0, 3.0], [4.0, 2.0]], requires_grad=True)
        y = select(x)
        g = torch.ones_like(y, requires_grad=True)
        (grad,) = torch.autograd.grad(y, x, g, create_graph=True)
        seen.append([node_names(grad.grad_fn), *torch.autograd.grad(grad.sum(), g)])
    return seen


def through_a_later_output_changed_in_place(torch):
    class Both(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2, x * 3

        @staticmethod
        def backward(ctx, g, h):
            return g * 2 + h * 3

    def twice(outputs):
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        y = outputs(x)[1].pow_(2)
        (g,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
        return [g, node_names(g.grad_fn), torch.autograd.grad(g.sum(), x)]

    return [twice(Both.apply), twice(lambda x: (x * 3).unsafe_split(1))]


def gradient_of_a_gradient_of_an_index(torch):
    x = torch.arange(6.0).reshape(2, 3).requires_grad_()
    y = torch.ones(3, 3, requires_grad=True)
    (g,) = torch.autograd.grad((x[torch.tensor([1, 0, 1])] * y).sum(), x, create_graph=True)
    return [g, graph(g.grad_fn), *torch.autograd.grad((g**2).sum(), y)]


def third_derivative_of_a_number(torch):
    x = torch.tensor(0.5, requires_grad=True)
    (first,) = torch.autograd.grad(x.tanh(), x, create_graph=True)
    (second,) = torch.autograd.grad(first, x, create_graph=True)
    return [first, second, *torch.autograd.grad(second, x)]


def a_product_with_two_zeros_again(torch):
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    y = torch.tensor([0.0, 0.0, 5.0], requires_grad=True)
    product = x.scatter_reduce(0, torch.tensor([0, 0, 1]), y, "prod")
    (slope,) = torch.autograd.grad(product.sum(), y, create_graph=True)
    return slope.detach(), outcome(lambda: torch.autograd.grad(slope.sum(), [x, y]))
