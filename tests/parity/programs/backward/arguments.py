"""autograd.backward and autograd.grad: every argument, and what they say to wrong ones."""

import collections

from tests.parity.harness import outcome, warned


def _leaf(torch, values=2.0):
    return torch.tensor(values, requires_grad=True)


def inputs_that_are_no_leaves_retain(torch):
    x = _leaf(torch)
    y = x * 3
    z = y * y
    z.backward(inputs=[y], retain_graph=True)
    first = [y.grad, x.grad, y.retains_grad]
    z.backward(inputs=[y, x])
    return [first, y.grad, x.grad]


def inputs_by_name(torch):
    x, y = _leaf(torch), _leaf(torch, 3.0)
    (x * y).backward(inputs={"x": x})
    return [x.grad, y.grad, torch.autograd.grad(x * y, {"x": x, "y": y})]


def other_mappings_are_refused(torch):
    x = _leaf(torch)
    mapping = collections.OrderedDict(x=x)
    return [
        outcome(lambda: (x * 1).backward(inputs=mapping)),
        outcome(lambda: torch.autograd.grad(x * 1, mapping)),
    ]


def nothing_asked_for(torch):
    x = _leaf(torch)
    return [
        outcome(lambda: (x * 1).backward(inputs=[])),
        outcome(lambda: torch.autograd.grad(x * 1, [])),
        outcome(lambda: torch.autograd.grad([], x)),
        outcome(lambda: torch.autograd.backward([])),
    ]


def inputs_without_a_part(torch):
    x, other = _leaf(torch), _leaf(torch)
    (x * 1).backward(inputs=[other])
    return [
        other.grad,
        x.grad,
        outcome(lambda: (x * 1).backward(inputs=[torch.tensor(1.0)])),
        outcome(lambda: torch.autograd.grad(x * 1, torch.tensor(1.0))),
    ]


def inputs_that_are_no_tensors(torch):
    x = _leaf(torch)
    return [
        outcome(lambda: (x * 1).backward(inputs=[3.0])),
        outcome(lambda: torch.autograd.grad(x * 1, [3.0])),
        outcome(lambda: torch.autograd.grad(x * 1, 3.0)),
        outcome(lambda: torch.autograd.grad(x * 1, None)),
        outcome(lambda: torch.autograd.grad(x * 1, [None])),
    ]


def roots_that_are_no_tensors(torch):
    x = _leaf(torch)
    return [
        outcome(lambda: torch.autograd.grad(3.0, x)),
        outcome(lambda: torch.autograd.grad([3.0], x)),
        outcome(lambda: torch.autograd.backward(3.0)),
        outcome(lambda: torch.autograd.backward([3.0])),
        outcome(lambda: torch.autograd.backward(None)),
    ]


def roots_without_history(torch):
    x = _leaf(torch)
    return [
        outcome(lambda: torch.tensor(1.0).backward()),
        outcome(lambda: torch.ones(3).backward()),
        outcome(lambda: torch.ones(3).backward(torch.ones(3))),
        outcome(lambda: torch.tensor(1).backward()),
        outcome(lambda: torch.autograd.backward([x * 1, torch.tensor(1.0)])),
    ]


def gradients_in_each_form(torch):
    x = _leaf(torch)
    one, two = torch.tensor(1.0), torch.tensor(2.0)
    grad = torch.autograd.grad
    return [
        outcome(lambda: grad(x * 1, x, two)),
        outcome(lambda: grad(x * 1, x, [two])),
        outcome(lambda: grad(x * 1, x, (one, two))),
        outcome(lambda: grad([x * 1, x * 1], x, [None, two])),
        outcome(lambda: grad([x * 1, x * 1], x, [one])),
        outcome(lambda: grad([x * 1, x * 1], x, one)),
        outcome(lambda: grad(x * 1, x, 1.0)),
        outcome(lambda: grad(x * 1, x, [1.0])),
        outcome(lambda: grad(x * 1, x, "a")),
    ]


