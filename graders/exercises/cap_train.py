"""`cap-train`: the whole loop, judged on data that the student has not seen."""

from __future__ import annotations

import numpy as np

import autograd_core as torch
from autograd_core.autograd import Function
from graders.exercise import Check, Exercise, Misconception, Variant
from graders.inputs import case
from graders.observe import training_scenarios


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


def _with_modules_and_adam(x, y, steps, seed):
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


def _with_a_module(x: torch.Tensor, y: torch.Tensor, steps: int, seed: int):
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


def _with_numpy_and_grad(data, wanted, steps, seed):
    rng = np.random.default_rng(seed)
    shapes = ((1, 12), (12,), (12, 1), (1,))
    weights = [torch.tensor(rng.normal(size=shape), dtype=torch.float32) for shape in shapes]
    history = []
    while len(history) < steps:
        for weight in weights:
            weight.requires_grad_()
        loss = MSELoss.apply(_network(weights, data), wanted)
        slopes = torch.autograd.grad(loss, weights)
        weights = [(w - 0.08 * slope).detach() for w, slope in zip(weights, slopes, strict=True)]
        history.append(np.float32(loss.item()))

    def model(inputs):
        with torch.no_grad():
            return _network(weights, inputs)

    return [model, history]


def _with_data_and_early_zeroing(x, y, steps, seed):
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


def _without_clearing(x, y, steps, seed):
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


def _clearing_too_early(x, y, steps, seed):
    parameters = _new_parameters(seed)
    losses = []
    for _ in range(steps):
        for parameter in parameters:
            parameter.grad.zero_()
        loss = MSELoss.apply(_network(parameters, x), y)
        loss.backward()
        losses.append(loss.item())
    return lambda inputs: _network(parameters, inputs), losses


def _recording_the_update(x, y, steps, seed):
    parameters = _new_parameters(seed)
    losses = []
    for _ in range(steps):
        loss = MSELoss.apply(_network(parameters, x), y)
        loss.backward()
        losses.append(loss.item())
        parameters = [parameter - 0.1 * parameter.grad for parameter in parameters]
    return lambda inputs: _network(parameters, inputs), losses


def _recording_in_place(x, y, steps, seed):
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


def _keeping_the_graphs(x, y, steps, seed):
    parameters = _new_parameters(seed)
    losses = []
    for _ in range(steps):
        loss = MSELoss.apply(_network(parameters, x), y)
        loss.backward()
        losses.append(loss)
        _step(parameters)
    return lambda inputs: _network(parameters, inputs), losses


def _rebinding_the_name(x, y, steps, seed):
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


def _cut_before_backward(x, y, steps, seed):
    parameters = _new_parameters(seed)
    losses = []
    for _ in range(steps):
        loss = MSELoss.apply(_network(parameters, x).detach(), y)
        loss.backward()
        losses.append(loss.item())
        _step(parameters)
    return lambda inputs: _network(parameters, inputs), losses


def _loop(x, y, steps, parameters, lr):
    losses = []
    for _ in range(steps):
        loss = MSELoss.apply(_network(parameters, x), y)
        loss.backward()
        losses.append(loss.item())
        _step(parameters, lr)
    return lambda inputs: _network(parameters, inputs), losses


def _uphill(x, y, steps, seed):
    return _loop(x, y, steps, _new_parameters(seed), lr=-0.1)


def _in_small_steps(x, y, steps, seed):
    return _loop(x, y, steps, _new_parameters(seed), lr=0.0005)


def _without_the_seed(x, y, steps, seed):
    return _loop(x, y, steps, _new_parameters(int(torch.randint(10**6, ()))), lr=0.1)


def _with_a_seed_of_its_own(x, y, steps, seed):
    return _loop(x, y, steps, _new_parameters(0), lr=0.1)


def _returning_another_model(x, y, steps, seed):
    _, losses = _loop(x, y, steps, _new_parameters(seed), lr=0.1)
    fresh = _new_parameters(seed)
    return lambda inputs: _network(fresh, inputs), losses


def _without_a_bend(x, y, steps, seed):
    parameters = _new_parameters(seed)
    w1, b1, w2, b2 = parameters
    losses = []
    for _ in range(steps):
        loss = MSELoss.apply((x @ w1 + b1) @ w2 + b2, y)
        loss.backward()
        losses.append(loss.item())
        _step(parameters, lr=0.01)
    return lambda inputs: (inputs @ w1 + b1) @ w2 + b2, losses


