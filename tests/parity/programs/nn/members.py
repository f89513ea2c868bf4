"""What modules hold: registering, finding, naming and removing parameters, buffers and modules."""

import copy
from collections import OrderedDict

from tests.parity.harness import outcome
from tests.parity.sessions import shown


def _nested(torch):
    nn = torch.nn

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("mean", torch.tensor([0.5]))
            self.register_buffer("scratch", torch.tensor(1.0), persistent=False)
            self.first = nn.Linear(2, 2)
            self.rest = nn.ModuleList([nn.ReLU(), nn.Linear(2, 1, bias=False)])
            self.shared = self.first

    return Net()


def names(torch):
    net = _nested(torch)
    return {
        "parameters": [name for name, _ in net.named_parameters()],
        "own": [name for name, _ in net.named_parameters(recurse=False)],
        "prefixed": [name for name, _ in net.named_parameters("net")],
        "twice": [name for name, _ in net.named_parameters(remove_duplicate=False)],
        "buffers": [name for name, _ in net.named_buffers()],
        "modules": [name for name, _ in net.named_modules()],
        "modules_twice": [name for name, _ in net.named_modules(remove_duplicate=False)],
        "children": [name for name, _ in net.named_children()],
        "counts": [len(list(net.parameters())), len(list(net.buffers())), len(list(net.modules()))],
        "state": list(net.state_dict()),
        "repr": repr(net),
    }


def lookup(torch):
    net = _nested(torch)
    return {
        "same": [
            net.get_parameter("rest.1.weight") is net.rest[1].weight,
            net.get_submodule("rest.0") is net.rest[0],
            net.get_submodule("") is net,
            net.get_buffer("mean") is net.mean,
        ],
        "errors": [
            outcome(lambda: net.get_parameter("rest.1.bias")),
            outcome(lambda: net.get_parameter("rest.7.bias")),
            outcome(lambda: net.get_parameter("mean")),
            outcome(lambda: net.get_submodule("mean")),
            outcome(lambda: net.get_buffer("first.weight")),
            outcome(lambda: net.absent),
        ],
    }


def registering(torch):
    nn = torch.nn
    module = nn.Module()
    module.register_parameter("weight", nn.Parameter(torch.tensor([1.0])))
    module.register_parameter("bias", None)
    module.add_module("inner", nn.ReLU())
    module.register_module("empty", None)
    module.register_buffer("running", None)
    return {
        "repr": repr(module),
        "names": [name for name, _ in module.named_parameters()],
        "none": [module.bias, module.empty, module.running],
        "state": list(module.state_dict()),
    }


def registering_wrongly(torch):
    nn = torch.nn
    module = nn.Linear(1, 1)
    parameter = nn.Parameter(torch.tensor([1.0]))
    return [
        outcome(lambda: module.register_parameter("a.b", parameter)),
        outcome(lambda: module.register_parameter("", parameter)),
        outcome(lambda: module.register_parameter(1, parameter)),
        outcome(lambda: module.register_parameter("forward", parameter)),
        outcome(lambda: module.register_parameter("p", torch.tensor([1.0]))),
        outcome(lambda: module.register_buffer("a.b", torch.tensor([1.0]))),
        outcome(lambda: module.register_buffer("", None)),
        outcome(lambda: module.register_buffer("weight", None)),
        outcome(lambda: module.register_buffer("b", 1.5)),
        outcome(lambda: module.add_module("a.b", nn.ReLU())),
        outcome(lambda: module.add_module("", nn.ReLU())),
        outcome(lambda: module.add_module("weight", nn.ReLU())),
        outcome(lambda: module.add_module("m", "text")),
        outcome(lambda: module.add_module(1, nn.ReLU())),
    ]


