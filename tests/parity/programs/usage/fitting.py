"""Fitting models as tutorials do: by hand, with layers and optimizers, step by step."""

import copy
import io

from tests.parity.harness import graph, node_names, outcome
from tests.parity.usage_material import digits, gradients, settled, waves


def _line(torch):
    x = waves(torch, 8, 1)
    return x, 3 * x - 0.5


def linear_regression_by_hand(torch):
    x, y = _line(torch)
    w = torch.zeros(1, 1, dtype=torch.float64, requires_grad=True)
    b = torch.zeros(1, dtype=torch.float64, requires_grad=True)
    losses = []
    for _ in range(30):
        loss = ((x @ w + b - y) ** 2).mean()
        loss.backward()
        with torch.no_grad():
            w -= 0.3 * w.grad
            b -= 0.3 * b.grad
            w.grad.zero_()
            b.grad.zero_()
        losses.append(digits(loss.item()))
    return [losses, digits(w), digits(b), w._version, b.grad._version > 0, node_names(loss.grad_fn)]


def linear_regression_with_layers(torch):
    x, y = _line(torch)
    model = settled(torch, torch.nn.Linear(1, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-3)
    criterion = torch.nn.MSELoss()
    for _ in range(20):
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
    return [digits(loss), digits(model.state_dict()), graph(loss.grad_fn), str(optimizer)]


def logistic_regression_by_hand(torch):
    x = waves(torch, 12, 3)
    y = (x.sum(1, keepdim=True) > 0).double()
    w = torch.zeros(3, 1, dtype=torch.float64, requires_grad=True)
    for _ in range(15):
        p = torch.sigmoid(x @ w)
        loss = -(y * torch.log(p) + (1 - y) * torch.log(1 - p)).mean()
        (g,) = torch.autograd.grad(loss, w)
        w = (w - 0.5 * g).detach().requires_grad_()
    accuracy = ((torch.sigmoid(x @ w) > 0.5).double() == y).double().mean()
    return [digits(loss), digits(w), digits(accuracy), w.is_leaf, graph(loss.grad_fn)]


def logistic_regression_with_adam(torch):
    x = waves(torch, 12, 3)
    y = (x.sum(1) > 0).long()
    model = settled(
        torch, torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 2))
    )
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    criterion = torch.nn.CrossEntropyLoss()
    losses = []
    for _ in range(12):
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(digits(loss))
    correct = (model(x).argmax(1) == y).sum().item()
    return [losses, correct, gradients(model), repr(model), node_names(loss.grad_fn)]


def polynomial_with_a_custom_function(torch):
    class Legendre3(torch.autograd.Function):
        @staticmethod
        def forward(ctx, input):
            ctx.save_for_backward(input)
            return 0.5 * (5 * input**3 - 3 * input)

        @staticmethod
        def backward(ctx, grad_output):
            (input,) = ctx.saved_tensors
            return grad_output * 1.5 * (5 * input**2 - 1)

    x = torch.linspace(-2.0, 3.0, 50, dtype=torch.float64)
    y = torch.sin(x)
    a, b, c, d = (
        torch.full((), value, dtype=torch.float64, requires_grad=True)
        for value in (0.0, -1.0, 0.0, 0.3)
    )
    for _ in range(40):
        y_pred = a + b * Legendre3.apply(c + d * x)
        loss = (y_pred - y).pow(2).sum()
        loss.backward()
        with torch.no_grad():
            for weight in (a, b, c, d):
                weight -= 5e-4 * weight.grad
                weight.grad = None
    return [digits([a, b, c, d]), digits(loss), node_names(loss.grad_fn), a.grad]


def third_order_polynomial_with_a_module(torch):
    class Polynomial3(torch.nn.Module):
        def __init__(self):
            super().__init__()
            for name in "abcd":
                setattr(self, name, torch.nn.Parameter(torch.full((), 0.1, dtype=torch.float64)))

        def forward(self, x):
            return self.a + self.b * x + self.c * x**2 + self.d * x**3

        def string(self):
            return f"y = {self.a.item():.4f} + {self.b.item():.4f} x"

    x = torch.linspace(-1, 1, 20, dtype=torch.float64)
    model = Polynomial3()
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)
    for _ in range(20):
        loss = torch.nn.MSELoss(reduction="sum")(model(x), x.exp())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return [digits(loss), model.string(), [name for name, _ in model.named_parameters()]]


