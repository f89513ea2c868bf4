"""Hooks around `state_dict` and `load_state_dict`, extra state, and modules kept and copied."""

import copy
import pickle

from tests.parity.harness import outcome, warned


def _model(torch):
    model = torch.nn.Sequential(torch.nn.Linear(1, 2), torch.nn.Tanh())
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.fill_(0.5)
    return model


def hooks_around_state_dict(torch):
    model, seen = _model(torch), []
    model.register_state_dict_pre_hook(
        lambda module, prefix, keep: seen.append(["before", prefix, keep])
    )

    def after(module, state, prefix, metadata):
        seen.append(["after", list(state), prefix, metadata])
        state["more"] = 1

    model.register_state_dict_post_hook(after)
    model[0].register_state_dict_pre_hook(lambda *args: seen.append(["below", *args[1:]]))
    state = model.state_dict(prefix="m.", keep_vars=True)
    return seen, list(state), type(state).__name__, dict(state._metadata)


def post_hooks_that_return(torch):
    model = _model(torch)
    model.register_state_dict_post_hook(lambda *_: {})
    old = _model(torch)
    old._register_state_dict_hook(lambda module, state, prefix, metadata: {"only": 1})

    def public(*_):
        return None

    model.register_state_dict_post_hook(public)
    return [
        outcome(model.state_dict),
        old.state_dict(),
        outcome(lambda: model._register_state_dict_hook(public)),
    ]


def positional_arguments(torch):
    model, into = _model(torch), {}
    told = warned(lambda: model.state_dict(into, "p."))
    return told, list(into)


def hooks_around_loading(torch):
    model, seen = _model(torch), []
    state = {name: value + 1 for name, value in model.state_dict().items()}

    def before(module, state, prefix, metadata, strict, missing, unexpected, errors):
        seen.append([type(module).__name__, sorted(state), prefix, metadata, strict, missing])
        state["0.bias"] = state.pop("renamed")

    def after(module, keys):
        seen.append([type(module).__name__, list(keys.missing_keys), list(keys.unexpected_keys)])

    state["renamed"] = state.pop("0.bias")
    model.register_load_state_dict_pre_hook(before)
    model.register_load_state_dict_post_hook(after)
    model[0].register_load_state_dict_post_hook(after)
    result = model.load_state_dict(state)
    return seen, repr(result), str(result), model[0].bias


def hooks_that_change_what_is_missing(torch):
    model = _model(torch)
    model.register_load_state_dict_post_hook(lambda module, keys: keys.missing_keys.clear())
    returning = _model(torch)
    returning.register_load_state_dict_post_hook(lambda *_: 1)
    return [
        repr(model.load_state_dict({})),
        outcome(lambda: returning.load_state_dict(returning.state_dict())),
    ]


