"""autograd.grad: gradients handed out instead of accumulated."""

from tests.parity.harness import outcome


def gradients_are_returned_not_accumulated(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = torch.tensor(3.0, requires_grad=True)
    grads = torch.autograd.grad(x * y, [x, y])
    return [type(grads).__name__, grads, x.grad, y.grad]


def one_input_gives_a_tuple(torch):
    x = torch.tensor(2.0, requires_grad=True)
    return torch.autograd.grad(x * x, x)


def gradients_of_intermediates(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    z = y * y
    return [torch.autograd.grad(z, y, retain_graph=True), torch.autograd.grad(z, [x, y])]


def the_gradient_of_a_tensor_by_itself(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    return [torch.autograd.grad(x, x), torch.autograd.grad(y, y)]


def unused_inputs(torch):
    x = torch.tensor(2.0, requires_grad=True)
    unused = torch.tensor(2.0, requires_grad=True)
    return [
        outcome(lambda: torch.autograd.grad(x * x, [x, unused])),
        outcome(lambda: torch.autograd.grad(x * x, [x, unused], allow_unused=True)),
        outcome(lambda: torch.autograd.grad(x * x, [x, unused], materialize_grads=True)),
    ]


def inputs_that_do_not_require_grad(torch):
    x = torch.tensor(2.0, requires_grad=True)
    constant = torch.tensor(2.0)
    return [
        outcome(lambda: torch.autograd.grad(x * constant, [x, constant])),
        outcome(lambda: torch.autograd.grad(constant * 2, x)),
    ]


def grad_outputs(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    return [
        outcome(lambda: torch.autograd.grad(y, x, retain_graph=True)),
        outcome(lambda: torch.autograd.grad(y, x, torch.tensor([1.0, 10.0]), retain_graph=True)),
        outcome(lambda: torch.autograd.grad(y, x, torch.ones(3), retain_graph=True)),
        outcome(lambda: torch.autograd.grad([y, y], x, [torch.ones(2), torch.ones(2)])),
    ]


def create_graph(torch):
    x = torch.tensor(2.0, requires_grad=True)
    (first,) = torch.autograd.grad(x**3, x, create_graph=True)
    (second,) = torch.autograd.grad(first, x, create_graph=True)
    (third,) = torch.autograd.grad(second, x)
    return [first, second, third]


def without_create_graph_it_ends(torch):
    x = torch.tensor(2.0, requires_grad=True)
    (first,) = torch.autograd.grad(x**3, x)
    return [first, outcome(lambda: torch.autograd.grad(first, x))]


def the_graph_is_freed(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x
    torch.autograd.grad(y, x)
    return outcome(lambda: torch.autograd.grad(y, x))


def the_graph_is_kept(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x
    return [torch.autograd.grad(y, x, retain_graph=True), torch.autograd.grad(y, x)]


def several_outputs_add_up(torch):
    x = torch.tensor(2.0, requires_grad=True)
    return torch.autograd.grad([x * 2, x * x], [x])


def hooks_run_under_grad(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    seen = []
    y.register_hook(lambda g: seen.append(g.item()))
    grads = torch.autograd.grad(y * 5, y)
    return [seen, grads]


def functions_off_the_path_do_not_run(torch):
    ran = []

    class Noted(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, name):
            ctx.name_of_input = name
            return x * 1

        @staticmethod
        def backward(ctx, g):
            ran.append(ctx.name_of_input)
            return g, None

    a = torch.tensor(2.0, requires_grad=True)
    b = torch.tensor(3.0, requires_grad=True)
    y = Noted.apply(a, "a") * Noted.apply(b, "b")
    grads = torch.autograd.grad(y, a)
    return [ran, grads]