def a_small_autoencoder(torch):
    class Autoencoder(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.encoder = torch.nn.Sequential(
                torch.nn.Linear(6, 3), torch.nn.ReLU(), torch.nn.Linear(3, 2)
            )
            self.decoder = torch.nn.Sequential(
                torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Linear(3, 6)
            )

        def forward(self, x):
            return self.decoder(self.encoder(x))

    model = settled(torch, Autoencoder())
    x = waves(torch, 5, 6)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(10):
        loss = torch.nn.functional.mse_loss(model(x), x)
        optimizer.zero_grad(set_to_none=False)
        loss.backward()
        optimizer.step()
    return [digits(loss), gradients(model), repr(model)]


def micro_batches_add_up(torch):
    model = settled(torch, torch.nn.Linear(3, 2))
    x, y = waves(torch, 8, 3), waves(torch, 8, 2, step=1.1)
    ((model(x) - y) ** 2).mean().backward()
    at_once = gradients(model)
    model.zero_grad()
    cleared = gradients(model)
    for part, target in zip(x.split(2), y.split(2), strict=True):
        (((model(part) - target) ** 2).mean() / 4).backward()
    return [at_once, cleared, gradients(model) == at_once]


def zero_grad_to_none_or_to_zeros(torch):
    model = settled(torch, torch.nn.Linear(2, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    seen = []
    for options in ({}, {"set_to_none": False}, {"set_to_none": True}):
        model(waves(torch, 3, 2)).sum().backward()
        kept = model.weight.grad
        optimizer.zero_grad(**options)
        seen.append([digits(kept), model.weight.grad is None, model.weight.grad is kept])
        model.weight.grad = kept
        model.zero_grad(**options)
        seen.append(gradients(model))
    return seen


def saved_and_loaded(torch):
    def model():
        return torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1))

    trained = settled(torch, model())
    optimizer = torch.optim.Adam(trained.parameters(), lr=0.1)
    x = waves(torch, 4, 2)
    trained(x).sum().backward()
    optimizer.step()
    file = io.BytesIO()
    torch.save(
        {"model": trained.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 3}, file
    )
    file.seek(0)
    checkpoint = torch.load(file)
    fresh = model().double()
    result = str(fresh.load_state_dict(checkpoint["model"]))
    resumed = torch.optim.Adam(fresh.parameters(), lr=1.0)
    resumed.load_state_dict(checkpoint["optimizer"])
    for one, other in ((trained, optimizer), (fresh, resumed)):
        other.zero_grad()
        one(x).sum().backward()
        other.step()
    return [
        result,
        checkpoint["epoch"],
        digits(trained.state_dict()),
        digits(fresh.state_dict()) == digits(trained.state_dict()),
        {name: value.requires_grad for name, value in checkpoint["model"].items()},
        outcome(lambda: torch.nn.Linear(2, 2).load_state_dict({"weight": x})),
    ]


def a_copy_learns_alone(torch):
    model = settled(torch, torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Tanh()))
    x = waves(torch, 3, 2)
    model(x).sum().backward()
    other = copy.deepcopy(model)
    same = [gradients(model) == gradients(other), other[0].weight is model[0].weight]
    other.zero_grad()
    other(2 * x).sum().backward()
    with torch.no_grad():
        other[0].weight.mul_(2)
    y = model(x)
    return [
        same,
        gradients(model),
        gradients(other),
        digits(model(x)),
        outcome(lambda: copy.deepcopy(y)),
    ]


def a_custom_optimizer(torch):
    class SignDescent(torch.optim.Optimizer):
        def __init__(self, params, lr=0.1):
            super().__init__(params, {"lr": lr})

        @torch.no_grad()
        def step(self, closure=None):
            loss = None
            if closure is not None:
                with torch.enable_grad():
                    loss = closure()
            for group in self.param_groups:
                for parameter in group["params"]:
                    if parameter.grad is None:
                        continue
                    state = self.state[parameter]
                    state["step"] = state.get("step", 0) + 1
                    parameter.add_(parameter.grad.sign(), alpha=-group["lr"] / state["step"])
            return loss

    model = settled(torch, torch.nn.Linear(2, 2))
    optimizer = SignDescent([{"params": [model.weight]}, {"params": [model.bias], "lr": 0.01}])
    x = waves(torch, 3, 2)

    def closure():
        optimizer.zero_grad()
        loss = (model(x) ** 2).sum()
        loss.backward()
        return loss

    losses = [digits(optimizer.step(closure)) for _ in range(4)]
    return [losses, digits(model.state_dict()), optimizer.state_dict(), model.weight._version > 4]


def average_of_weights(torch):
    model = settled(torch, torch.nn.Linear(2, 1))
    average = copy.deepcopy(model)
    for parameter in average.parameters():
        parameter.requires_grad_(False)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x = waves(torch, 4, 2)
    for _ in range(3):
        optimizer.zero_grad()
        (model(x) ** 2).mean().backward()
        optimizer.step()
        with torch.no_grad():
            for kept, now in zip(average.parameters(), model.parameters(), strict=True):
                kept.mul_(0.9).add_(now, alpha=0.1)
    return [digits(average.state_dict()), average(x).requires_grad, average.weight._version]


def target_network_is_detached(torch):
    online = settled(torch, torch.nn.Linear(2, 3))
    target = copy.deepcopy(online)
    state, following = waves(torch, 4, 2), waves(torch, 4, 2, step=0.3)
    action = torch.tensor([0, 2, 1, 0])
    q = online(state).gather(1, action.unsqueeze(1)).squeeze(1)
    wanted = 1.0 + 0.9 * target(following).max(1)[0].detach()
    loss = torch.nn.functional.smooth_l1_loss(q, wanted) + ((q - wanted) ** 2).mean()
    loss.backward()
    return [digits(loss), gradients(online), gradients(target), wanted.grad_fn, graph(q.grad_fn)]