def extra_state(torch):
    class Counting(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.count = 0

        def get_extra_state(self):
            return {"count": self.count}

        def set_extra_state(self, state):
            self.count = state["count"]

    module, other = Counting(), Counting()
    module.count = 7
    loaded = repr(other.load_state_dict(module.state_dict()))
    return [
        module.state_dict(),
        loaded,
        other.count,
        outcome(lambda: other.load_state_dict({})),
        outcome(lambda: _model(torch).load_state_dict({"_extra_state": 1})),
        outcome(lambda: torch.nn.Module().get_extra_state()),
        outcome(lambda: torch.nn.Module().set_extra_state(1)),
    ]


def metadata_survives(torch):
    model = _model(torch)
    state = model.state_dict()
    return dict(state._metadata), dict(copy.copy(state)._metadata)


def loading_by_assignment_keeps_flags(torch):
    model = _model(torch)
    model[0].weight.requires_grad_(False)
    state = {"0.weight": torch.ones(2, 1), "0.bias": torch.nn.Parameter(torch.zeros(2))}
    model.load_state_dict(state, assign=True)
    return [
        model[0].weight.requires_grad,
        type(model[0].weight).__name__,
        model[0].bias is state["0.bias"],
        model[0].weight.data_ptr() == state["0.weight"].data_ptr(),
    ]


def several_errors_at_once(torch):
    model = _model(torch)
    state = {"0.weight": torch.ones(3), "1.x": torch.ones(1), "y": torch.ones(1)}
    return [
        outcome(lambda: model.load_state_dict(state)),
        outcome(lambda: model.load_state_dict(state, strict=False)),
        outcome(lambda: model.load_state_dict({"0.weight": 3, "0.bias": torch.ones(2)})),
        outcome(lambda: model.load_state_dict([1])),
    ]


def pickled_and_copied(torch):
    model = _model(torch)
    model.register_buffer("kept", torch.ones(1))
    model.eval()
    again, copied = pickle.loads(pickle.dumps(model)), copy.deepcopy(model)
    shallow = copy.copy(model)
    return [
        repr(again),
        [name for name, _ in again.named_parameters()],
        again(torch.ones(1, 1)),
        again.training,
        list(again.state_dict()),
        copied[0].weight is model[0].weight,
        copied[0].weight.requires_grad,
        shallow[0].weight is model[0].weight,
    ]


def copied_hooks(torch):
    model, seen = _model(torch), []
    model.register_forward_hook(lambda *_: seen.append("forward"))
    copied = copy.deepcopy(model)
    copied(torch.ones(1, 1))
    return len(copied._forward_hooks), len(seen)


def converting(torch):
    model = _model(torch)
    weight = model[0].weight
    model(torch.ones(1, 1)).sum().backward()
    model.to(dtype=torch.float64)
    return [
        weight is model[0].weight,
        str(weight.dtype),
        str(weight.grad.dtype),
        str(model.to(torch.ones(1, dtype=torch.float16))[0].bias.dtype),
        model.to("cpu") is model,
        str(model.float()[0].bias.dtype),
        outcome(lambda: model.to(torch.int64)),
        outcome(lambda: model.to(torch.ones(1, dtype=torch.bool))),
    ]


def applying_functions_to_tensors(torch):
    model = _model(torch)
    model.register_buffer("kept", torch.ones(1))
    returned = model._apply(lambda tensor: tensor * 2)
    return returned is model, list(model.parameters()), model.kept, model[0].weight.is_leaf


def submodules_by_name(torch):
    model = _model(torch)
    model.set_submodule("0", torch.nn.ReLU())
    model.set_submodule("new", torch.nn.Tanh())
    return [
        repr(model),
        outcome(lambda: model.set_submodule("", torch.nn.ReLU())),
        outcome(lambda: model.set_submodule("gone", torch.nn.ReLU(), strict=True)),
        outcome(lambda: model.set_submodule("new", 3)),
        outcome(lambda: model.set_submodule("a.b", torch.nn.ReLU())),
    ]


def constructors_with_arguments(torch):
    class Base:
        def __init__(self, *args, **kwargs):
            self.given = [list(args), kwargs]

    class Both(torch.nn.Module, Base):
        call_super_init = True

    return [
        outcome(lambda: torch.nn.Module(1)),
        outcome(lambda: torch.nn.Module(a=1)),
        Both(1, a=2).given,
    ]


def duplicates(torch):
    layer = torch.nn.Linear(1, 1)
    model = torch.nn.Sequential(layer, layer)
    return [
        [name for name, _ in model.named_modules()],
        [name for name, _ in model.named_modules(remove_duplicate=False)],
        [name for name, _ in model.named_parameters(remove_duplicate=False)],
        [name for name, _ in model.named_parameters(prefix="p", recurse=True)],
        len(list(model.modules(remove_duplicate=False))),
        list(model.state_dict()),
    ]


def parameters_of_subclasses(torch):
    class Named(torch.nn.Parameter):
        def __new__(cls, data, name):
            return super().__new__(cls, data)

        def __init__(self, data, name):
            self.label = name

    parameter = Named(torch.ones(2), "w")
    return [
        parameter.label,
        isinstance(parameter, torch.nn.Parameter),
        parameter.requires_grad,
        outcome(lambda: torch.nn.Parameter("a")),
        outcome(lambda: torch.nn.Parameter(torch.tensor([1]))),
        torch.nn.Parameter(torch.tensor([1]), requires_grad=False).dtype is torch.int64,
        type(parameter.detach()).__name__,
        type(parameter * 1).__name__,
    ]