class _UnlinkedTanh(Tanh):
    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return 1 - y * y


def _with_a_broken_tanh(x, y, steps, seed):
    w1, b1, w2, b2 = parameters = _new_parameters(seed)
    losses = []
    for _ in range(steps):
        loss = MSELoss.apply(_UnlinkedTanh.apply(x @ w1 + b1) @ w2 + b2, y)
        loss.backward()
        losses.append(loss.item())
        _step(parameters)
    return lambda inputs: _UnlinkedTanh.apply(inputs @ w1 + b1) @ w2 + b2, losses


class _UphillMSELoss(MSELoss):
    @staticmethod
    def backward(ctx, grad_output):
        (difference,) = ctx.saved_tensors
        slope = grad_output * 2 * difference / difference.numel()
        return -slope, slope


def _with_a_broken_loss(x, y, steps, seed):
    parameters = _new_parameters(seed)
    losses = []
    for _ in range(steps):
        loss = _UphillMSELoss.apply(_network(parameters, x), y)
        loss.backward()
        losses.append(loss.item())
        _step(parameters)
    return lambda inputs: _network(parameters, inputs), losses


def _column(numbers):
    return np.asarray(numbers, dtype=np.float32).reshape(-1, 1)


def _wave(rng: np.random.Generator) -> dict:
    x = np.linspace(-2, 2, 20)
    height = rng.uniform(0.8, 1.2) * rng.choice([-1.0, 1.0])
    y = height * np.cos(rng.uniform(1.1, 1.4) * x + rng.uniform(-0.4, 0.4))
    return {"x": _column(x), "y": _column(y), **_seeds(rng)}


def _bump(rng: np.random.Generator) -> dict:
    x = rng.permutation(np.linspace(-1.9, 1.9, 24))
    height = rng.uniform(0.8, 1.2) * rng.choice([-1.0, 1.0])
    y = height * (1.5 * np.exp(-((x - rng.uniform(-0.4, 0.4)) ** 2)) - 0.5)
    return {"x": _column(x), "y": _column(y), **_seeds(rng)}


def _seeds(rng: np.random.Generator) -> dict[str, int]:
    one, other = rng.choice(10_000, 2, replace=False)
    return {"weight_seed": int(one), "other_seed": int(other)}


def _case(name, draw, steps):
    return lambda rng: {"cases": [case(name, **draw(rng), steps=steps)]}


