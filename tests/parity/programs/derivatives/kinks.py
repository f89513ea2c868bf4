"""Functions with a kink, differentiated twice: the second derivative is zero, and it is there."""


def _twice(torch, name, *numbers):
    x = torch.tensor([-1.0, 2.0, 0.0], requires_grad=True)
    weight = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    function = getattr(torch.nn.functional, name)
    (slope,) = torch.autograd.grad((function(x, *numbers) * weight).sum(), x, create_graph=True)
    names = [node and node.name().rpartition("::")[2] for node, _ in slope.grad_fn.next_functions]
    (slope**2).sum().backward()
    return slope.detach(), slope.grad_fn.name(), names, x.grad, weight.grad


def relu_twice(torch):
    return _twice(torch, "relu")


def leaky_relu_twice(torch):
    return _twice(torch, "leaky_relu", 0.1)


def the_gradient_penalty_of_a_relu_network(torch):
    x = torch.tensor([[1.0, -2.0], [0.5, 3.0]], requires_grad=True)
    first = torch.tensor([[0.5, -1.0], [1.0, 0.25]], requires_grad=True)
    second = torch.tensor([2.0, -3.0], requires_grad=True)
    score = ((x @ first).relu() @ second).sum()
    (slope,) = torch.autograd.grad(score, x, create_graph=True)
    return torch.autograd.grad((slope**2).sum(), [x, first, second])


def at_the_kink_itself(torch):
    functional = torch.nn.functional
    made = {
        "elu": functional.elu,
        "elu of 0.5": lambda x: functional.elu(x, 0.5),
        "smooth_l1": lambda x: functional.smooth_l1_loss(x, x.detach() + 1),
        "smooth_l1 within 2": lambda x: functional.smooth_l1_loss(x, x.detach() + 1, beta=2.0),
        "huber": lambda x: functional.huber_loss(x, x.detach() - 1),
    }
    found = []
    for name, function in made.items():
        x = torch.tensor([0.0, 1.0, -1.0], requires_grad=True)
        (slope,) = torch.autograd.grad(function(x).sum(), x, create_graph=True)
        found.append([name, slope.detach(), torch.autograd.grad(slope.sum(), x)])
    return found


def the_angle_of_the_origin(torch):
    y, x = [torch.tensor([0.0, 1.0], requires_grad=True) for _ in range(2)]
    return torch.autograd.grad(torch.atan2(y, x).sum(), [y, x])


def the_bend_of_softplus_at_its_threshold(torch):
    x = torch.tensor([0.5, 0.25, 1.0], requires_grad=True)
    (slope,) = torch.autograd.grad(
        torch.nn.functional.softplus(x, 2, 1).sum(), x, create_graph=True
    )
    return slope.detach(), torch.autograd.grad(slope.sum(), x)
