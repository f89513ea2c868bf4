"""Values, node names and gradients of the operators."""

from tests.parity.harness import graph, outcome


def _unary(torch, operator, values=(0.5, 1.0, 2.0)):
    x = torch.tensor(list(values), requires_grad=True)
    y = operator(x)
    weights = torch.arange(1.0, y.numel() + 1).reshape(y.shape)
    (y * weights).sum().backward()
    return [y, x.grad]


def exponentials_and_logarithms(torch):
    return [_unary(torch, f) for f in (torch.exp, torch.log, lambda x: x.exp(), lambda x: x.log())]


def trigonometry(torch):
    return [_unary(torch, f) for f in (torch.sin, torch.cos, lambda x: x.sin(), lambda x: x.cos())]


def digits_on_scalars(torch):
    values = [0.1, 1.0, 2.0, 3.0, 10.0]
    functions = [torch.sin, torch.cos, torch.exp, torch.log]
    return [[f(torch.tensor(value)) for value in values] for f in functions]


def negation_and_powers(torch):
    return [_unary(torch, f) for f in (lambda x: -x, lambda x: x**2, lambda x: x**0.5)] + [
        _unary(torch, lambda x: x.pow(3)),
        _unary(torch, lambda x: 2**x),
    ]


def arithmetic_with_numbers(torch):
    functions = (
        lambda x: x + 2, lambda x: 2 + x, lambda x: x - 2, lambda x: 2 - x,
        lambda x: x * 3, lambda x: 3 * x, lambda x: x / 4, lambda x: 4 / x,
    )  # fmt: skip
    return [_unary(torch, f) for f in functions]


def arithmetic_of_two_tensors(torch):
    seen = []
    functions = (
        lambda a, b: a + b,
        lambda a, b: a - b,
        lambda a, b: a * b,
        lambda a, b: a / b,
        lambda a, b: a**b,
    )
    for operator in functions:
        a = torch.tensor([2.0, 3.0], requires_grad=True)
        b = torch.tensor([0.5, 4.0], requires_grad=True)
        y = operator(a, b)
        y.sum().backward()
        seen.append([y, a.grad, b.grad])
    return seen


def methods_and_functions_of_arithmetic(torch):
    a, b = torch.tensor([2.0, 3.0]), torch.tensor([0.5, 4.0])
    return [
        a.add(b), a.sub(b), a.mul(b), a.div(b), a.neg(),
        torch.add(a, b), torch.sub(a, b), torch.mul(a, b), torch.div(a, b), torch.neg(a),
    ]  # fmt: skip


def gradients_are_summed_over_broadcast_axes(torch):
    a = torch.tensor([[1.0], [2.0]], requires_grad=True)
    b = torch.tensor([3.0, 4.0, 5.0], requires_grad=True)
    c = torch.tensor(2.0, requires_grad=True)
    y = a * b + c
    y.sum().backward()
    return [y, a.grad, b.grad, c.grad]


def one_tensor_on_both_sides(torch):
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x + x
    y.backward()
    return [y, x.grad, graph(y.grad_fn)]


def reductions(torch):
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    return {
        "sum": x.sum(),
        "sum_of_rows": x.sum(1),
        "sum_keepdim": x.sum(0, keepdim=True),
        "sum_of_both": x.sum((0, 1)),
        "last": x.sum(-1),
        "mean": x.mean(),
        "mean_of_columns": x.mean(0),
        "function": torch.sum(x),
        "scalar": torch.tensor(3.0).sum(),
        "wrong_axis": outcome(lambda: x.sum(2)),
    }


def gradients_of_reductions(torch):
    return [
        _unary(torch, lambda x: x.sum()),
        _unary(torch, lambda x: x.mean()),
        _unary(torch, lambda x: x.reshape(3, 1).sum(0)),
        _unary(torch, lambda x: x.reshape(1, 3).sum(0, keepdim=True)),
        _unary(torch, lambda x: x.reshape(1, 3).mean(1)),
    ]


def relu(torch):
    values = (-1.0, 0.0, 2.0)
    return [
        _unary(torch, torch.relu, values),
        _unary(torch, lambda x: x.relu(), values),
        _unary(torch, torch.nn.ReLU(), values),
        _unary(torch, torch.nn.functional.relu, values),
    ]


def matrix_products(torch):
    seen = []
    for left, right in (((2, 3), (3, 2)), ((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2))):
        a = torch.arange(float(_count(left))).reshape(left).requires_grad_()
        b = (torch.arange(float(_count(right))) + 1).reshape(right).requires_grad_()
        y = a @ b
        y.sum().backward()
        seen.append([y, a.grad, b.grad])
    return seen


def _count(shape):
    product = 1
    for size in shape:
        product *= size
    return product


def names_of_nodes(torch):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    results = [
        x + 1, x - 1, 1 - x, x * 2, x / 2, 2 / x, -x, x**2, 2**x, x**x,
        x.exp(), x.log(), x.sin(), x.cos(), x.relu(), x.sum(), x.sum(0), x.mean(), x.mean(1),
        x @ x, x @ x[0], x[0] @ x[0], x.clone(), x.t(), x.view(4), x.reshape(4), x[0],
        x[:, 1], x.transpose(0, 1), x.unsqueeze(0), x.expand(2, 2, 2), x.double(), x.abs(),
    ]  # fmt: skip
    return [y.grad_fn.name() for y in results]


def edges_of_constants(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    c = torch.tensor([3.0, 4.0])
    return [
        graph((x * c).grad_fn),
        graph((c * x).grad_fn),
        graph((x + 1).grad_fn),
        graph((1 - x).grad_fn),
        graph((x / c).grad_fn),
        graph((x**2).grad_fn),
        graph((c**x).grad_fn),
        graph(x.sum().grad_fn),
    ]


def the_name_of_accumulate_grad(torch):
    x = torch.tensor(1.0, requires_grad=True)
    node = (x * 2).grad_fn.next_functions[0][0]
    return {
        "name": node.name(),
        "type": type(node).__name__,
        "variable_is_x": node.variable is x,
        "next_functions": node.next_functions,
        "same_node_again": (x * 3).grad_fn.next_functions[0][0] is node,
    }


def the_extreme_of_a_number(torch):
    x = torch.tensor(2.0, requires_grad=True)
    values, indices = x.max(0)
    (values + x.min(-1)[0]).backward()
    return [values.item(), indices, x.grad]
