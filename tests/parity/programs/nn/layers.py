"""Layers, losses, containers and initial values beyond those of the first lessons."""

import inspect
from collections import OrderedDict

import numpy as np

from tests.parity.harness import node_names, outcome
from tests.parity.sessions import shown

_VALUES = [[-2.0, -0.5, 0.0, 0.25], [1.0, 2.5, -1.0, 7.0]]


def _applied(torch, layer):
    x = torch.tensor(_VALUES, requires_grad=True)
    y = layer(x)
    y.sum().backward()
    return repr(layer), y.detach().double().round(decimals=5), x.grad.double().round(decimals=5)


def _rounded(tensor):
    return [round(value, 5) for value in tensor.detach().double().flatten().tolist()]


def activations(torch):
    nn = torch.nn
    layers = [
        nn.ReLU(), nn.ReLU6(), nn.Tanh(), nn.Sigmoid(), nn.LeakyReLU(), nn.LeakyReLU(0.2), nn.ELU(),
        nn.ELU(alpha=2.0), nn.CELU(), nn.SELU(), nn.SiLU(), nn.Mish(), nn.GELU(),
        nn.GELU(approximate="tanh"), nn.Softplus(), nn.Softplus(2.0, 1.0), nn.Hardtanh(),
        nn.Hardtanh(-0.5, 2.0), nn.LogSigmoid(), nn.Softsign(), nn.Softmax(1), nn.LogSoftmax(dim=0),
        nn.Softmin(dim=1), nn.Identity(1, x=2),
    ]  # fmt: skip
    seen = []
    for layer in layers:
        x = torch.tensor(_VALUES, requires_grad=True)
        y = layer(x)
        y.sum().backward()
        seen.append([repr(layer), _rounded(y), _rounded(x.grad)])
    return seen


def names_of_activations(torch):
    nn = torch.nn
    x = torch.tensor(_VALUES, requires_grad=True)
    layers = (nn.LeakyReLU(), nn.ELU(), nn.SiLU(), nn.GELU(), nn.Softplus(), nn.Hardtanh())
    return [node_names(layer(x).grad_fn) for layer in layers]


def names_with_numbers_of_numpy(torch):
    nn = torch.nn
    layers = nn.LeakyReLU(np.float64(0.25)), nn.Softmax(np.int64(1)), nn.GELU("tanh"), nn.Softplus()
    return [repr(layer) for layer in layers]


def in_place_relu(torch):
    x = torch.tensor(_VALUES, requires_grad=True)
    y = x * 1
    z = torch.nn.ReLU(inplace=True)(y)
    z.sum().backward()
    return z is y, z, x.grad, repr(torch.nn.ReLU(inplace=True)), repr(torch.nn.SiLU(inplace=True))


def wrong_options(torch):
    nn = torch.nn
    return [
        outcome(lambda: nn.Dropout(1.5)),
        outcome(lambda: nn.Dropout(-0.1)),
        outcome(lambda: nn.Unflatten(0, 3)),
        outcome(lambda: nn.Unflatten(0, (2, 1.5))),
        outcome(lambda: nn.GELU(approximate="much")(torch.ones(1))),
    ]


def dropout(torch):
    layer, x = torch.nn.Dropout(0.25), torch.ones(1000, requires_grad=True)
    y = layer(x)
    y.sum().backward()
    values = sorted(set(y.detach().tolist()))
    evaluated = layer.eval()(x)
    return {
        "repr": repr(layer),
        "values": values,
        "share": 0.65 < (y != 0).double().mean().item() < 0.85,
        "gradient": torch.equal(x.grad, y.detach()),
        "names": node_names(y.grad_fn),
        "evaluated": evaluated is x,
        "all": torch.nn.functional.dropout(x, 1.0).sum(),
        "none": torch.nn.functional.dropout(x, 0.0) is x,
    }


def shapes(torch):
    nn = torch.nn
    x = torch.arange(12.0).reshape(2, 6)
    layer = nn.Unflatten(1, (2, 3))
    return repr(layer), layer(x), nn.Flatten(0)(layer(x)).shape, nn.Unflatten(-1, (3, -1))(x).shape


def linear_options(torch):
    nn = torch.nn
    double = nn.Linear(2, 3, dtype=torch.float64)
    without_bias = nn.Linear(2, 3, bias=False)
    return [
        str(double.weight.dtype),
        str(double.bias.dtype),
        without_bias.bias,
        nn.Linear(0, 2)(torch.ones(3, 0)).shape,
    ]


