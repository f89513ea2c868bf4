"""Changing tensors in place: on leaves, on results, on what backward still needs."""

from tests.parity.harness import graph, outcome, state

_CHANGES = {
    "add_": lambda x: x.add_(1),
    "sub_": lambda x: x.sub_(1),
    "mul_": lambda x: x.mul_(2),
    "div_": lambda x: x.div_(2),
    "pow_": lambda x: x.pow_(2),
    "exp_": lambda x: x.exp_(),
    "neg_": lambda x: x.neg_(),
    "fill_": lambda x: x.fill_(1),
    "zero_": lambda x: x.zero_(),
    "relu_": lambda x: x.relu_(),
    "setitem": lambda x: x.__setitem__(0, 1.0),
    "iadd": lambda x: x.__iadd__(1),
    "imul": lambda x: x.__imul__(2),
}


def on_a_leaf_that_requires_grad(torch):
    seen = {}
    for name, change in _CHANGES.items():
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        seen[name] = [outcome(lambda c=change, x=x: c(x)), state(x)]
    return seen


def on_a_leaf_under_no_grad(torch):
    seen = {}
    for name, change in _CHANGES.items():
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        with torch.no_grad():
            change(x)
        seen[name] = [state(x), x.is_leaf]
    return seen


def on_a_result(torch):
    seen = {}
    for name, change in _CHANGES.items():
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        y = x + 0
        change(y)
        y.sum().backward()
        seen[name] = [state(y), graph(y.grad_fn), x.grad]
    return seen


def with_a_tensor_that_requires_grad(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    seen = []
    for change in (
        lambda y: y.add_(x),
        lambda y: y.sub_(x),
        lambda y: y.mul_(x),
        lambda y: y.div_(x),
        lambda y: y.copy_(x),
    ):
        y = torch.tensor([3.0, 4.0])
        x.grad = None
        change(y)
        y.sum().backward()
        seen.append([state(y), y.is_leaf, graph(y.grad_fn), x.grad])
    return seen


def what_is_returned_is_the_tensor_itself(torch):
    seen = {}
    for name, change in _CHANGES.items():
        x = torch.tensor([1.0, 2.0])
        returned = change(x)
        seen[name] = returned is x or returned
    return seen


def the_changed_factor_is_missed_by_backward(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    z = y * y
    y.add_(1)
    return [outcome(z.sum().backward), y._version]


def operators_that_keep_their_output(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()
    y.add_(1)
    return outcome(y.sum().backward)


def operators_that_keep_nothing(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x + 1
    z = y + 2
    y.mul_(3)
    (z + y).sum().backward()
    return x.grad


def which_operators_keep_their_input(torch):
    operators = {
        "add": lambda y: y + 1,
        "mul": lambda y: y * 2,
        "mul_self": lambda y: y * y,
        "div": lambda y: y / 2,
        "div_by": lambda y: 2 / y,
        "pow": lambda y: y**2,
        "exp": lambda y: y.exp(),
        "log": lambda y: y.log(),
        "sin": lambda y: y.sin(),
        "cos": lambda y: y.cos(),
        "relu": lambda y: y.relu(),
        "sum": lambda y: y.sum(),
        "mean": lambda y: y.mean(),
        "clone": lambda y: y.clone(),
        "neg": lambda y: -y,
        "matmul": lambda y: y @ y,
        "reshape": lambda y: y.reshape(2, 1),
    }
    seen = {}
    for name, operator in operators.items():
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        y = x * 1
        z = operator(y)
        y.add_(1)
        seen[name] = outcome(z.sum().backward)
    return seen


def a_change_undone_is_still_a_change(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    z = y * y
    y.add_(1)
    y.sub_(1)
    return outcome(z.sum().backward)


def a_change_of_a_leaf_under_no_grad_is_noticed(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    z = x * x
    with torch.no_grad():
        x.add_(1)
    return outcome(z.sum().backward)


def a_change_of_a_constant_factor(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    c = torch.tensor([3.0, 4.0])
    z = x * c
    c.zero_()
    return outcome(z.sum().backward)


def a_change_of_a_factor_whose_gradient_nobody_needs(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    z = y * torch.tensor([3.0, 4.0])
    y.add_(1)
    z.sum().backward()
    return x.grad


def a_change_of_a_slice_is_noticed(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    z = y.sin()
    y[0] = 5.0
    return outcome(z.sum().backward)


def shapes_and_types_in_the_message(torch):
    seen = []
    for shape, dtype in (((), torch.float32), ((2, 3), torch.float64), ((1,), torch.float32)):
        x = torch.ones(shape, dtype=dtype, requires_grad=True)
        y = x * 1
        z = y * y
        y.add_(1)
        y.add_(1)
        seen.append(outcome(z.sum().backward))
    return seen


def the_training_step_by_hand(torch):
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    seen = []
    for _ in range(3):
        loss = ((w * torch.tensor([3.0, 4.0])).sum() - 1) ** 2
        loss.backward()
        with torch.no_grad():
            w -= 0.01 * w.grad
        w.grad.zero_()
        seen.append([loss.item(), w.tolist(), w._version, w.is_leaf])
    return seen


def assignment_of_elements(torch):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 2
    y[1] = x[0] * 10
    y[2] = 7.0
    y.sum().backward()
    return [state(y), x.grad, y.grad_fn.name()]


def in_place_on_an_expanded_tensor(torch):
    x = torch.zeros(1).expand(3)
    return outcome(lambda: x.add_(1))


def overlap_of_source_and_target(torch):
    x = torch.tensor([1.0, 2.0, 3.0, 4.0])
    x.add_(x)
    return state(x)
