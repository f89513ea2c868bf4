"""Keeping, loading, converting and training the state of modules; hooks around forward."""

from collections import OrderedDict

from tests.parity.harness import outcome, state
from tests.parity.sessions import shown


def _fixed(torch):
    model = torch.nn.Sequential(torch.nn.Linear(2, 1), torch.nn.Tanh())
    with torch.no_grad():
        model[0].weight.copy_(torch.tensor([[0.5, -1.0]]))
        model[0].bias.copy_(torch.tensor([0.25]))
    return model


def state_dict(torch):
    model = _fixed(torch)
    kept = model.state_dict()
    vars_ = model.state_dict(keep_vars=True, prefix="net.")
    return {
        "kept": kept,
        "type": type(kept).__name__,
        "memory": kept["0.weight"].data_ptr() == model[0].weight.data_ptr(),
        "vars": [list(vars_), vars_["net.0.bias"] is model[0].bias],
    }


def loading(torch):
    model = _fixed(torch)
    weight = model[0].weight
    answer = model.load_state_dict(
        {"0.weight": torch.tensor([[1.0, 2.0]]), "0.bias": torch.tensor([3], dtype=torch.int64)}
    )
    return {
        "answer": repr(answer),
        "weight": state(weight),
        "same": model[0].weight is weight,
        "bias": model[0].bias,
    }


def loading_what_does_not_fit(torch):
    model = _fixed(torch)
    missing = {"0.weight": torch.ones(1, 2)}
    unknown = OrderedDict(model.state_dict(), extra=torch.ones(1))
    unknown["0.scale"] = unknown["7.weight"] = torch.ones(1)
    wrong = {"0.weight": torch.ones(3), "0.bias": 2.0, "extra": torch.ones(1)}
    return [
        outcome(lambda: model.load_state_dict(missing)),
        outcome(lambda: model.load_state_dict(unknown)),
        outcome(lambda: model.load_state_dict(wrong)),
        outcome(lambda: model.load_state_dict(wrong, strict=False)),
        outcome(lambda: model.load_state_dict([1])),
        repr(model.load_state_dict({**missing, "extra": torch.ones(1)}, strict=False)),
        model[0].weight,
    ]


def loading_by_assignment(torch):
    model = _fixed(torch)
    given = {"0.weight": torch.ones(1, 2), "0.bias": torch.ones(1)}
    model.load_state_dict(given, assign=True)
    return {
        "type": type(model[0].weight).__name__,
        "memory": model[0].weight.data_ptr() == given["0.weight"].data_ptr(),
        "requires_grad": model[0].weight.requires_grad,
    }


def buffers_in_the_state(torch):
    module = torch.nn.Module()
    module.register_buffer("kept", torch.tensor([1.0]))
    module.register_buffer("left", torch.tensor([2.0]), persistent=False)
    module.register_buffer("number", torch.tensor(2.0))
    answer = module.load_state_dict({"kept": torch.tensor([5.0]), "number": torch.tensor([4.0])})
    return [repr(answer), module.kept, module.number, list(module.state_dict())]


def converting(torch):
    model = _fixed(torch)
    model.register_buffer("count", torch.tensor([3]))
    model.register_buffer("scale", torch.tensor([1.5]))
    model(torch.tensor([1.0, 2.0])).sum().backward()
    weight = model[0].weight
    seen = {
        "returns_itself": model.double() is model,
        "same": model[0].weight is weight,
        "dtypes": [str(t.dtype) for t in model.state_dict().values()],
        "grad": str(weight.grad.dtype),
    }
    model.to(torch.float16)
    seen["half"] = [str(t.dtype) for t in model.state_dict().values()]
    model.float()
    seen["float"] = [str(t.dtype) for t in model.state_dict().values()]
    seen["whole"] = outcome(lambda: model.to(torch.int64))
    seen["requires_grad"] = [p.requires_grad for p in model.parameters()]
    return seen


def applying(torch):
    model = torch.nn.Sequential(torch.nn.ReLU(), torch.nn.Sequential(torch.nn.Tanh()))
    visited = []
    same = model.apply(lambda module: visited.append(type(module).__name__)) is model
    return [visited, same]


def training_mode(torch):
    model = _fixed(torch)
    before = [module.training for module in model.modules()]
    same = model.eval() is model
    after = [module.training for module in model.modules()]
    return [before, same, after, model.train()[0].training, outcome(lambda: model.train("yes"))]


def zero_grad(torch):
    model = _fixed(torch)
    model(torch.tensor([1.0, 2.0])).sum().backward()
    gradient = model[0].weight.grad
    model.zero_grad(set_to_none=False)
    zeroed = [model[0].weight.grad, gradient is model[0].weight.grad]
    model.zero_grad()
    return [zeroed, model[0].weight.grad]


