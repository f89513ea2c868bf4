"""SGD and Adam: their steps, what they remember, their options and errors."""

import copy
import warnings

from tests.parity.harness import outcome, plain, state, warned

_FLAT = [0.5, -1.0, 2.0, 0.25]


def _parameter(torch, data=_FLAT):
    # float64, so that the digits kept here do not depend on the order of operations.
    return torch.nn.Parameter(torch.tensor(data, dtype=torch.float64))


def _rounded(tensor):
    return [round(value, 9) for value in tensor.detach().reshape(-1).tolist()]


def _steps(torch, optimizer, parameter, count=5):
    path = []
    for _ in range(count):
        optimizer.zero_grad()
        loss = ((parameter * parameter - 1) ** 2).sum()
        loss.backward()
        optimizer.step()
        path.append(_rounded(parameter))
    return path


def _paths(torch, make, table):
    seen = []
    for options in table:
        parameter = _parameter(torch)
        optimizer = make([parameter], **options)
        path = _steps(torch, optimizer, parameter)
        kept = {
            name: _rounded(value)
            for name, value in optimizer.state[parameter].items()
            if value is not None
        }
        seen.append([path, kept])
    return seen


def sgd(torch):
    return _paths(
        torch,
        torch.optim.SGD,
        (
            {},
            {"lr": 0.05},
            {"lr": 0.02, "momentum": 0.9},
            {"lr": 0.02, "momentum": 0.9, "dampening": 0.5},
            {"lr": 0.02, "momentum": 0.9, "nesterov": True},
            {"lr": 0.05, "weight_decay": 0.1},
            {"lr": 0.01, "momentum": 0.5, "weight_decay": 0.1, "maximize": True},
            {"lr": torch.tensor(0.05)},
        ),
    )


def adam(torch):
    return _paths(
        torch,
        torch.optim.Adam,
        (
            {},
            {"lr": 0.1},
            {"lr": 0.1, "betas": (0.5, 0.9), "eps": 1e-3},
            {"lr": 0.1, "weight_decay": 0.1},
            {"lr": 0.1, "weight_decay": 0.1, "decoupled_weight_decay": True},
            {"lr": 0.3, "betas": (0.5, 0.6), "amsgrad": True},
            {"lr": 0.1, "maximize": True},
        ),
    )


def steps_change_in_place(torch):
    seen = []
    for make in (torch.optim.SGD, torch.optim.Adam):
        parameter = torch.nn.Parameter(torch.tensor([1.0, 2.0]))
        pointer = parameter.data_ptr()
        optimizer = make([parameter], lr=0.5)
        parameter.grad = torch.tensor([1.0, -1.0])
        optimizer.step()
        seen.append([state(parameter), parameter.is_leaf, pointer == parameter.data_ptr()])
    return seen


def parameters_without_gradient(torch):
    first, second = _parameter(torch), _parameter(torch)
    optimizer = torch.optim.SGD([first, second], lr=0.5, momentum=0.9)
    first.grad = torch.ones(4, dtype=torch.float64)
    optimizer.step()
    return [first, second, first in optimizer.state, second in optimizer.state]


def closures(torch):
    parameter = _parameter(torch)
    optimizer = torch.optim.SGD([parameter], lr=0.125)

    def closure():
        optimizer.zero_grad()
        loss = (parameter * parameter).sum()
        loss.backward()
        return loss

    return [optimizer.step(closure), parameter, optimizer.step(), torch.is_grad_enabled()]


def zero_grad(torch):
    parameter = _parameter(torch)
    optimizer = torch.optim.SGD([parameter])
    (parameter * 2).sum().backward()
    optimizer.zero_grad(set_to_none=False)
    zeroed = parameter.grad
    optimizer.zero_grad()
    return [zeroed, parameter.grad]