def assigning(torch):
    nn = torch.nn
    net = _nested(torch)
    net.first = nn.ReLU()
    net.mean = torch.tensor([2.0])
    net.scratch = None
    net.note = "plain"
    net.note = nn.Parameter(torch.tensor([3.0]))

    def replace_parameter():
        net.note = torch.tensor([1.0])

    def replace_module():
        net.rest = torch.tensor([1.0])

    def replace_buffer():
        net.mean = 3.0

    return {
        "errors": [outcome(replace_parameter), outcome(replace_module), outcome(replace_buffer)],
        "names": [name for name, _ in net.named_parameters()],
        "mean": [net.mean, net.scratch],
        "repr": repr(net),
    }


def assigning_too_early(torch):
    nn = torch.nn

    def build(value):
        class Early(nn.Module):
            def __init__(self):
                self.member = value

        return Early()

    return [
        outcome(lambda: build(nn.Parameter(torch.tensor([1.0])))),
        outcome(lambda: build(nn.ReLU())),
        build(3).member,
    ]


def deleting(torch):
    net = _nested(torch)
    del net.first, net.mean, net.rest[0]

    def delete_again():
        del net.first

    return [repr(net), list(net.state_dict()), outcome(delete_again)]


def lists_of_modules(torch):
    nn = torch.nn
    layers = nn.ModuleList([nn.Linear(1, 2), nn.Linear(1, 2), nn.ReLU()])
    layers.append(nn.Tanh())
    layers.insert(0, nn.Sigmoid())
    layers.extend([nn.ReLU(), nn.ReLU()])
    layers += [nn.Tanh()]
    before = repr(layers)
    popped = repr(layers.pop(1))
    layers[0] = nn.ReLU()
    return {
        "before": before,
        "popped": popped,
        "after": repr(layers),
        "slice": repr(layers[1:3]),
        "last": repr(layers[-1]),
        "sum": repr(nn.ModuleList([nn.ReLU()]) + nn.ModuleList([nn.Tanh()])),
        "len": len(layers),
        "names": [name for name, _ in layers.named_parameters()],
        "empty": repr(nn.ModuleList()),
        "errors": [
            outcome(lambda: layers[9]),
            outcome(lambda: layers(torch.tensor(1.0))),
            outcome(lambda: layers.extend(3)),
            outcome(lambda: layers.append(3)),
        ],
    }


def sequential_changes(torch):
    nn = torch.nn
    model = nn.Sequential(nn.Linear(1, 1), nn.ReLU())
    model.append(nn.Tanh())
    model.insert(1, nn.Sigmoid())
    model.extend([nn.ReLU()])
    del model[0]
    model[0] = nn.Tanh()
    return [repr(model), repr(model[1:]), repr(model.pop(0)), len(model), outcome(lambda: model[7])]


def sequences_added(torch):
    nn = torch.nn
    model = nn.Sequential(nn.ReLU()) + nn.Sequential(nn.Tanh(), nn.ReLU())
    return [repr(model), model(torch.tensor([-1.0, 0.0]))]


def flatten(torch):
    nn = torch.nn
    x = torch.zeros(2, 3, 4)
    return [repr(nn.Flatten()), nn.Flatten()(x).shape, nn.Flatten(0, 1)(x).shape]


