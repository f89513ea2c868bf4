"""The mistakes that everybody makes once, and what is said about them."""

import numpy as np

from tests.parity.harness import graph, outcome, state, warned
from tests.parity.usage_material import digits, gradients, settled, waves


def forgetting_requires_grad(torch):
    x = torch.tensor([1.0, 2.0])
    y = (x * 2).sum()
    leaf = torch.tensor([1.0], requires_grad=True)
    moved = leaf.to(torch.float64)
    moved.sum().backward()
    with torch.no_grad():
        dark = leaf * 2
    return [
        outcome(y.backward),
        outcome(lambda: torch.autograd.grad(y, x)),
        outcome(lambda: dark.backward()),
        warned(lambda: moved.grad),
        leaf.grad,
        x.grad,
        outcome(lambda: leaf.detach().backward()),
    ]


def integers_by_mistake(torch):
    x = torch.tensor([1, 2, 3])
    w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = (x * w).sum()
    y.backward()
    return [
        outcome(lambda: torch.tensor([1, 2], requires_grad=True)),
        outcome(lambda: x.requires_grad_()),
        outcome(lambda: setattr(x, "requires_grad", True)),
        outcome(lambda: x.float().requires_grad_().grad),
        outcome(lambda: x.mean()),
        outcome(lambda: x @ w),
        outcome(lambda: torch.nn.functional.cross_entropy(w[None], torch.tensor([1.0]))),
        outcome(lambda: torch.nn.Linear(3, 1)(x)),
        outcome(lambda: x.sqrt()),
        outcome(lambda: x.add_(0.5)),
        outcome(lambda: w.long().sum().backward()),
        w.grad,
    ]


def broadcasting_by_mistake(torch):
    prediction = waves(torch, 4, 1, requires_grad=True)
    target = waves(torch, 4)
    functional = torch.nn.functional
    said = warned(lambda: functional.mse_loss(prediction, target))
    loss = ((prediction - target) ** 2).mean()
    loss.backward()
    return [
        said,
        digits(loss),
        digits(prediction.grad),
        outcome(lambda: torch.ones(3) + torch.ones(4)),
        outcome(lambda: torch.ones(2, 3) @ torch.ones(2, 3)),
        outcome(lambda: torch.ones(3).add_(torch.ones(2, 3))),
        outcome(lambda: torch.nn.Linear(3, 2)(torch.ones(2, 4))),
        outcome(lambda: torch.ones(2, 3).view(4)),
        outcome(lambda: torch.cat([torch.ones(2, 3), torch.ones(2, 2)])),
        outcome(lambda: functional.nll_loss(torch.ones(2, 3), torch.tensor([0, 3]))),
        outcome(lambda: functional.cross_entropy(torch.ones(2, 3), torch.tensor([0, 1, 2]))),
    ]