def groups(torch):
    first, second = _parameter(torch), _parameter(torch)
    optimizer = torch.optim.SGD([{"params": first, "lr": 0.5}, {"params": [second]}], lr=0.25)
    for parameter in (first, second):
        parameter.grad = torch.ones(4, dtype=torch.float64)
    optimizer.step()
    optimizer.add_param_group({"params": iter([_parameter(torch)]), "momentum": 0.5})
    rates = [[group["lr"], group["momentum"]] for group in optimizer.param_groups]
    return [first, second, rates, repr(optimizer)]


def reprs(torch):
    parameter = _parameter(torch)
    return [repr(torch.optim.SGD([parameter])), repr(torch.optim.Adam([parameter], lr=0.5))]


def names_of_parameters(torch):
    layer = torch.nn.Linear(1, 1)
    optimizer = torch.optim.SGD(layer.named_parameters())
    return [
        optimizer.param_groups[0]["param_names"],
        optimizer.state_dict(),
        outcome(lambda: torch.optim.SGD([("w", layer.weight), layer.bias])),
        outcome(lambda: optimizer.add_param_group({"params": [_parameter(torch)]})),
    ]


def state_dicts(torch):
    seen = []
    for make, options in (
        (torch.optim.SGD, {"lr": 0.02, "momentum": 0.5}),
        (torch.optim.Adam, {"lr": 0.1}),
    ):
        parameter = _parameter(torch)
        optimizer = make([parameter], **options)
        _steps(torch, optimizer, parameter, 2)
        saved = copy.deepcopy(optimizer.state_dict())
        other = _parameter(torch, parameter.tolist())
        loaded = make([other])
        loaded.load_state_dict(saved)
        went_on = _steps(torch, loaded, other, 2)
        seen.append(
            {
                "groups": saved["param_groups"],
                "kept": {key: _rounded(value) for key, value in saved["state"][0].items()},
                "same": went_on == _steps(torch, optimizer, parameter, 2),
            }
        )
    return seen


def state_takes_the_dtype_of_its_parameter(torch):
    parameter = _parameter(torch)
    optimizer = torch.optim.Adam([parameter])
    _steps(torch, optimizer, parameter, 1)
    single = torch.nn.Parameter(torch.tensor(_FLAT))
    loaded = torch.optim.Adam([single])
    loaded.load_state_dict(optimizer.state_dict())
    return {key: str(value.dtype) for key, value in loaded.state[single].items()}


def errors(torch):
    optim = torch.optim
    parameter, other = _parameter(torch), _parameter(torch)
    optimizer = optim.SGD([parameter])
    return [
        outcome(lambda: optim.SGD(parameter)),
        outcome(lambda: optim.SGD([])),
        outcome(lambda: optim.SGD(["text"])),
        outcome(lambda: optim.SGD([{"params": {parameter}}])),
        outcome(lambda: optim.SGD([parameter * 2])),
        outcome(lambda: optim.SGD([{"params": parameter}, {"params": [parameter]}])),
        outcome(lambda: optimizer.add_param_group([other])),
        outcome(lambda: optim.SGD([parameter], lr=-1.0)),
        outcome(lambda: optim.SGD([parameter], momentum=-1.0)),
        outcome(lambda: optim.SGD([parameter], weight_decay=-1.0)),
        outcome(lambda: optim.SGD([parameter], nesterov=True)),
        outcome(lambda: optim.SGD([parameter], lr=torch.tensor([1.0, 2.0]))),
        outcome(lambda: optim.Adam([parameter], lr=-1.0)),
        outcome(lambda: optim.Adam([parameter], eps=-1.0)),
        outcome(lambda: optim.Adam([parameter], betas=(1.0, 0.5))),
        outcome(lambda: optim.Adam([parameter], betas=(0.5, -0.5))),
        outcome(lambda: optim.Adam([parameter], betas=(0, 0.5))),
        outcome(lambda: optim.Adam([parameter], weight_decay=-1.0)),
        outcome(lambda: optimizer.load_state_dict({"state": {}, "param_groups": []})),
        outcome(
            lambda: optimizer.load_state_dict({"state": {}, "param_groups": [{"params": [0, 1]}]})
        ),
    ]