def repr_with_text_of_its_own(torch):
    nn = torch.nn

    class Named(nn.Module):
        def extra_repr(self):
            return "one\ntwo"

    class Holding(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = nn.ReLU()

        def extra_repr(self):
            return "size=3"

    return [repr(Named()), repr(Holding()), repr(nn.Sequential(Holding(), Named()))]


def copies(torch):
    net = _nested(torch)
    net.first.weight.sum().backward()
    copied = copy.deepcopy(net)
    return {
        "names": list(copied.state_dict()),
        "apart": copied.first.weight is not net.first.weight,
        "memory": copied.first.weight.data_ptr() != net.first.weight.data_ptr(),
        "shared": copied.shared is copied.first,
        "grad": copied.first.weight.grad is None,
    }


def parameters(torch):
    nn = torch.nn
    fixed = nn.Parameter(torch.tensor([1, 2]), requires_grad=False)
    return {
        "fixed": repr(fixed),
        "whole": outcome(lambda: nn.Parameter(torch.tensor([1]))),
        "empty": repr(nn.Parameter()),
        "copied": repr(copy.deepcopy(nn.Parameter(torch.tensor([1.5])))),
        "results": [type(t).__name__ for t in (fixed.data, fixed.detach(), fixed.clone())],
    }


def insertions(torch):
    nn = torch.nn

    def names(row):
        return [f"{name}: {type(each).__name__}" for name, each in row.named_children()]

    def inserted(row, index):
        return [outcome(lambda: names(row.insert(index, nn.Tanh()) or row)), names(row)]

    def named():
        return nn.Sequential(OrderedDict([("a", nn.ReLU()), ("b", nn.Flatten())]))

    return [
        [inserted(named(), index) for index in (0, 1, 2, 3, -1)],
        [inserted(nn.Sequential(nn.ReLU(), nn.Flatten()), index) for index in (0, 1, 2, 3, -1)],
        [inserted(nn.ModuleList([nn.ReLU(), nn.Flatten()]), index) for index in (0, 1, 2, 5, -1)],
    ]


def places_that_are_taken(torch):
    class Part(torch.nn.Module):
        pass

    buffer = torch.nn.Buffer
    whole = torch.nn.Linear(2, 2)
    whole.part = Part()
    whole.held = torch.nn.Buffer(torch.ones(1))
    return {
        "module for parameter": outcome(lambda: setattr(whole, "weight", Part())),
        "buffer for parameter": outcome(lambda: setattr(whole, "weight", buffer(torch.ones(1)))),
        "buffer for module": outcome(lambda: setattr(whole, "part", buffer(torch.ones(1)))),
        "module for buffer": outcome(lambda: setattr(whole, "held", Part())),
        "parameter for none": outcome(lambda: setattr(whole, "bias", None)),
        "module for none": outcome(lambda: setattr(whole, "bias", Part())),
        "state": list(whole.state_dict()),
        "modules": [name for name, _ in whole.named_children()],
    }


def hooks_on_what_modules_are_given(torch):
    nn, told = torch.nn, []
    register = nn.modules.module

    def telling(kind):
        return lambda module, name, value: told.append([kind, name, value is None])

    handles = [
        register.register_module_parameter_registration_hook(telling("parameter")),
        register.register_module_buffer_registration_hook(telling("buffer")),
        register.register_module_module_registration_hook(telling("module")),
    ]
    model = nn.Sequential(nn.Linear(2, 2, bias=False), nn.BatchNorm1d(2))
    model[0].weight = nn.Parameter(torch.ones(2, 2))
    model[0].weight = None
    model[1].running_mean = None
    model.extra = nn.Tanh()
    model.extra = None
    model.buffer = nn.Buffer(torch.ones(1))
    model[0] = nn.ReLU()
    handles.append(
        register.register_module_parameter_registration_hook(
            lambda module, name, value: nn.Parameter(value.detach() * 5)
        )
    )
    model.weight = nn.Parameter(torch.ones(1))
    for handle in handles:
        handle.remove()
    model.other = nn.Parameter(torch.ones(1))
    return [told, model.weight, model.other]


def without_and_of_submodules(torch):
    return shown(
        torch,
        """
        nn = torch.nn
        nn.ModuleDict()
        m = nn.Sequential(nn.Linear(1, 1), nn.BatchNorm1d(1))
        [each for each in dir(m) if each.isdigit()]
        [each for each in dir(m[1]) if each in ('weight', 'running_mean', 'eps', 'forward')]
        m[1].set_submodule('weight', nn.ReLU())
        m[1].set_submodule('new', nn.ReLU(), strict=True)
        m.set_submodule('1.eps', nn.ReLU())
        class Bare(nn.Module): __init__ = lambda self: None
        Bare().register_parameter('w', None)
        Bare().register_buffer('w', None)
        Bare().add_module('w', None)
        Bare().register_module('w', nn.ReLU())
        nn.init.orthogonal_(torch.zeros(0, 3)).shape
        """,
    )


def refusals(torch):
    return shown(
        torch,
        """
        nn = torch.nn
        m = nn.Linear(1, 1)
        m.register_parameter(3, None)
        m.register_parameter('a.b', None)
        m.register_parameter('', None)
        m.register_parameter('forward', None)
        m.register_parameter('x', torch.ones(1))
        m.register_buffer('x', 3)
        m.register_buffer(3, None)
        m.add_module('x', 3)
        m.add_module(3, nn.ReLU())
        m.add_module('weight', nn.ReLU())
        m.add_module('a.b', nn.ReLU())
        m.add_module('', nn.ReLU())
        m.weight = torch.ones(1)
        m.weight = 3
        m.nothing
        m.get_submodule('nothing')
        m.get_submodule('weight')
        m.get_parameter('nothing')
        m.get_parameter('in_features')
        m.get_buffer('weight')
        nn.Sequential(m).get_parameter('0.weight').shape
        nn.Sequential(m).set_submodule('0', nn.ReLU())
        nn.Sequential(m).set_submodule('', nn.ReLU())
        nn.Sequential(m).set_submodule('0', 3)
        nn.Sequential(m).set_submodule('1', nn.ReLU(), strict=True)
        m.train(3)
        m.to(torch.int64)
        m.load_state_dict(3)
        m.load_state_dict({})
        m.load_state_dict({'weight': torch.ones(2, 2), 'bias': 3, 'more': torch.ones(1)})
        m.get_extra_state()
        m.set_extra_state(3)
        nn.Module()(3)
        nn.Module(3)
        nn.Module(a=3)
        m.share_memory() is m, m.cpu() is m, m.half().weight.dtype, m.double().bias.dtype
        m.type(torch.float32).weight.dtype
        nn.ReLU(1, 2)
        nn.ReLU(slope=1)
        """,
    )


def hooks_on_what_is_registered(torch):
    nn, hooks = torch.nn, torch.nn.modules.module
    seen = []

    def see(module, name, value):
        seen.append([type(module).__name__, name, value is None])

    handles = [
        hooks.register_module_parameter_registration_hook(see),
        hooks.register_module_buffer_registration_hook(see),
        hooks.register_module_module_registration_hook(see),
    ]
    model = nn.Sequential(nn.Linear(1, 1, bias=False))
    model.register_buffer("kept", torch.zeros(1))
    model.kept = None
    model.register_parameter("none", None)
    model.none = nn.Parameter(torch.ones(1))
    model.append(nn.ReLU())
    nn.ModuleDict({"a": nn.Tanh()})
    for handle in handles:
        handle.remove()
    handle = hooks.register_module_buffer_registration_hook(lambda *_: torch.ones(2))
    model.other = nn.Buffer(torch.zeros(1))
    model.kept = torch.zeros(1)
    handle.remove()
    model.more = nn.ReLU()
    return seen, model.other, model.kept, list(nn.Linear(1, 1, bias=False)._parameters)


def modules_wrongly_added(torch):
    module, layer = torch.nn.Module(), torch.nn.ReLU()
    return [
        outcome(lambda name=name, added=added: module.add_module(name, added))
        for name, added in (
            ("a.b", layer), ("", layer), (3, layer), ("a", 3), ("forward", layer), ("b", None),
        )
    ]  # fmt: skip


def never_initialised(torch):
    class Bare(torch.nn.Module):
        def __init__(self):
            pass

    given = {"a": torch.nn.ReLU()}
    return [outcome(lambda: Bare()(1)), outcome(lambda: torch.nn.Sequential(given))]