EXERCISE = Exercise(
    id="cap-train",
    lesson="09_capstone",
    section="The loop",
    title="Train a network",
    symbol="train",
    kind="implement",
    points=8,
    difficulty=3,
    minutes=9,
    task=(
        "Write `train(x, y, steps, seed)`, which returns a pair `(model, losses)`.\n\n"
        "- `x` and `y` have the shape `(n, 1)`. They belong to the caller: leave them as they "
        "are.\n"
        "- The network has two layers with your `Tanh` between them, and your `MSELoss` at its "
        "end. Make its parameters inside of `train`, from `seed`: the same seed gives the same "
        "losses, another seed others.\n"
        "- `model` can be called with an `x` and returns the prediction of the trained network.\n"
        "- `losses` is a list of plain numbers, one for each step. No graph stays in memory "
        "because of it.\n\n"
        "Within 200 steps the last loss is to be below 5 % of the variance of `y`. The data of "
        "the check are smooth, like those of this lesson: x between -2 and 2, y about as large "
        "as 1."
    ),
    starter="""\
def train(x, y, steps, seed):
    # Your code here: return the model and the list of losses.
    ...
""",
    reference=train,
    checks=(
        Check(
            "step by step",
            3,
            training_scenarios.goes_step_by_step,
            lambda rng: {**_wave(rng), "steps": 4},
            passes="Each step is a step of its own, and leaves nothing behind.",
            fails="Something is not right in the single steps.",
        ),
        Check(
            "the seed",
            1,
            training_scenarios.depends_on_its_seed,
            _wave,
            passes="The seed decides what comes out.",
            fails="The seed does not decide what comes out.",
        ),
        Check(
            "learns a wave",
            2,
            training_scenarios.learns,
            _case("a wave", _wave, 200),
            passes="The network learns a wave.",
            fails="The network does not learn a wave well enough.",
        ),
        Check(
            "learns a bump",
            2,
            training_scenarios.learns,
            _case("a bump", _bump, 200),
            passes="The network learns a bump.",
            fails="The network does not learn a bump well enough.",
        ),
    ),
    misconceptions=(
        Misconception(
            "without-clearing",
            "Every walk back adds to the gradients that are there already. From the second step "
            "on your update uses the sum of all gradients so far.",
            _without_clearing,
        ),
        Misconception(
            "clearing-too-early",
            "You clear the gradients before the first walk back. At that time there is nothing "
            "yet to clear.",
            _clearing_too_early,
        ),
        Misconception(
            "recording-the-update",
            "After an update your parameters are results of an operation that was recorded, and "
            "no leaves any more. Gradients end up in leaves only.",
            _recording_the_update,
        ),
        Misconception(
            "recording-in-place",
            "You change the parameters in place while operations are recorded. That is refused, "
            "because an update is no part of what is to be differentiated.",
            _recording_in_place,
        ),
        Misconception(
            "keeping-the-graphs",
            "Your losses are still tied to the graphs that they come from. Each of them keeps a "
            "whole step in memory, and nobody needs that any more.",
            _keeping_the_graphs,
        ),
        Misconception(
            "rebinding-the-name",
            "The loss is the same number at every step: nothing that the network uses ever "
            "changes. To give a name a new tensor is not to change the tensor.",
            _rebinding_the_name,
        ),
        Misconception(
            "cut-before-backward",
            "There is no recorded way from your loss to anything that requires grad. Something "
            "on the way has cut it, or the parameters never asked for a gradient.",
            _cut_before_backward,
        ),
        Misconception(
            "growing",
            "The loss grows instead of coming down. Either the steps are so large that they jump "
            "over the valley, or they lead uphill.",
            _uphill,
        ),
        Misconception(
            "too-slow",
            "The loss comes down, but so slowly that the steps do not suffice. How far a "
            "step goes is for you to choose.",
            _in_small_steps,
        ),
        Misconception(
            "without-a-bend",
            "What your model has learned is a straight line. Two layers without a bend between "
            "them are no more than one.",
            _without_a_bend,
        ),
        Misconception(
            "without-the-seed",
            "The same seed gives other losses the second time. Some random numbers are drawn "
            "before the seed has a say, or without it.",
            _without_the_seed,
        ),
        Misconception(
            "with-a-seed-of-its-own",
            "Whatever the seed, the losses are the same. The caller's seed never reaches the "
            "random numbers.",
            _with_a_seed_of_its_own,
        ),
        Misconception(
            "returning-another-model",
            "The losses come down, but the model that you return does not fit the data. It is "
            "not the one that was trained.",
            _returning_another_model,
        ),
        Misconception(
            "the-trouble-is-in-tanh",
            "Your `Tanh` does not give the values or the gradients of a tangent, so the trouble "
            "may lie there and not in the loop. Mend it first: its own exercise tells you more.",
            _with_a_broken_tanh,
        ),
        Misconception(
            "the-trouble-is-in-the-loss",
            "Your `MSELoss` does not give the values or the gradients of a mean squared error, so "
            "the trouble may lie there and not in the loop. Mend it first: its own exercise tells "
            "you more.",
            _with_a_broken_loss,
        ),
    ),
    hints=(
        "A step has four parts: predict and compare, walk back, update, clear. Write them down in "
        "this order before you write any code.",
        "Parameters are leaves that require grad. The update changes them in place, and it must "
        "not be recorded; what is kept of a loss is only its number.",
        "Draw the first layer's weights and shifts at random, a dozen or two of them. If the loss "
        "grows, make the steps smaller; if it crawls, make them larger: something near a tenth is "
        "a good start.",
    ),
    variants=(
        Variant("modules and Adam", _with_modules_and_adam),
        Variant("a module of its own, and momentum", _with_a_module),
        Variant("NumPy's random numbers and autograd.grad", _with_numpy_and_grad),
        Variant("data, and zeroing at the beginning", _with_data_and_early_zeroing),
    ),
    place=5,
)