def the_same_parameter_twice(torch):
    parameter = _parameter(torch)
    return warned(lambda: torch.optim.SGD([parameter, parameter]))


def all_parameters_at_once(torch):
    found = []
    for make in (torch.optim.SGD, torch.optim.Adam):
        parameter = torch.tensor([1.0, -2.0], requires_grad=True)
        optimizer = make([parameter], lr=0.25, foreach=True)
        (parameter * parameter).sum().backward()
        optimizer.step()
        found.append([parameter, optimizer.param_groups[0]["foreach"]])
    return found


def versions_of_what_is_remembered(torch):
    def seen(optimizer, parameter):
        found = []
        for _ in range(3):
            parameter.grad = torch.ones(2)
            optimizer.step()
            state = optimizer.state[parameter]
            found.append([parameter._version, {key: state[key]._version for key in state}])
        return found

    optim = torch.optim
    parameters = [torch.nn.Parameter(torch.ones(2)) for _ in range(4)]
    return [
        seen(optim.SGD([parameters[0]], lr=0.5), parameters[0]),
        seen(optim.SGD([parameters[1]], lr=0.5, momentum=0.5), parameters[1]),
        seen(optim.Adam([parameters[2]]), parameters[2]),
        seen(optim.Adam([parameters[3]], amsgrad=True, weight_decay=0.5), parameters[3]),
    ]


def tensors_for_options(torch):
    number, optim = torch.tensor(0.5), torch.optim
    given = [
        {"betas": (0.9,)},
        {"lr": number, "foreach": True},
        {"betas": (number, number), "foreach": True},
        {"betas": (number, 0.9)},
    ]
    made = [(kind, each) for kind in (optim.Adam, optim.AdamW) for each in given]
    return [
        outcome(lambda kind=kind, each=each: kind([_parameter(torch)], **each))
        for kind, each in made
    ]


def means_that_remember_little(torch):
    """The newer of two numbers to the last digit, where it counts for more than half."""
    seen = []
    for beta in (0.0, 0.25, 0.5, 0.75):
        parameter = torch.nn.Parameter(torch.tensor([1.0, 3.0]))
        optimizer = torch.optim.Adam([parameter], lr=0.5, betas=(beta, 0.5))
        for gradient in (1e-8, 3.0, 0.1):
            parameter.grad = torch.tensor([gradient, 1 / 3])
            optimizer.step()
        seen.append(optimizer.state[parameter]["exp_avg"])
    return seen


def options_that_are_tensors(torch):
    def trained(kind, **options):
        p = torch.tensor([1.0, -2.0], requires_grad=True)
        optimizer = kind([p], 0.125, **options)
        for _ in range(3):
            optimizer.zero_grad()
            (p * p).sum().backward()
            optimizer.step()
        return plain(p), plain(list(optimizer.state[p].values())[-1])

    half, quarter, sgd = torch.tensor(0.5), torch.tensor(0.25), torch.optim.SGD
    return (
        trained(sgd, momentum=half, weight_decay=quarter),
        trained(sgd, momentum=half, dampening=quarter),
        trained(sgd, momentum=half, nesterov=True),
        trained(torch.optim.Adam, eps=quarter, weight_decay=half),
    )


def parameters_given_twice(torch):
    seen = []
    for make in (torch.optim.SGD, torch.optim.Adam):
        parameter = torch.nn.Parameter(torch.tensor([1.0, -2.0]))
        options = {"momentum": 0.5} if make is torch.optim.SGD else {}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            optimizer = make([parameter, parameter], lr=0.25, **options)
        for _ in range(3):
            parameter.grad = torch.tensor([1.0, 0.5])
            optimizer.step()
        seen.append([parameter, dict(optimizer.state[parameter])])
    return seen


def names_of_steps(torch):
    optim = torch.optim
    makes = optim.SGD, optim.Adam, optim.AdamW, optim.Optimizer
    return [make.step.__qualname__ for make in makes]
