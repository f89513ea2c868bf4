"""backward(): accumulating, keeping the graph, its arguments and errors."""

from tests.parity.harness import outcome


def gradients_accumulate(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    seen = []
    for _ in range(3):
        (x * x).sum().backward()
        seen.append(x.grad.tolist())
    return seen


def accumulation_happens_in_place(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x * 2).sum().backward()
    first = x.grad
    (x * 3).sum().backward()
    return [x.grad is first, first]


def a_second_time_through_a_graph_that_keeps_tensors(torch):
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    y.backward()
    return [outcome(y.backward), x.grad]


def a_second_time_through_a_graph_that_keeps_nothing(torch):
    x = torch.tensor(3.0, requires_grad=True)
    y = x + 1
    y.backward()
    return [outcome(y.backward), x.grad]


def retain_graph(torch):
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    y.backward(retain_graph=True)
    y.backward(retain_graph=True)
    y.backward()
    return [x.grad, outcome(y.backward)]


def two_results_share_a_part_of_the_graph(torch):
    x = torch.tensor(3.0, requires_grad=True)
    shared = x * x
    a, b = shared * 2, shared * 3
    a.backward()
    return [x.grad, outcome(b.backward)]


def a_diamond_is_walked_once(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x
    for _ in range(60):
        y = y + y
    y.backward()
    return [y, x.grad]


def the_order_of_contributions(torch):
    x = torch.tensor(0.1, requires_grad=True)
    terms = [x * 0.1, x * 0.7, x * 1e8, x.sin(), x.exp()]
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    total.backward()
    return x.grad


def only_scalars_have_an_implicit_gradient(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    one = torch.tensor([[3.0]], requires_grad=True)
    return [outcome((x * 2).backward), outcome((one * 2).backward), one.grad]


def an_explicit_gradient(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x * x).backward(torch.tensor([1.0, 10.0]))
    y = x * x
    y.backward(gradient=torch.tensor([100.0, 0.0]))
    return x.grad


def a_gradient_that_does_not_fit(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    return [
        outcome(lambda: y.backward(torch.tensor([1.0]))),
        outcome(lambda: y.backward(torch.tensor(1.0))),
        outcome(lambda: y.backward(torch.ones(2, 1))),
        outcome(lambda: y.sum().backward(torch.ones(2))),
        outcome(lambda: y.backward(torch.ones(2, dtype=torch.float64))),
        x.grad,
    ]


def a_gradient_that_is_no_tensor(torch):
    x = torch.tensor(2.0, requires_grad=True)
    return [outcome(lambda: (x * x).backward(1.0)), outcome(lambda: (x * x).backward("1"))]


def nothing_requires_grad(torch):
    x = torch.tensor(2.0)
    return [
        outcome(x.backward),
        outcome((x * 2).backward),
        outcome(torch.tensor([1.0, 2.0]).backward),
        outcome(torch.tensor(2).backward),
    ]


def on_a_leaf(torch):
    x = torch.tensor(2.0, requires_grad=True)
    x.backward()
    x.backward()
    return x.grad


def leaves_that_do_not_require_grad_get_none(torch):
    x = torch.tensor(2.0, requires_grad=True)
    c = torch.tensor(3.0)
    (x * c).backward()
    return [x.grad, c.grad]


def leaves_that_are_not_reached_get_none(torch):
    x = torch.tensor(2.0, requires_grad=True)
    other = torch.tensor(2.0, requires_grad=True)
    (x * 1).backward()
    return [x.grad, other.grad]


def several_roots(torch):
    x = torch.tensor(2.0, requires_grad=True)
    shared = x * x
    torch.autograd.backward([shared * 2, shared * 3])
    y = x * 2
    torch.autograd.backward([y, y], [torch.tensor(1.0), torch.tensor(10.0)])
    return x.grad


def several_roots_with_wrong_arguments(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    return [
        outcome(lambda: torch.autograd.backward([y, y.sum()])),
        outcome(lambda: torch.autograd.backward([y.sum(), torch.tensor(1.0)])),
        outcome(lambda: torch.autograd.backward([y], [torch.ones(2), torch.ones(2)])),
        outcome(lambda: torch.autograd.backward([])),
    ]


def only_the_inputs_asked_for(torch):
    a = torch.tensor(2.0, requires_grad=True)
    b = torch.tensor(3.0, requires_grad=True)
    (a * b).backward(inputs=[a])
    middle = a * b
    (middle * middle).backward(inputs=[middle])
    return [a.grad, b.grad, outcome(lambda: (a * b).backward(inputs=[]))]


def the_gradient_is_detached(torch):
    x = torch.tensor(2.0, requires_grad=True)
    (x * x).backward()
    return [x.grad, x.grad.is_leaf]


def the_gradient_with_create_graph(torch):
    x = torch.tensor(2.0, requires_grad=True)
    (x * x * x).backward(create_graph=True)
    first = x.grad
    x.grad = None
    first.backward()
    return [first, x.grad]


def a_long_chain(torch):
    x = torch.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(100_000):
        y = y + 1
    y.backward()
    return [y, x.grad]


def returns_nothing(torch):
    x = torch.tensor(2.0, requires_grad=True)
    return (x * x).backward()


def backward_under_no_grad(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x
    with torch.no_grad():
        y.backward()
    return x.grad


def zeroing_gradients(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x * 2).sum().backward()
    x.grad.zero_()
    zeroed = x.grad.tolist()
    (x * 5).sum().backward()
    return [zeroed, x.grad]


def a_second_backward_adds_the_same_again(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x * x
    z = y + y
    z.backward(retain_graph=True)
    once = x.grad.item()
    z.backward()
    return [once, x.grad.item()]


def a_backward_that_returns_none_behind_an_operator(torch):
    class Nothing(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return None

    class Seen(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g + 1

    x = torch.tensor(3.0, requires_grad=True)
    y = torch.tensor(3.0, requires_grad=True)
    Nothing.apply(x.clone()).backward()
    Nothing.apply(Seen.apply(y)).backward()
    return [x.grad, y.grad]


def a_gradient_can_be_deleted(torch):
    x = torch.tensor(2.0, requires_grad=True)
    (x * x).backward()
    before = x.grad.clone()
    del x.grad
    deleted = x.grad
    del x.grad
    (x * 3).backward()
    return [before, deleted, x.grad]


def a_root_whose_shape_has_changed(torch):
    x = torch.ones(2, 2, requires_grad=True)
    y = x * 1
    y.data = torch.ones(3)
    return outcome(lambda: y.backward(torch.ones(3)))
