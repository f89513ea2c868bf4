"""Activations with flat ends, differentiated twice."""

VALUES = [-2.0, -1.0, 0.0, 0.5, 1.0, 3.0, 6.0, 7.0]


def _twice(torch, function):
    x = torch.tensor(VALUES, dtype=torch.float64, requires_grad=True)
    g = torch.ones(8, dtype=torch.float64, requires_grad=True)
    (slope,) = torch.autograd.grad(function(x * 1), x, g, create_graph=True)
    second = slope.grad_fn.next_functions[0][0]
    names = [each.name() if each else None for each, _ in second.next_functions]
    return second.name(), names, torch.autograd.grad((slope**3).sum(), (x, g))


def hardtanh(torch):
    return _twice(torch, torch.nn.functional.hardtanh)


def hardtanh_of_other_bounds(torch):
    return _twice(torch, lambda x: torch.nn.functional.hardtanh(x, -1.5, 5.0))


def relu6(torch):
    return _twice(torch, torch.nn.functional.relu6)


def leaky_relu(torch):
    return _twice(torch, torch.nn.functional.leaky_relu)


def hardtanh_of_halves(torch):
    x = torch.tensor(VALUES).half().requires_grad_()
    torch.nn.functional.hardtanh(x).sum().backward()
    return x.grad


def a_gradient_that_is_not_a_number(torch):
    x = torch.tensor(VALUES, requires_grad=True)
    torch.nn.functional.relu6(x).backward(torch.full((8,), float("nan")))
    return x.grad
