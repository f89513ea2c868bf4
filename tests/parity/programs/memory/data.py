"""`tensor.data`: the memory without history and without the version counter; and assigning it."""

from tests.parity.harness import outcome, state


def reading(torch):
    x = torch.ones(2, 3, requires_grad=True)
    y = x * 2
    data = y.data
    product = y * y
    data.add_(10)
    seen = [data.requires_grad, data._is_view(), data.is_leaf, data._version, y._version]
    product.sum().backward()
    return [seen, state(y), x.grad, data.data_ptr() == y.data_ptr()]


def reading_twice(torch):
    x = torch.ones(2)
    first, second = x.data, x.data
    first.add_(1)
    return [first is second, first._version, second._version, x._version, second]


def reading_of_views(torch):
    x = torch.ones(2, 3, requires_grad=True)
    view = (x * 2)[0]
    data = view.data
    data.zero_()
    seen = [data._is_view(), data._version, view._version, view]
    inner = x.data[1]
    inner.mul_(5)
    return [seen, inner._is_view(), inner.requires_grad, inner._version, x._version, x]


def changing_a_leaf(torch):
    x = torch.ones(2, requires_grad=True)
    loss = (x * x).sum()
    x.data.mul_(3)
    x.data -= 1
    loss.backward()
    return [state(x), x.grad]


def augmented(torch):
    x = torch.ones(2, requires_grad=True)
    x.data += 1
    x.data[0] = 7.0
    x.data.copy_(x.data * 2)
    return [state(x), x.is_leaf]


def assigning(torch):
    x = torch.ones(2, requires_grad=True)
    other = torch.tensor([5.0, 6.0])
    before = x.data_ptr()
    x.data = other
    other.add_(1)
    seen = [state(x), x.data_ptr() == other.data_ptr(), x.data_ptr() == before, other._version]
    with torch.no_grad():
        x.add_(1)
    return [seen, state(x), state(other)]


def assigning_keeps_the_version(torch):
    x = torch.ones(2)
    x.add_(1).add_(1)
    other = torch.zeros(2)
    for _ in range(5):
        other.add_(1)
    x.data = other
    seen = [x._version, other._version]
    x.add_(1)
    return [seen, x._version, other._version, other]


def assigning_another_shape(torch):
    x = torch.ones(2, requires_grad=True)
    x.data = torch.arange(6.0).reshape(2, 3)
    return [
        state(x),
        outcome(lambda: (x * 3).sum().backward()),
        x.grad,
        outcome(lambda: (x * x).sum().backward()),
        x.grad,
    ]


def assigning_another_shape_after_a_gradient(torch):
    x = torch.ones(2, requires_grad=True)
    (x * 2).sum().backward()
    x.data = torch.ones(3)
    return [x.grad, list(x.shape), x * 2]


def assigning_another_dtype(torch):
    x = torch.ones(2, requires_grad=True)
    constant = torch.ones(2)
    seen = [outcome(lambda: setattr(x, "data", torch.tensor([1, 2])))]
    constant.data = torch.tensor([1, 2])
    seen.append(constant)
    x.data = torch.tensor([3.0, 4.0], dtype=torch.float64)
    seen.append(x)
    (x * 2).sum().backward()
    return [seen, x.grad, x.dtype == torch.float64]


def assigning_what_is_no_tensor(torch):
    x = torch.ones(2)
    values = ([1.0, 2.0], None, 1.0)
    return [outcome(lambda value=value: setattr(x, "data", value)) for value in values]


def assigning_what_requires_grad(torch):
    x = torch.ones(2)
    weight = torch.tensor([3.0, 4.0], requires_grad=True)
    result = weight * 2
    x.data = weight
    y = torch.ones(2, requires_grad=True)
    y.data = result
    return [state(x), x.is_leaf, state(y), y.is_leaf]


def assigning_to_a_result(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    z = y * y
    y.data = torch.tensor([10.0, 20.0])
    seen = [state(y), y.grad_fn.name()]
    z.sum().backward()
    (y * y).sum()
    return [seen, x.grad]


def assigning_and_using_again(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    y.data = torch.tensor([10.0, 20.0])
    (y * y).sum().backward()
    return x.grad


def assigning_a_view(torch):
    base = torch.arange(6.0).reshape(2, 3).clone()
    x = torch.zeros(3, requires_grad=True)
    x.data = base[1]
    seen = [x._is_view(), x.storage_offset(), list(x.stride()), state(x)]
    x.data.add_(10)
    return [seen, state(base)]


def assigning_to_a_view(torch):
    base = torch.zeros(2, 3)
    view = base[0]
    view.data = torch.ones(3)
    seen = [view._is_view(), view._base is base, state(view), state(base)]
    view.add_(1)
    return [seen, state(view), state(base)]


def assigning_to_itself(torch):
    x = torch.arange(3.0, requires_grad=True)
    x.data = x.data
    x.data = x
    x.data = x.data[1:]
    return [state(x), x.is_leaf]


def assigning_to_a_base(torch):
    base = torch.zeros(2, 3)
    view = base[0]
    base.data = torch.ones(2, 3)
    view.add_(5)
    base.add_(1)
    return [state(base), state(view), view._base is base]


def swapping(torch):
    x = torch.tensor([1.0], requires_grad=True)
    y = torch.tensor([2.0], requires_grad=True)
    x.data, y.data = y.data, x.data
    (x * 3 + y * 5).backward()
    return [state(x), state(y), x.grad, y.grad]


def of_parameters(torch):
    parameter = torch.nn.Parameter(torch.ones(2))
    data = parameter.data
    parameter.data = parameter.data * 2
    kind = type(data).__name__
    return [kind, data.requires_grad, state(parameter), type(parameter).__name__, data]


def under_modes(torch):
    x = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        x.data.add_(1)
        x.data = torch.tensor([4.0, 5.0])
    return [state(x), x.requires_grad]


def of_factors(torch):
    def mistaken(x, y, data):
        product = x @ y
        y.data = data
        return outcome(lambda: product.sum().backward())

    ones = torch.ones
    return [
        mistaken(ones(2, 3, requires_grad=True), ones(3, 2), ones(5, 4)),
        mistaken(ones(3, requires_grad=True), ones(3, 2), ones(5, 4)),
        mistaken(ones(2, 2, 3, requires_grad=True), ones(3, 2), ones(5, 4)),
        mistaken(ones(2, 2, 3, requires_grad=True), ones(2, 3, 2), ones(2, 5, 4)),
        mistaken(ones(2, 3, requires_grad=True), ones(3), ones(5)),
    ]


def graphs_of_before_set_(torch):
    def after(memory, backward):
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        y = x * 2
        with torch.no_grad():
            x.set_(memory)
        found = [outcome(lambda: torch.autograd.grad(y.sum(), x, retain_graph=True))]
        if backward:
            y.sum().backward()
        outcome(lambda: (x * 3).sum().backward())
        return [*found, x.grad, x]

    return [
        after(torch.tensor([5.0, 6.0]), True),
        after(torch.tensor([5.0, 6.0, 7.0]), False),
    ]