def gradients_of_other_dtypes(torch):
    x = _leaf(torch)
    found = []
    for gradient in (torch.tensor(1), torch.tensor(True), torch.tensor(2.0, dtype=torch.float64)):
        found.append(torch.autograd.grad(x * 1, x, gradient))
        found.append(torch.autograd.grad(x, x, gradient))
    return found


def gradients_of_other_shapes(torch):
    x = _leaf(torch)
    pair = x * torch.ones(2)
    return [
        outcome(lambda: torch.autograd.grad(x * 1, x, torch.ones(1))),
        outcome(lambda: torch.autograd.grad([pair, x * 1], x, [torch.ones(3), None])),
        outcome(lambda: pair.backward(torch.ones(2, 1))),
        outcome(lambda: pair.backward()),
        outcome(lambda: (x * torch.ones(1, 1)).backward()),
    ]


def gradients_of_methods(torch):
    x = _leaf(torch)
    found = [
        outcome(lambda: (x * 1).backward(1.0)),
        outcome(lambda: (x * 1).backward([1.0])),
        outcome(lambda: (x * 1).backward([torch.tensor(1.0)])),
        outcome(lambda: (x * 1).backward(gradient=torch.tensor(3.0))),
        outcome(lambda: (x * 1).backward(torch.tensor(5.0), False, False, None)),
    ]
    return [found, x.grad]


def gradients_with_a_history(torch):
    x, g = _leaf(torch), _leaf(torch, 3.0)
    without = torch.autograd.grad(x * x, x, g)
    (with_graph,) = torch.autograd.grad(x * x, x, g, create_graph=True)
    return [without, with_graph.requires_grad, torch.autograd.grad(with_graph, [x, g])]


def the_old_name_of_the_gradients(torch):
    x = _leaf(torch)
    torch.autograd.backward(x * 1, grad_variables=torch.tensor(3.0))
    one = torch.tensor(1.0)
    both = outcome(lambda: torch.autograd.backward(x * 1, one, grad_variables=one))
    torch.autograd.backward(x * 1, None, None, False, None, [x])
    return [x.grad, both]


def arguments_that_do_nothing(torch):
    x = _leaf(torch)
    return torch.autograd.grad(x * 1, x, only_inputs=False)


def arguments_that_contradict(torch):
    x, other = _leaf(torch), _leaf(torch, [1.0, 2.0])
    grad = torch.autograd.grad
    return [
        outcome(lambda: grad(x * 1, x, materialize_grads=True, allow_unused=False)),
        outcome(lambda: grad(x * 1, [x, other], materialize_grads=True)),
        outcome(lambda: grad(x * 1, [x, other], materialize_grads=True, allow_unused=True)),
        outcome(lambda: grad(x * 1, [x, other], allow_unused=False)),
        outcome(lambda: grad(x * 1, [other, x], allow_unused=True)),
    ]


def zeros_are_differentiable_with_create_graph(torch):
    x, other = _leaf(torch), _leaf(torch, [1.0, 2.0])
    return torch.autograd.grad(x * 2, [x, other], materialize_grads=True, create_graph=True)[1]


def the_same_twice(torch):
    x = _leaf(torch)
    y = x * 2
    return [
        torch.autograd.grad(y, [x, x], retain_graph=True),
        torch.autograd.grad([y, y], [x], retain_graph=True),
        torch.autograd.grad([y, x], [x, y]),
    ]


def the_graph_is_kept_with_create_graph(torch):
    x = _leaf(torch)
    y, z = x * x, x * x
    torch.autograd.grad(y, x, create_graph=True)
    torch.autograd.grad(z, x, create_graph=True, retain_graph=False)
    return [
        outcome(lambda: torch.autograd.grad(y, x)),
        outcome(lambda: torch.autograd.grad(z, x)),
    ]


def modes_around(torch):
    x = _leaf(torch)
    y = x * x
    with torch.no_grad():
        outside = outcome(lambda: torch.autograd.grad(x * 1, x))
        (gradient,) = torch.autograd.grad(y, x, create_graph=True)
        return [outside, gradient.requires_grad, torch.is_grad_enabled()]


