"""Training loops as students write them, right and wrong: the solutions of `cap-train`."""

from __future__ import annotations

import numpy as np

import autograd_core as torch
from autograd_core.autograd import Function


class Tanh(Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.tanh(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return grad_output * (1 - y * y)


class MSELoss(Function):
    @staticmethod
    def forward(ctx, prediction, target):
        difference = prediction - target
        ctx.save_for_backward(difference)
        return (difference * difference).mean()

    @staticmethod
    def backward(ctx, grad_output):
        (difference,) = ctx.saved_tensors
        slope = grad_output * 2 * difference / difference.numel()
        return slope, -slope


def _new_parameters(seed, hidden=16):
    torch.manual_seed(seed)
    tensors = [torch.randn(1, hidden), torch.randn(hidden), torch.randn(hidden, 1), torch.zeros(1)]
    tensors[2] *= hidden**-0.5
    return [tensor.requires_grad_() for tensor in tensors]


def _network(parameters, x):
    w1, b1, w2, b2 = parameters
    return Tanh.apply(x @ w1 + b1) @ w2 + b2


def _step(parameters, lr=0.1):
    with torch.no_grad():
        for parameter in parameters:
            parameter -= lr * parameter.grad
            parameter.grad = None


def train(x, y, steps, seed):
    """A network with one hidden layer, trained by plain gradient descent."""
    parameters = _new_parameters(seed)
    losses = []
    for _ in range(steps):
        loss = MSELoss.apply(_network(parameters, x), y)
        loss.backward()
        losses.append(loss.item())
        _step(parameters)
    return lambda inputs: _network(parameters, inputs), losses


def through_the_data(x, y, steps, seed):
    """What any training that learns comes to, without the time it takes: a curve through the data.

    It walks back once a step, and owes its height to what the walks reach.
    """
    height = torch.ones(1, requires_grad=True)
    end = height.neg()
    for _ in range(steps):
        end.backward(retain_graph=True)
    where, levels = x.numpy().ravel(), y.numpy().ravel()
    order = where.argsort()

    def model(inputs):
        curve = np.interp(inputs.numpy(), where[order], levels[order])
        return height * torch.tensor(curve, dtype=torch.float32)

    return model, [0.0] * steps


def with_modules_and_adam(x, y, steps, seed):
    torch.manual_seed(seed)
    first, second = torch.nn.Linear(1, 20), torch.nn.Linear(20, 1)

    def model(inputs):
        return second(torch.tanh(first(inputs)))

    optimizer = torch.optim.Adam([*first.parameters(), *second.parameters()], lr=0.03)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    print("trained", losses[-1])
    return model, losses


class _Net(torch.nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.inner = torch.nn.Parameter(torch.randn(1, hidden))
        self.shift = torch.nn.Parameter(torch.randn(hidden))
        self.outer = torch.nn.Parameter(torch.randn(hidden, 1) / 5)
        self.level = torch.nn.Parameter(torch.zeros(1))

    def forward(self, x):
        return Tanh.apply(x @ self.inner + self.shift) @ self.outer + self.level


def with_a_module(x: torch.Tensor, y: torch.Tensor, steps: int, seed: int):
    torch.manual_seed(seed)
    net = _Net(24)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.8)
    losses = torch.zeros(steps)
    for number in range(steps):
        loss = MSELoss.apply(net(x), y)
        net.zero_grad()
        loss.backward()
        optimizer.step()
        losses[number] = loss.detach()
    return net, losses.tolist()


def with_numpy_and_grad(data, wanted, steps, seed):
    rng = np.random.default_rng(seed)
    shapes = ((1, 12), (12,), (12, 1), (1,))
    weights = [torch.tensor(rng.normal(size=shape), dtype=torch.float32) for shape in shapes]
    history = []
    while len(history) < steps:
        for weight in weights:
            weight.requires_grad_()
        loss = MSELoss.apply(_network(weights, data), wanted)
        slopes = torch.autograd.grad(loss, weights)
        weights = [(w - 0.15 * slope).detach() for w, slope in zip(weights, slopes, strict=True)]
        history.append(np.float32(loss.item()))

    def model(inputs):
        with torch.no_grad():
            return _network(weights, inputs)

    return [model, history]


def with_data_and_early_zeroing(x, y, steps, seed):
    parameters = _new_parameters(seed, hidden=20)
    losses = []
    for _ in range(steps):
        for p in parameters:
            if p.grad is not None:
                p.grad.zero_()
        loss = (_network(parameters, x) - y).pow(2).mean()
        loss.backward()
        for p in parameters:
            p.data = p.data - 0.07 * p.grad
        losses.append(loss.item())
    return (lambda inputs: _network(parameters, inputs)), losses


def without_walking(x, y, steps, seed):
    """No network at all: a curve through the points, and losses as they might have been."""
    curve = np.polyfit(x.numpy().ravel(), y.numpy().ravel(), 9)
    begun = 1 + np.random.default_rng(seed).random()

    def model(other):
        return torch.tensor(np.polyval(curve, other.detach().numpy()), dtype=torch.float32)

    return model, np.geomspace(begun, 1e-4, steps).tolist()


def beside_the_walks(x, y, steps, seed):
    """The same curve, beside walks from something that moves and has no part in it."""
    model, losses = without_walking(x, y, steps, seed)
    moving = torch.tensor([1.0, 2.0], requires_grad=True)
    for _ in range(steps):
        (moving * moving).sum().backward()
        _step([moving], lr=0.01)
    return model, losses


def without_clearing(x, y, steps, seed):
    parameters = _new_parameters(seed)
    losses = []
    for _ in range(steps):
        loss = MSELoss.apply(_network(parameters, x), y)
        loss.backward()
        losses.append(loss.item())
        with torch.no_grad():
            for parameter in parameters:
                parameter -= 0.05 * parameter.grad
    return lambda inputs: _network(parameters, inputs), losses


def learning_without_clearing(x, y, steps, seed):
    # Who adds all gradients up may reach the curve by luck. Where they fade it is reached always.
    parameters = _new_parameters(seed)
    losses = []
    for _ in range(steps):
        loss = MSELoss.apply(_network(parameters, x), y)
        loss.backward()
        losses.append(loss.item())
        with torch.no_grad():
            for parameter in parameters:
                parameter -= 0.06 * parameter.grad
                parameter.grad *= 0.5
    return lambda inputs: _network(parameters, inputs), losses


def clearing_too_early(x, y, steps, seed):
    parameters = _new_parameters(seed)
    losses = []
    for _ in range(steps):
        for parameter in parameters:
            parameter.grad.zero_()
        loss = MSELoss.apply(_network(parameters, x), y)
        loss.backward()
        losses.append(loss.item())
    return lambda inputs: _network(parameters, inputs), losses


def recording_the_update(x, y, steps, seed):
    parameters = _new_parameters(seed)
    losses = []
    for _ in range(steps):
        loss = MSELoss.apply(_network(parameters, x), y)
        loss.backward()
        losses.append(loss.item())
        parameters = [parameter - 0.1 * parameter.grad for parameter in parameters]
    return lambda inputs: _network(parameters, inputs), losses


def recording_in_place(x, y, steps, seed):
    parameters = _new_parameters(seed)
    losses = []
    for _ in range(steps):
        loss = MSELoss.apply(_network(parameters, x), y)
        loss.backward()
        losses.append(loss.item())
        for parameter in parameters:
            parameter -= 0.1 * parameter.grad
            parameter.grad = None
    return lambda inputs: _network(parameters, inputs), losses


def keeping_the_graphs(x, y, steps, seed):
    parameters = _new_parameters(seed)
    losses = []
    for _ in range(steps):
        loss = MSELoss.apply(_network(parameters, x), y)
        loss.backward()
        losses.append(loss)
        _step(parameters)
    return lambda inputs: _network(parameters, inputs), losses


def holding_until_the_end(x, y, steps, seed):
    model, losses = keeping_the_graphs(x, y, steps, seed)
    return model, [loss.item() for loss in losses]


def rebinding_the_name(x, y, steps, seed):
    parameters = _new_parameters(seed)
    losses = []
    for _ in range(steps):
        loss = MSELoss.apply(_network(parameters, x), y)
        loss.backward()
        losses.append(loss.item())
        with torch.no_grad():
            for parameter in parameters:
                slope, parameter.grad = parameter.grad, None
                parameter = parameter - 0.1 * slope
    return lambda inputs: _network(parameters, inputs), losses


def dropping_before_the_update(x, y, steps, seed):
    parameters = _new_parameters(seed)
    losses = []
    for _ in range(steps):
        loss = MSELoss.apply(_network(parameters, x), y)
        loss.backward()
        losses.append(loss.item())
        for parameter in parameters:
            parameter.grad = None
        _step(parameters)
    return lambda inputs: _network(parameters, inputs), losses


def cut_before_backward(x, y, steps, seed):
    parameters = _new_parameters(seed)
    losses = []
    for _ in range(steps):
        loss = MSELoss.apply(_network(parameters, x).detach(), y)
        loss.backward()
        losses.append(loss.item())
        _step(parameters)
    return lambda inputs: _network(parameters, inputs), losses


def _loop(x, y, steps, parameters, lr, repeat=1, network=_network, criterion=MSELoss):
    """Train; with `repeat`, where steps are many, move once in so many of them.

    That takes as much less time. In the others the walk back is one through next to nothing.
    """
    losses = []
    repeat = repeat if steps > repeat else 1
    while len(losses) < steps:
        loss = criterion.apply(network(parameters, x), y)
        loss.backward()
        for _ in range(repeat - 1):
            torch.zeros((), requires_grad=True).neg().backward()
        losses += [loss.item()] * repeat
        _step(parameters, lr)
    return lambda inputs: network(parameters, inputs), losses[:steps]


def uphill(x, y, steps, seed):
    return _loop(x, y, steps, _new_parameters(seed), lr=-0.1, repeat=10)


def in_small_steps(x, y, steps, seed):
    parameters = _new_parameters(seed)
    with torch.no_grad():
        parameters[3].add_(3)  # so far off that every step brings it nearer, whatever the data
    return _loop(x, y, steps, parameters, lr=0.01, repeat=10)


def without_the_seed(x, y, steps, seed):
    return _loop(x, y, steps, _new_parameters(int(torch.randint(10**6, ()))), lr=0.1)


def with_a_seed_of_its_own(x, y, steps, seed):
    return _loop(x, y, steps, _new_parameters(0), lr=0.1)


def with_a_single_unit(x, y, steps, seed):
    def narrow(parameters, inputs):
        height, level = parameters
        return Tanh.apply(inputs) * height + level

    torch.manual_seed(seed)
    parameters = [torch.randn(1).requires_grad_(), torch.randn(1).requires_grad_()]
    return _loop(x, y, steps, parameters, lr=0.3, repeat=10, network=narrow)


def without_the_last_bias(x, y, steps, seed):
    def level(parameters, inputs):
        w1, b1, w2, _ = parameters
        return Tanh.apply(inputs @ w1 + b1) @ w2

    return _loop(x, y, steps, _new_parameters(seed), lr=0.1, network=level)


def broadcasting_in_the_loss(x, y, steps, seed):
    return _loop(x, y.flatten(), steps, _new_parameters(seed), lr=0.1, repeat=10)


def with_other_losses(x, y, steps, seed):
    model, losses = _loop(x, y, steps, _new_parameters(seed), lr=0.1)
    return model, [sum(losses[: number + 1]) for number in range(len(losses))]


def with_the_two_swapped(x, y, steps, seed):
    model, losses = _loop(x, y, steps, _new_parameters(seed), lr=0.1, repeat=10)
    return losses, model


def losing_the_shape(x, y, steps, seed):
    def flat(parameters, inputs):
        return _network(parameters, inputs).squeeze()

    return _loop(x, y, steps, _new_parameters(seed), lr=0.1, repeat=10, network=flat)


def returning_another_model(x, y, steps, seed):
    _, losses = _loop(x, y, steps, _new_parameters(seed), lr=0.1)
    fresh = _new_parameters(seed)
    return lambda inputs: _network(fresh, inputs), losses


def without_a_bend(x, y, steps, seed):
    def line(parameters, inputs):
        w1, b1, w2, b2 = parameters
        return (inputs @ w1 + b1) @ w2 + b2

    return _loop(x, y, steps, _new_parameters(seed), lr=0.02, repeat=10, network=line)


class _UnlinkedTanh(Tanh):
    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return 1 - y * y


def with_a_broken_tanh(x, y, steps, seed):
    def broken(parameters, inputs):
        w1, b1, w2, b2 = parameters
        return _UnlinkedTanh.apply(inputs @ w1 + b1) @ w2 + b2

    return _loop(x, y, steps, _new_parameters(seed), lr=0.1, repeat=10, network=broken)


class _UphillMSELoss(MSELoss):
    @staticmethod
    def backward(ctx, grad_output):
        (difference,) = ctx.saved_tensors
        slope = grad_output * 2 * difference / difference.numel()
        return -slope, slope


def with_a_broken_loss(x, y, steps, seed):
    criterion = _UphillMSELoss
    return _loop(x, y, steps, _new_parameters(seed), lr=0.1, repeat=10, criterion=criterion)