def distribution_of_linear(torch):
    torch.manual_seed(3)
    layer = torch.nn.Linear(400, 300)
    weight, bias = layer.weight.detach(), layer.bias.detach()
    bound = 1 / 20
    return [
        bool(weight.abs().max() <= bound),
        bool(weight.abs().max() > 0.99 * bound),
        abs(weight.mean().item()) < 0.001,
        abs(weight.std().item() * 3**0.5 - bound) < 0.001,
        bool(bias.abs().max() <= bound),
        bool(bias.abs().max() > 0.9 * bound),
    ]


def _spread(torch, fill, shape=(300, 200)):
    torch.manual_seed(1)
    tensor = torch.empty(*shape)
    returned = fill(tensor)
    values = tensor.detach()
    return [returned is tensor, round(values.mean().item(), 1), round(values.std().item(), 2)]


def initial_values(torch):
    init = torch.nn.init
    return [
        _spread(torch, lambda t: init.uniform_(t, -1.0, 1.0)),
        _spread(torch, lambda t: init.normal_(t, 2.0, 0.5)),
        _spread(torch, lambda t: init.trunc_normal_(t, std=1.0)),
        _spread(torch, lambda t: init.constant_(t, 3.0)),
        _spread(torch, init.ones_),
        _spread(torch, init.zeros_),
        _spread(torch, lambda t: init.xavier_uniform_(t, gain=4.0)),
        _spread(torch, lambda t: init.xavier_normal_(t, gain=4.0)),
        _spread(torch, lambda t: init.kaiming_uniform_(t, mode="fan_out", nonlinearity="relu")),
        _spread(torch, lambda t: init.kaiming_normal_(t, a=1.0)),
        init.eye_(torch.empty(2, 3)),
    ]


def orthogonal_values(torch):
    tall = torch.nn.init.orthogonal_(torch.empty(4, 3))
    wide = torch.nn.init.orthogonal_(torch.empty(3, 4), gain=2.0)
    return [
        torch.allclose(tall.t() @ tall, torch.eye(3), atol=1e-5),
        torch.allclose(wide @ wide.t(), 4 * torch.eye(3), atol=1e-5),
    ]


def gains(torch):
    gain = torch.nn.init.calculate_gain
    return [
        gain("linear"), gain("conv2d"), gain("sigmoid"), gain("tanh"), gain("relu"), gain("selu"),
        gain("leaky_relu"), gain("leaky_relu", 0.2), gain("leaky_relu", 1),
        outcome(lambda: gain("leaky_relu", "x")), outcome(lambda: gain("leaky_relu", True)),
        outcome(lambda: gain("none")),
    ]  # fmt: skip


def initial_values_of_wrong_tensors(torch):
    init = torch.nn.init
    return [
        outcome(lambda: init.xavier_uniform_(torch.empty(3))),
        outcome(lambda: init.kaiming_uniform_(torch.empty(3, 3), mode="fan")),
        outcome(lambda: init.eye_(torch.empty(3))),
        outcome(lambda: init.orthogonal_(torch.empty(3))),
        outcome(lambda: init.kaiming_normal_(torch.empty(0, 3)).shape),
    ]


def initial_values_are_not_recorded(torch):
    parameter = torch.nn.Parameter(torch.ones(2, 2))
    torch.nn.init.normal_(parameter)
    torch.nn.init.constant_(parameter, 2.0)
    return parameter, parameter.is_leaf, parameter._version


def clipping(torch):
    utils = torch.nn.utils

    def parameters():
        first, second = torch.ones(2, requires_grad=True), torch.ones(3, requires_grad=True)
        first.grad, second.grad = torch.tensor([3.0, 4.0]), torch.tensor([0.0, -12.0, 0.0])
        return [first, second, torch.ones(1, requires_grad=True)]

    seen = []
    for order in (2.0, 1.0, float("inf")):
        some = parameters()
        norm = utils.clip_grad_norm_(some, 1.0, norm_type=order)
        seen.append([norm, _rounded(some[0].grad), _rounded(some[1].grad), some[2].grad])
    some = parameters()
    seen.append([utils.clip_grad_norm_(some, 100.0), some[0].grad])
    seen.append([utils.clip_grad_value_(some, 3.5), some[0].grad, some[1].grad])
    seen.append([utils.clip_grad_norm_([], 1.0), utils.clip_grad_norm_(some[0], 1.0)])
    some[0].grad.fill_(float("nan"))
    seen.append(outcome(lambda: utils.clip_grad_norm_(some, 1.0, error_if_nonfinite=True)))
    return seen