def variables(torch):
    variable = torch.autograd.Variable
    x = torch.tensor([1.0])
    y = variable(x, requires_grad=True)
    return [
        y,
        y.data_ptr() == x.data_ptr(),
        x.requires_grad,
        isinstance(x, variable),
        isinstance(3, variable),
        type(y).__name__,
        variable(x, volatile=True),
        outcome(lambda: variable(3)),
        outcome(lambda: torch.autograd.variable(3)),
    ]


def names_of_the_module(torch):
    from importlib import import_module

    function = import_module(f"{torch.__name__}.autograd.function")
    mode = import_module(f"{torch.__name__}.autograd.grad_mode")
    anomaly = import_module(f"{torch.__name__}.autograd.anomaly_mode")
    names = ("Function", "FunctionCtx", "BackwardCFunction", "once_differentiable")
    return [
        [hasattr(function, name) for name in names],
        issubclass(function.InplaceFunction, torch.autograd.Function),
        mode.no_grad is torch.no_grad,
        mode is torch.autograd.grad_mode,
        anomaly.detect_anomaly is torch.autograd.detect_anomaly,
        anomaly.set_detect_anomaly is torch.autograd.set_detect_anomaly,
    ]


def gradients_that_nobody_needs_are_checked(torch):
    def scale(second):
        class Scale(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x, y):
                return x * y

            @staticmethod
            def backward(ctx, g):
                return g, second

        return Scale.apply

    def ways(second):
        x, y = (torch.ones(2, requires_grad=True) for _ in range(2))
        z = scale(second)(x, y * 1)
        return [
            outcome(lambda: z.sum().backward(inputs=[x], retain_graph=True)),
            outcome(lambda: torch.autograd.grad(z.sum(), x, retain_graph=True)),
            outcome(lambda: z.sum().backward(inputs=[z])),
            x.grad,
        ]

    wide, double = torch.ones(3, 2), torch.ones(2, dtype=torch.float64)
    return [ways(second) for second in (torch.ones(3), wide, double, 3, None)]


def inputs_retain_gradients_up_to_the_first_that_cannot(torch):
    seen = []
    for order in ((0, 1, 2), (2, 0, 1), (0, 2, 1)):
        x = torch.ones(2, requires_grad=True)
        tensors = [x * 2, torch.ones(2), x * 3]
        inputs = [tensors[position] for position in order]
        refused = outcome(lambda inputs=inputs: (inputs[0] * 1).sum().backward(inputs=inputs))
        seen.append([refused, [each.retains_grad for each in inputs]])
    return seen


def create_graph_warns_once_it_is_known_to_run(torch):
    x = torch.ones(2, requires_grad=True)
    return [
        warned(lambda: outcome(call))  # noqa: B023
        for call in (
            lambda: x.sum().backward(create_graph=True),
            lambda: x.sum().detach().backward(create_graph=True),
            lambda: (x * 1).backward(create_graph=True),
            lambda: x.sum().backward(torch.ones(2), create_graph=True),
            lambda: x.sum().backward(create_graph=True, inputs=[]),
            lambda: x.sum().backward(create_graph=True, inputs=[torch.ones(2)]),
        )
    ]


def flags_are_whole_numbers(torch):
    x = torch.ones(2, requires_grad=True)
    results = []
    for name in ("retain_graph", "create_graph", "allow_unused", "materialize_grads"):
        for flag in (None, "a", 0, 1, 2.0, [], True, torch.tensor(1), torch.tensor(1.0)):
            options = {name: flag}
            results.append(
                outcome(lambda: torch.autograd.grad((x * x).sum(), x, **options))  # noqa: B023
            )
    for name in ("retain_graph", "create_graph"):
        results += [
            outcome(lambda: (x * x).sum().backward(**{name: flag}))  # noqa: B023
            for flag in (None, "a")
        ]
    return results