def backward_twice(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = (x**2).sum()
    y.backward()
    second = outcome(y.backward)
    z = (x + 1).sum()
    z.backward()
    harmless = outcome(lambda: z.backward())
    w = x.exp()
    w.sum().backward()
    other = outcome(lambda: (w * 2).sum().backward())
    return [second, harmless, other, x.grad]


def backward_of_something_large(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    return [
        outcome(y.backward),
        outcome(lambda: y.backward(torch.ones(3))),
        outcome(lambda: y.backward(1.0)),
        outcome(lambda: y.backward([1.0, 1.0])),
        outcome(lambda: y.backward(torch.ones(2, dtype=torch.int64))),
        outcome(lambda: torch.autograd.backward(y, [torch.ones(2), torch.ones(2)])),
        outcome(lambda: y.backward(torch.tensor([1.0, 10.0])) or x.grad),
    ]


def changing_leaves_in_place(torch):
    def leaf():
        return torch.tensor([1.0, 2.0], requires_grad=True)

    def assign(x):
        x[0] = 5.0

    def subtract(x):
        x -= 0.1

    def of_view(x):
        x.view(2).add_(1)

    def rebound():
        x = leaf()
        (x * 2).sum().backward()
        x = x - 0.1 * x.grad
        (x * 2).sum().backward()
        return [x.grad, x.is_leaf]

    return [
        *[outcome(lambda change=change: change(leaf())) for change in (assign, subtract, of_view)],
        outcome(lambda: leaf().zero_()),
        outcome(rebound),
        outcome(lambda: leaf().mul_(leaf())),
        outcome(lambda: torch.ones(2).mul_(leaf())),
        outcome(lambda: leaf().detach().mul_(3)),
        outcome(lambda: torch.add(leaf(), 1, out=leaf())),
        outcome(lambda: setattr(leaf(), "grad", torch.ones(3))),
        outcome(lambda: setattr(leaf(), "grad", 1.0)),
        outcome(lambda: setattr(leaf() * 2, "requires_grad", False)),
    ]


def data_tricks(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x**2
    x.data.mul_(10)
    silent = outcome(lambda: y.sum().backward() or x.grad)
    z = x**2
    x.detach().mul_(2)
    loud = outcome(lambda: z.sum().backward())
    before = x._version
    x.data = torch.tensor([7.0, 8.0, 9.0])
    return [
        silent,
        loud,
        before,
        state(x),
        outcome(lambda: (x * 2).sum().backward()),
        outcome(lambda: setattr(x, "data", torch.tensor([1, 2]))),
        outcome(lambda: setattr(x, "data", [1.0])),
        x.data.is_leaf,
    ]


def out_of_the_graph_and_back(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = (x * 3).sum()
    shared = x.detach().numpy()
    shared[0] = 5.0
    return [
        outcome(lambda: x.numpy()),
        outcome(lambda: np.asarray(x)),
        outcome(lambda: np.asarray(x.detach()).tolist()),
        x,
        y.item(),
        x.tolist(),
        outcome(lambda: x.item()),
        outcome(lambda: float(y)),
        warned(lambda: float(y)),
        outcome(lambda: bool(x > 1)),
        outcome(lambda: int(torch.tensor(2.7, requires_grad=True))),
        outcome(lambda: [each.grad_fn is not None for each in x]),
        outcome(lambda: np.sum(x.detach().numpy()).item()),
        outcome(lambda: torch.from_numpy(np.array([1.0, 2.0], dtype="float32")) * x),
        outcome(lambda: np.array([1.0, 2.0], dtype="float32") * x.detach()),
        outcome(lambda: torch.tensor(x).requires_grad),
        outcome(lambda: torch.tensor([y, y]).requires_grad),
        outcome(lambda: torch.stack([y, y])),
        f"{y:.2f}",
        outcome(lambda: f"{x:.2f}"),
    ]


def losses_that_are_summed_up(torch):
    model = settled(torch, torch.nn.Linear(2, 1))
    total, running = 0, 0.0
    for part in waves(torch, 4, 2).split(2):
        loss = model(part).pow(2).mean()
        total += loss
        running += loss.item()
    total.backward()
    return [digits(running), digits(total), graph(total.grad_fn), gradients(model)]


def printing(torch):
    x = torch.tensor([1.0, 2.5], requires_grad=True)
    y = x * 2
    seen = [repr(x), str(y), repr(y.sum()), repr(x.grad), repr(y.detach())]
    y.sum().backward()
    z = torch.zeros(2, 2)
    z[0] = x
    with torch.no_grad():
        w = x.double() / 3
    return [
        *seen,
        repr(x.grad),
        repr(z),
        repr(w),
        repr(x.view(2, 1)),
        repr(x.unbind()[1]),
        repr(torch.nn.Parameter(w)),
        repr(x > 2),
        f"{x.max()}",
        str(y.sum().grad_fn.name()),
        outcome(lambda: x.max(0)),
        repr(x.sort()),
        repr(torch.nn.Linear(2, 1).bias.shape),
    ]


def _quietly(call):
    """How `call` ends, and the first lines of its warnings: the others name files."""
    ends = []
    said = warned(lambda: ends.append(outcome(call)))
    return [*ends, [text.partition("\n")[0] for text in said]]


def nan_is_found_by_detect_anomaly(torch):
    def train(check):
        x = torch.tensor([0.0, 1.0], requires_grad=True)
        y = (x / x).sum()
        with torch.autograd.set_detect_anomaly(check):
            y.backward()
        return x.grad

    def inside():
        with torch.autograd.detect_anomaly():
            x = torch.tensor([0.0, 1.0], requires_grad=True)
            (x / x).sum().backward()

    def stops():
        x = torch.tensor([1.0, -1.0], requires_grad=True)
        for step in range(5):
            loss = x.log().sum()
            if torch.isnan(loss):
                return [step, x.grad]
            loss.backward()
        return None

    return [
        outcome(lambda: train(False)),
        _quietly(lambda: train(True)),
        _quietly(inside),
        outcome(stops),
    ]


def saved_and_then_changed(torch):
    def of(operator, change):
        def run():
            x = torch.tensor([1.0, 2.0], requires_grad=True)
            h = x * 1
            y = operator(h)
            change(h, y)
            y.sum().backward()
            return x.grad

        return outcome(run)

    operators = {
        "exp": lambda h: h.exp(),
        "sigmoid": lambda h: h.sigmoid(),
        "square": lambda h: h**2,
        "sin": lambda h: h.sin(),
        "times": lambda h: h * h.detach(),
        "plus": lambda h: h + 1,
        "sqrt": lambda h: h.sqrt(),
        "relu": lambda h: h.relu(),
        "softmax": lambda h: h.softmax(0),
        "mul of view": lambda h: h[:1] * h[1:],
        "clone": lambda h: h.clone(),
        "matmul": lambda h: h @ h,
        "max": lambda h: h.max(),
        "norm": lambda h: h.norm(),
    }
    changes = {
        "input": lambda h, y: h.add_(1),
        "output": lambda h, y: y.mul_(2),
        "part of input": lambda h, y: h[:1].zero_(),
        "detached input": lambda h, y: h.detach().zero_(),
    }
    return {
        f"{name}, {change}": of(operators[name], changes[change])
        for name in operators
        for change in changes
    }


def modules_used_wrongly(torch):
    nn = torch.nn

    class Forgetful(nn.Module):
        def __init__(self):
            self.layer = nn.Linear(1, 1)

    class NoForward(nn.Module):
        pass

    class PlainList(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = [nn.Linear(1, 1)]

    return [
        outcome(Forgetful),
        outcome(lambda: NoForward()(1)),
        [
            list(PlainList().parameters()),
            outcome(lambda: torch.optim.SGD(PlainList().parameters(), lr=1)),
        ],
        outcome(lambda: NoForward().missing),
        outcome(lambda: torch.optim.SGD(nn.Linear(1, 1), lr=1)),
        outcome(lambda: torch.optim.SGD([torch.ones(1, requires_grad=True) * 2], lr=1)),
        outcome(lambda: torch.optim.SGD(torch.ones(1, requires_grad=True), lr=1)),
        outcome(lambda: torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=-1)),
        outcome(lambda: torch.optim.Adam([torch.ones(1, requires_grad=True)], betas=(2, 0))),
        outcome(lambda: nn.Parameter(torch.tensor([1]))),
        outcome(lambda: nn.Sequential(1)),
        outcome(lambda: nn.Linear(1, 1).load_state_dict({})),
        outcome(lambda: nn.Linear(1, 1).register_buffer("weight", None)),
    ]


def functions_used_wrongly(torch):
    def function(forward=None, backward=None):
        members = {}
        if forward:
            members["forward"] = staticmethod(forward)
        if backward:
            members["backward"] = staticmethod(backward)
        return type("Wrong", (torch.autograd.Function,), members)

    def keep(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    def go(cls, *args):
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        return outcome(lambda: cls.apply(x, *args).sum().backward() or x.grad)

    return [
        go(function()),
        go(function(keep)),
        go(function(keep, lambda ctx, g: None)),
        go(function(keep, lambda ctx, g: (g, g))),
        go(function(keep, lambda ctx, g: (g, None))),
        go(function(lambda ctx, x, y: x * y, lambda ctx, g: g), 2),
        go(function(lambda ctx, x, y: x * y, lambda ctx, g: (g, g)), 2),
        go(function(keep, lambda ctx, g: g[:1])),
        go(function(keep, lambda ctx, g: torch.ones(3))),
        go(function(keep, lambda ctx, g: 1.0)),
        go(function(keep, lambda ctx, g: g.double())),
        go(function(keep, lambda ctx: None)),
        go(function(lambda ctx, x: 3.0, lambda ctx, g: g)),
        go(function(lambda ctx, x: None, lambda ctx, g: g)),
        go(function(lambda ctx, x: [x * 1], lambda ctx, g: g)),
        go(function(lambda x: x * 2, lambda ctx, g: g)),
        go(function(lambda ctx, x: ctx.save_for_backward(3), lambda ctx, g: g)),
        outcome(lambda: type(function(keep)()).__name__),
        outcome(lambda: function(keep)()(torch.ones(1))),
    ]