def vectors_of_parameters(torch):
    utils = torch.nn.utils
    layer = torch.nn.Linear(2, 2)
    with torch.no_grad():
        layer.weight.copy_(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
        layer.bias.fill_(5.0)
    vector = utils.parameters_to_vector(layer.parameters())
    names = node_names(vector.grad_fn)
    utils.vector_to_parameters(torch.arange(6.0), layer.parameters())
    wrong = outcome(lambda: utils.vector_to_parameters([1.0], layer.parameters()))
    return vector, names, layer.weight, layer.bias, wrong


def dicts_of_modules(torch):
    nn = torch.nn
    modules = nn.ModuleDict(OrderedDict([("b", nn.Linear(1, 2)), ("a", nn.ReLU())]))
    modules.update([("c", nn.Tanh())])
    modules["d"] = nn.Identity()
    del modules["a"]
    return [
        repr(modules), list(modules), list(modules.keys()), len(modules), "b" in modules,
        [type(each).__name__ for each in modules.values()], repr(modules.pop("c")),
        [name for name, _ in modules.named_parameters()], [name for name, _ in modules.items()],
        outcome(lambda: modules["z"]), outcome(lambda: modules(1)), modules.clear(), len(modules),
    ]  # fmt: skip


def dicts_of_modules_wrongly(torch):
    nn = torch.nn
    wrong = ([("a",)], 3, [3], {"a": 3}, {"keys": nn.ReLU()}, {1: nn.ReLU()}, {"a.b": nn.ReLU()})
    return [outcome(lambda given=given: nn.ModuleDict(given)) for given in wrong]


def lists_of_parameters(torch):
    nn = torch.nn
    values = nn.ParameterList([torch.ones(2), nn.Parameter(torch.ones(1, 2)), 3])
    values.append(torch.zeros(1)).extend([torch.zeros(3)])
    values[0] = torch.zeros(4)
    return [
        repr(values), len(values), [name for name, _ in values.named_parameters()],
        type(values[0]).__name__, values[-1], repr(values[1:3]), values[2],
        list(values.state_dict()),
        repr(nn.ParameterList([torch.ones(1)])), repr(nn.ParameterList()),
        outcome(lambda: values[9]), outcome(lambda: nn.ParameterList(torch.ones(1))),
        outcome(lambda: nn.ParameterList(3)), outcome(lambda: values()),
    ]  # fmt: skip


def repeated_sequences(torch):
    nn = torch.nn
    row = nn.Sequential(nn.Linear(1, 1), nn.ReLU())
    twice = row * 2
    seen = [repr(twice), repr(3 * nn.Sequential(nn.Tanh())), twice[0] is twice[2]]
    row *= 2
    seen.append(repr(row))
    row += nn.Sequential(nn.Tanh())
    seen.append(repr(row))
    seen.append(outcome(lambda: row * 0)["raises"])
    seen.append(outcome(lambda: row * "a")["raises"])
    return seen


def buffers_by_assignment(torch):
    module = torch.nn.Module()
    module.kept = torch.nn.Buffer(torch.ones(2))
    module.passing = torch.nn.Buffer(torch.zeros(1), persistent=False)
    module.kept = torch.zeros(3)
    return [
        [name for name, _ in module.named_buffers()],
        list(module.state_dict()),
        module.kept,
        isinstance(torch.nn.Buffer(torch.ones(1)), torch.nn.Buffer),
        isinstance(torch.ones(1), torch.nn.Buffer),
        type(torch.nn.Buffer(torch.ones(1))).__name__,
    ]


def what_they_are_shown_to_take(torch):
    nn = torch.nn

    class Leaky(nn.LeakyReLU):
        pass

    class Scaled(nn.ReLU):
        def __init__(self, scale):
            super().__init__()

    kinds = (
        *(nn.ReLU, nn.ELU, nn.GELU, nn.Softmax, nn.Softplus, Leaky, Scaled),
        *(nn.MSELoss, nn.L1Loss, nn.HuberLoss, nn.BCELoss, nn.NLLLoss, nn.CrossEntropyLoss),
        *(nn.Linear, nn.Dropout, nn.Flatten, nn.LayerNorm, torch.optim.AdamW),
    )
    return {
        kind.__name__: [
            [each.name, each.default is each.empty or each.default]
            for each in inspect.signature(kind).parameters.values()
        ]
        for kind in kinds
    }


def missing_and_surplus_arguments(torch):
    nn, x = torch.nn, torch.ones(2)
    layers = (
        nn.Tanh(),
        nn.ReLU(),
        nn.Linear(2, 1),
        nn.MSELoss(),
        nn.CrossEntropyLoss(),
        nn.Flatten(),
    )
    return [
        [outcome(lambda each=each, given=given: each(*given)) for given in ((), (x, x, x))]
        for each in layers
    ] + [
        outcome(lambda each=each: each(1, 2, 3))
        for each in (nn.Tanh, nn.Sigmoid, nn.ReLU, nn.GELU, nn.Softmax)
    ]


def how_often_parameters_were_filled(torch):
    nn, empty = torch.nn, torch.empty(0, 2)
    layers = nn.Linear(2, 1), nn.LayerNorm(2), nn.BatchNorm1d(2), nn.BatchNorm1d(2, affine=False)
    for fill in (nn.init.kaiming_uniform_, nn.init.kaiming_normal_, nn.init.xavier_uniform_):
        fill(empty)
    states = [layer.state_dict() for layer in layers]
    return [{name: each._version for name, each in state.items()} for state in states], empty


def refusals(torch):
    return shown(
        torch,
        """
        nn, F = torch.nn, torch.nn.functional
        nn.Dropout(2)
        F.dropout(torch.ones(2), -1)
        F.dropout(torch.ones(2), 1.0)
        nn.BatchNorm1d(2)(torch.ones(2, 2, 2, 2))
        nn.BatchNorm2d(2)(torch.ones(2, 2))
        nn.BatchNorm1d(2)(torch.ones(1, 2))
        F.batch_norm(torch.ones(2, 2), None, None)
        F.batch_norm(torch.ones(2, 2), torch.zeros(2), None)
        F.layer_norm(torch.ones(2, 3), ())
        F.layer_norm(torch.ones(2, 3), (2,))
        F.layer_norm(torch.ones(2, 3), (3,), weight=torch.ones(2))
        nn.LayerNorm(3).reset_parameters()
        nn.LayerNorm((2, 3), elementwise_affine=False)
        F.embedding(torch.tensor([5]), torch.ones(3, 2))
        F.embedding(torch.tensor([0.]), torch.ones(3, 2))
        F.embedding(torch.tensor([0]), torch.ones(3, 2), padding_idx=7)
        nn.Embedding(3, 2, padding_idx=-4)
        nn.Embedding(3, 2, padding_idx=-1)
        F.pad(torch.ones(2), (1, 2, 3))
        F.pad(torch.ones(2), (1, 2, 3, 4))
        F.softmax(torch.ones(2, 2))
        F.softmin(torch.tensor([0., 1.]), 0)
        F.one_hot(torch.tensor([0.]))
        F.one_hot(torch.tensor([0, 2]), 2)
        F.one_hot(torch.tensor([-1]))
        F.one_hot(torch.zeros(0, dtype=torch.int64))
        F.linear(torch.tensor(1.), torch.ones(1, 1))
        F.celu(torch.ones(1), 0)
        F.gelu(torch.ones(1), 'x')
        F.hardtanh(torch.ones(1), 1, 0)
        nn.Unflatten(1, 3)
        nn.Unflatten(1, (1, 2.5))
        F.normalize(torch.tensor([[3., 4.]]), out=torch.zeros(1, 2))
        F.smooth_l1_loss(torch.ones(2), torch.zeros(2), beta=0)
        F.smooth_l1_loss(torch.ones(2), torch.zeros(2), beta=-1)
        F.cross_entropy(torch.ones(2, 3), torch.tensor([0, 1]), label_smoothing=2.)
        """,
    )


def tables_given(torch):
    return shown(
        torch,
        """
        w = torch.arange(6.0).reshape(3, 2)
        e = torch.nn.Embedding.from_pretrained(w)
        e, e.weight, e.weight.data_ptr() == w.data_ptr()
        f = torch.nn.Embedding.from_pretrained(w, freeze=False, padding_idx=-1)
        f(t([2, 1])).sum().backward()
        f, f.weight.grad
        torch.nn.Embedding.from_pretrained(torch.ones(3))
        torch.nn.Embedding.from_pretrained(w, padding_idx=5)
        torch.nn.Embedding(4, 2, _weight=w)
        torch.nn.Embedding(3, 2, _freeze=True).weight.requires_grad
        g = torch.nn.Embedding(3, 2, 0, None, 2.0, False, False, torch.ones(3, 2))
        g, g.weight, g.max_norm, g.norm_type, g.scale_grad_by_freq, g.sparse
        torch.nn.Embedding.from_pretrained(w, True, 1, None, 1.0, False, False).norm_type
        """,
    )


def bounds_that_hold_nothing(torch):
    return shown(
        torch,
        """
        torch.nn.Hardtanh(2, 1)
        torch.nn.Hardtanh(1, 1)
        torch.nn.Hardtanh(min_val=-2, max_val=0.5)
        torch.nn.Hardtanh(-2.0, 0.5)(t([-3.0, 0.0, 3.0]))
        torch.nn.Hardtanh()()
        """,
    )
