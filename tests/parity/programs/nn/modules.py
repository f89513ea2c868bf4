"""nn.Linear, nn.ReLU, nn.Sequential and nn.Parameter."""

from tests.parity.harness import graph, outcome

_POINTS = [[1.0, -1.0], [0.5, 2.0]]


def _fixed_model(torch):
    model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1))
    values = (
        [[0.5, -0.25], [1.0, 0.5], [-0.75, 0.25]],
        [0.1, -0.2, 0.3],
        [[1.0, -1.0, 0.5]],
        [0.05],
    )
    with torch.no_grad():
        for parameter, value in zip(model.parameters(), values, strict=True):
            parameter.copy_(torch.tensor(value))
    return model


def shapes_of_linear(torch):
    layer = torch.nn.Linear(2, 3)
    without_bias = torch.nn.Linear(2, 3, bias=False)
    return {
        "weight": [layer.weight.shape, str(layer.weight.dtype), layer.weight.requires_grad],
        "bias": [layer.bias.shape, layer.bias.requires_grad],
        "is_leaf": [layer.weight.is_leaf, layer.bias.is_leaf],
        "no_bias": [without_bias.bias, len(list(without_bias.parameters()))],
        "features": [layer.in_features, layer.out_features],
        "bounded": bool((layer.weight.detach().abs() <= 0.5**0.5).numpy().all()),
    }


def parameters_of_sequential(torch):
    model = _fixed_model(torch)
    return [[name, parameter] for name, parameter in model.named_parameters()]


def repr_of_modules(torch):
    nn = torch.nn
    nested = nn.Sequential(nn.Linear(1, 2), nn.Sequential(nn.ReLU(), nn.Linear(2, 1, bias=False)))
    return [repr(nn.Linear(2, 4)), repr(nn.ReLU()), repr(nested), repr(nn.Sequential())]


def repr_of_parameters(torch):
    return [
        repr(torch.nn.Parameter(torch.tensor([1.0, 2.0]))),
        repr(torch.nn.Parameter(torch.tensor(1.0), requires_grad=False)),
    ]


def parameters_are_leaves(torch):
    source = torch.tensor([1.0, 2.0])
    parameter = torch.nn.Parameter(source)
    return {
        "requires_grad": [parameter.requires_grad, source.requires_grad],
        "is_leaf": parameter.is_leaf,
        "shares_memory": parameter.data_ptr() == source.data_ptr(),
        "is_tensor": isinstance(parameter, torch.Tensor),
        "of_result": torch.nn.Parameter(torch.tensor([1.0], requires_grad=True) * 2).is_leaf,
        "result_type": type(parameter * 2).__name__,
    }


def outputs_require_grad(torch):
    x = torch.tensor(_POINTS)
    model = _fixed_model(torch)
    with torch.no_grad():
        unrecorded = model(x)
    return [model(x), unrecorded, torch.nn.ReLU()(x), graph(model(x).grad_fn)]


def linear_of_one_and_more_axes(torch):
    layer = _fixed_model(torch)[0]
    return [layer(torch.tensor([1.0, 2.0])), layer(torch.ones(1, 2, 2)).shape]


def gradients_of_a_model(torch):
    model = _fixed_model(torch)
    x = torch.tensor(_POINTS, requires_grad=True)
    model(x).sum().backward()
    return [x.grad, *(parameter.grad for parameter in model.parameters())]


def three_steps_of_training(torch):
    model = _fixed_model(torch)
    x = torch.tensor(_POINTS)
    target = torch.tensor([[1.0], [-1.0]])
    losses = []
    for _ in range(3):
        loss = ((model(x) - target) ** 2).mean()
        for parameter in model.parameters():
            parameter.grad = None
        loss.backward()
        with torch.no_grad():
            for parameter in model.parameters():
                parameter -= 0.1 * parameter.grad
        losses.append(loss.detach())
    return [losses, list(model.parameters())]


def zero_grad_sets_none(torch):
    model = _fixed_model(torch)
    model(torch.tensor(_POINTS)).sum().backward()
    before = [parameter.grad is None for parameter in model.parameters()]
    model.zero_grad()
    return [before, [parameter.grad is None for parameter in model.parameters()]]


def frozen_parameters(torch):
    model = _fixed_model(torch)
    for parameter in model[0].parameters():
        parameter.requires_grad = False
    y = model(torch.tensor(_POINTS))
    y.sum().backward()
    return [y.requires_grad, [parameter.grad for parameter in model.parameters()]]


def sequential_is_a_sequence(torch):
    model = _fixed_model(torch)
    return {
        "len": len(model),
        "item": type(model[1]).__name__,
        "last": type(model[-1]).__name__,
        "iter": [type(layer).__name__ for layer in model],
        "slice": type(model[:2]).__name__,
        "out_of_range": outcome(lambda: model[3]),
    }


def own_modules(torch):
    class Affine(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = torch.nn.Parameter(torch.tensor(2.0))
            self.inner = torch.nn.Linear(1, 1)

        def forward(self, x):
            return x * self.scale

    module = Affine()
    y = module(torch.tensor(3.0))
    y.backward()
    return {
        "output": y,
        "grad": module.scale.grad,
        "names": [name for name, _ in module.named_parameters()],
        "repr": repr(module),
        "missing": outcome(lambda: module.missing),
    }


def modules_without_forward(torch):
    class Empty(torch.nn.Module):
        pass

    return outcome(lambda: Empty()(torch.tensor(1.0)))


def functional_linear(torch):
    linear = torch.nn.functional.linear
    x = torch.tensor(_POINTS, requires_grad=True)
    w = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], requires_grad=True)
    b = torch.tensor([0.1, 0.2, 0.3], requires_grad=True)
    linear(x, w, b).sum().backward()
    return [linear(x, w), linear(x, w, b), x.grad, w.grad, b.grad]