def forward_hooks(torch):
    model = _fixed(torch)
    heard = []

    def before(module, args):
        heard.append(["before", type(module).__name__, len(args)])
        return args[0] * 2

    def after(module, args, output):
        heard.append(["after", args[0].detach(), output.detach()])
        return output + 1

    handles = [model[0].register_forward_pre_hook(before), model[0].register_forward_hook(after)]
    x = torch.tensor([1.0, 2.0])
    hooked = model[0](x)
    for handle in handles:
        handle.remove()
    return [hooked, model[0](x), heard]


def forward_hooks_in_order(torch):
    model = torch.nn.ReLU()
    heard = []
    model.register_forward_hook(lambda *_: heard.append("first"))
    model.register_forward_hook(lambda *_: heard.append("second"))
    model.register_forward_hook(lambda *_: heard.append("ahead"), prepend=True)
    model.register_forward_pre_hook(lambda *_: heard.append("pre"))
    model(torch.tensor([1.0]))
    return heard


def forward_hooks_with_keywords(torch):
    class Scaled(torch.nn.Module):
        def forward(self, x, *, scale=1.0):
            return x * scale

    model = Scaled()
    heard = []
    model.register_forward_pre_hook(
        lambda module, args, kwargs: (args, {"scale": kwargs["scale"] + 1}), with_kwargs=True
    )
    model.register_forward_hook(
        lambda module, args, kwargs, output: heard.append(kwargs["scale"]), with_kwargs=True
    )
    result = model(torch.tensor([1.0]), scale=2.0)
    model.register_forward_pre_hook(lambda module, args, kwargs: 3, with_kwargs=True)
    return [result, heard, outcome(lambda: model(torch.tensor([1.0]), scale=2.0))]


def forward_hooks_of_failing_modules(torch):
    class Failing(torch.nn.Module):
        def forward(self, x):
            raise ValueError("no")

    model = Failing()
    heard = []
    model.register_forward_hook(lambda *_: heard.append("usual"))
    model.register_forward_hook(lambda *_: heard.append("always"), always_call=True)
    return [outcome(lambda: model(torch.tensor([1.0]))), heard]


def parameters_replaced(torch):
    return shown(
        torch,
        """
        m = torch.nn.Linear(2, 1)
        w = m.weight
        w.__deepcopy__({id(w): 3})
        del m.weight
        m.weight = torch.tensor([[1.0, 2.0]])
        m.bias.data.fill_(3)
        m(torch.ones(1, 2))
        m = torch.nn.Linear(2, 1)
        m.weight.grad = (X * 2)[:1]
        m.zero_grad(set_to_none=False)
        m.weight.grad, m.weight.grad.grad_fn, m.weight.grad.requires_grad
        m.float() is m, m.weight.dtype
        """,
    )


def missing_and_of_another_kind(torch):
    nn, one = torch.nn, torch.ones(2)

    class Held(nn.Module):
        def __init__(self):
            super().__init__()
            self.w = nn.Parameter(torch.zeros(2))
            self.register_buffer("b", torch.zeros(2))
            self.register_module("none", None)

    class WithMore(Held):
        def get_extra_state(self):
            return 3

        def set_extra_state(self, state):
            self.more = state

    def loaded(kind, state, **options):
        module = kind()
        said = outcome(lambda: str(module.load_state_dict(state, **options)))
        return [said, module.w, module.b]

    class Refusing(nn.Module):
        def __init__(self):
            super().__init__()
            self.w = nn.Parameter(torch.zeros(1).expand(2), requires_grad=False)

    missing, unexpected, errors = [], [], []
    WithMore()._load_from_state_dict({}, "", {}, False, missing, unexpected, errors)
    return [
        [missing, unexpected, errors],
        loaded(Held, {"w": one, "b": one}),
        loaded(Held, {"w": one}, strict=False),
        loaded(Held, {"b": one.double()}, strict=False, assign=True),
        loaded(Held, {"w": one.long(), "b": one.long()}, assign=True),
        loaded(WithMore, {"w": one}),
        loaded(WithMore, {"w": one}, strict=False),
        outcome(lambda: Refusing().load_state_dict({"w": one})),
    ]


def batch_norms_of_the_first_version(torch):
    return shown(
        torch,
        """
        m = torch.nn.Sequential(torch.nn.BatchNorm1d(1))
        dict(m.state_dict()._metadata)
        m[0].num_batches_tracked.fill_(5)
        old = {name: each for name, each in m.state_dict().items() if 'num' not in name}
        m.load_state_dict(old), m[0].num_batches_tracked
        m.load_state_dict({})
        new = m.state_dict()
        new.pop('0.num_batches_tracked')
        m.load_state_dict(new)
        torch.nn.BatchNorm1d(1, track_running_stats=False).load_state_dict({})
        type(m.load_state_dict({}, strict=False)).__name__
        """,
    )
