"""`reqgrad-sequential`: a layer that keeps what it has learned."""

from __future__ import annotations

import autograd_core as torch
from graders.exercise import Check, Exercise, Misconception, Variant
from graders.inputs import signed


def freeze_first_layer(model):
    """Let the first Linear of model keep what it has learned."""
    for layer in model:
        if isinstance(layer, torch.nn.Linear):
            layer.requires_grad_(False)
            return


def _parameter_by_parameter(model: torch.nn.Sequential) -> None:
    first = next(layer for layer in model.children() if isinstance(layer, torch.nn.Linear))
    print("freezing", first)
    for parameter in first.parameters():
        parameter.requires_grad = False


def _weight_and_bias(net):
    i = 0
    while type(net[i]).__name__ != "Linear":
        i += 1
    net[i].weight.requires_grad = False
    net[i].bias.requires_grad_(False)
    net[i].eval()
    return net


def _by_name(model):
    frozen = None
    for name, module in model.named_modules():
        if frozen is None and isinstance(module, torch.nn.Linear):
            frozen = name
    for name, parameter in model.named_parameters():
        if name.rsplit(".", 1)[0] == frozen:
            parameter.requires_grad_(False)


def _detached_in_place(model):
    linears = [m for m in model.modules() if isinstance(m, torch.nn.Linear)]
    linears[0].weight.detach_()
    linears[0].bias.detach_()


def _first_linear(model):
    return next(layer for layer in model if isinstance(layer, torch.nn.Linear))


def _on_the_module(model):
    _first_linear(model).requires_grad = False


def _evaluating(model):
    model.eval()


def _nothing(model):
    with torch.no_grad():
        list(model.parameters())


def _everything(model):
    for parameter in model.parameters():
        parameter.requires_grad = False


def _every_linear(model):
    for layer in model:
        if isinstance(layer, torch.nn.Linear):
            layer.requires_grad_(False)


def _wherever_it_begins(model):
    for parameter in model[0].parameters():
        parameter.requires_grad = False


def _weight_and_bias_of_the_start(model):
    model[0].weight.requires_grad = False
    model[0].bias.requires_grad = False


def _first_two_parameters(model):
    for parameter in list(model.parameters())[:2]:
        parameter.requires_grad = False


def _last(model):
    linears = [layer for layer in model if isinstance(layer, torch.nn.Linear)]
    linears[-1].requires_grad_(False)


def _all_others(model):
    model.requires_grad_(False)
    _first_linear(model).requires_grad_(True)


def _weight_only(model):
    _first_linear(model).weight.requires_grad = False


def _bias_only(model):
    _first_linear(model).bias.requires_grad = False


def _replaced(model):
    layer = _first_linear(model)
    for name, old in list(layer.named_parameters()):
        setattr(layer, name, torch.nn.Parameter(old.detach().clone(), requires_grad=False))


def _replaced_by_plain_tensors(model):
    layer = _first_linear(model)
    layer.weight = layer.weight.detach()
    layer.bias = layer.bias.detach()


def _layer_replaced(model):
    for i, layer in enumerate(model):
        if isinstance(layer, torch.nn.Linear):
            new = torch.nn.Linear(layer.in_features, layer.out_features)
            new.load_state_dict(layer.state_dict())
            model[i] = new.requires_grad_(False)
            return


def _gradient_zeroed(model):
    for parameter in _first_linear(model).parameters():
        parameter.register_hook(lambda gradient: gradient * 0)


def _numbers_zeroed(model):
    for parameter in _first_linear(model).requires_grad_(False).parameters():
        parameter.zero_()


def train_after_freezing(freeze, lab):
    """Freeze, look at the parameters, and let the model learn for one step."""
    import operator

    torch, nn = lab.torch, lab.torch.nn
    for case in lab.cases():
        # Whatever others draw on the way: the layers begin with the same numbers.
        torch.manual_seed(lab.value("seed"))
        kinds, widths = case.value("layers"), iter(case.value("widths"))
        layers, width = [], int(next(widths))
        for kind in kinds:
            if kind == "Linear":
                new = int(next(widths))
                layers.append(nn.Linear(width, new))
                width = new
            else:
                layers.append(nn.LayerNorm(width) if kind == "LayerNorm" else getattr(nn, kind)())
        model = nn.Sequential(*layers)
        first = layers[kinds.index("Linear")]
        frozen, free = list(first.parameters()), list(model.parameters())
        free = [each for each in free if not any(each is other for other in frozen)]
        before = [each.detach().clone() for each in [*frozen, *free]]
        own = list(model.parameters())
        optimizer = torch.optim.SGD([*frozen, *free], lr=0.1)

        lab.do(freeze, model)
        untouched = all(
            torch.equal(now, then) for now, then in zip([*frozen, *free], before, strict=True)
        )
        case.record("all numbers in the model are as before", untouched)
        now = list(model.parameters())
        kept = len(now) == len(own) and all(map(operator.is_, now, own))
        case.record("the model has the parameters that it had", kept)
        same = all(now is then for now, then in zip(first.parameters(), frozen, strict=False))
        case.record("the first Linear has the parameters that it had", same)
        names = [name for name, _ in first.named_parameters()]
        for name in names:
            parameter = getattr(first, name)
            case.record(f"the {name} of the first Linear requires grad", parameter.requires_grad)
        case.record("all other parameters require grad", all(p.requires_grad for p in free))
        case.record("some of the other parameters require grad", any(p.requires_grad for p in free))
        learns = any(each.requires_grad for each in frozen)
        given = any("requires_grad" in vars(each) for each in [model, *layers])
        case.record("requires_grad is set where it counts", not (learns and given))
        case.record("the model is left in training mode", not learns or model.training)

        loss = (model(case.tensor("x")) ** 2).sum()
        case.outcome("backward", loss.backward)
        came = any(each.grad is not None for each in first.parameters())
        case.record("a gradient comes to the first Linear", came)
        case.record("gradients come to all others", all(p.grad is not None for p in free))
        optimizer.step()
        kept = all(map(torch.equal, frozen, before))
        case.record("the first Linear has changed after a step", not kept)
        moved = [float(each.detach().sum()) for each in free]
        case.record("sums of the other parameters after a step", moved)


def _models(**layers):
    def draw(rng):
        cases = []
        for name, kinds in layers.items():
            widths = rng.integers(3, 6, kinds.count("Linear") + 1).tolist()
            arguments = {"layers": kinds, "widths": widths, "x": signed(rng, 4, widths[0])}
            title = f"{'an' if name[0] in 'aeiou' else 'a'} {name.replace('_', ' ')}"
            cases.append({"name": title, "args": arguments, "frozen": []})
        return {"cases": cases}

    return draw


EXERCISE = Exercise(
    id="reqgrad-sequential",
    lesson="03_requires_grad",
    section="Freezing layers",
    title="Freeze the first layer",
    symbol="freeze_first_layer",
    kind="implement",
    points=5,
    difficulty=2,
    minutes=7,
    task=(
        "Write `freeze_first_layer(model)` for fine-tuning. `model` is an `nn.Sequential` with "
        "at least two `nn.Linear` layers. Afterwards the parameters of the first `Linear` do "
        "not require grad any more, and all others still do.\n\n"
        "The first `Linear` may stand at any place of the model: there may be layers of other "
        "kinds before it, with or without parameters. Change the model that you are given: no "
        "parameter is replaced, because an optimiser may hold it already."
    ),
    starter='''\
def freeze_first_layer(model):
    """Let the first Linear of model keep what it has learned."""
''',
    reference=freeze_first_layer,
    checks=(
        Check(
            "a Linear at the start",
            3,
            train_after_freezing,
            _models(small_model=["Linear", "ReLU", "Linear"]),
            passes="The first layer keeps its numbers, and the rest learns.",
            fails="The first layer still learns, or something else does not.",
        ),
        Check(
            "a Linear further on",
            1,
            train_after_freezing,
            _models(
                model_that_begins_with_ReLU=["ReLU", "Linear", "Tanh", "Linear", "Linear"],
                model_that_begins_with_Tanh=["Tanh", "Sigmoid", "Linear", "Linear"],
            ),
            passes="The first Linear is found where other layers stand before it.",
            fails="With other layers before the first Linear, the wrong parameters are frozen.",
        ),
        Check(
            "other layers that learn",
            1,
            train_after_freezing,
            _models(model_with_LayerNorm=["LayerNorm", "Linear", "ReLU", "LayerNorm", "Linear"]),
            passes="Other layers with parameters go on learning.",
            fails="With other kinds of layers that learn, the wrong parameters are frozen.",
        ),
    ),
    misconceptions=(
        Misconception(
            "set-on-the-module",
            "You set `requires_grad` on a layer. Python lets you give an object any attribute, but "
            "a layer is not a tensor, and nothing reads the attribute there.",
            _on_the_module,
        ),
        Misconception(
            "eval-freezes",
            "You expect `eval` to stop a model from learning. It changes how some layers "
            "compute, such as dropout; every parameter still requires grad.",
            _evaluating,
        ),
        Misconception(
            "nothing-frozen",
            "After your function the parameters of the first Linear require grad as before. What "
            "you do has to reach these parameters themselves, and has to last.",
            _nothing,
        ),
        Misconception(
            "freezes-everything",
            "You have frozen the whole model. Then nothing requires grad, and backward stops "
            "with the error of this lesson.",
            _everything,
        ),
        Misconception(
            "freezes-every-linear",
            "You have frozen each Linear of the model. Only the first is to keep what it has "
            "learned.",
            _every_linear,
        ),
        Misconception(
            "takes-the-start-for-the-first-linear",
            "You have frozen what stands at the start of the model. The first Linear may stand "
            "further on.",
            _wherever_it_begins,
        ),
        Misconception(
            "expects-a-weight-at-the-start",
            "You expect a weight and a bias in whatever stands at the start of the model. The "
            "first Linear may stand further on, behind layers that have neither.",
            _weight_and_bias_of_the_start,
        ),
        Misconception(
            "takes-the-first-parameters",
            "You have frozen the first parameters of the model, whichever layer they belong to. "
            "Another kind of layer before the first Linear has parameters too.",
            _first_two_parameters,
        ),
        Misconception(
            "freezes-the-last-linear",
            "You have frozen a Linear further on. The first one is to keep what it has learned, "
            "and those after it learn.",
            _last,
        ),
        Misconception(
            "the-wrong-way-round",
            "You have frozen all parameters except those of the first Linear. It should be the "
            "other way round.",
            _all_others,
        ),
        Misconception(
            "bias-forgotten",
            "The weight of the first Linear is frozen, but its bias still learns. A layer may "
            "have more than one parameter.",
            _weight_only,
        ),
        Misconception(
            "weight-forgotten",
            "The bias of the first Linear is frozen, but its weight still learns. A layer may "
            "have more than one parameter.",
            _bias_only,
        ),
        Misconception(
            "parameters-replaced",
            "You have given the layer new parameters. An optimiser that was created before still "
            "holds the old ones, and so does any other code that refers to them.",
            _replaced,
        ),
        Misconception(
            "detached-copies",
            "You try to put a detached tensor in the place of a parameter, which a layer refuses. "
            "Besides, a copy would leave the parameter that an optimiser holds as it was.",
            _replaced_by_plain_tensors,
        ),
        Misconception(
            "layer-replaced",
            "You have put another layer in the place of the first Linear. An optimiser that was "
            "created before holds the parameters of the old one, with which the model no longer "
            "computes.",
            _layer_replaced,
        ),
        Misconception(
            "gradient-zeroed",
            "The parameters of the first Linear still require grad; you only replace the gradients "
            "that arrive with zeros. Backward still does all of the work, for nothing.",
            _gradient_zeroed,
        ),
        Misconception(
            "numbers-lost",
            "The first Linear is frozen, but its numbers have changed. Freezing should keep what "
            "it has learned.",
            _numbers_zeroed,
        ),
    ),
    variants=(
        Variant("parameter by parameter, with a print", _parameter_by_parameter),
        Variant("weight and bias, found by a counter", _weight_and_bias),
        Variant("by name", _by_name),
        Variant("detached in place", _detached_in_place),
    ),
    hints=(
        "Which objects have a `requires_grad` that counts: the model, the layer, or something "
        "inside it?",
        "Two questions, one after the other: which layer is the first Linear, and which tensors "
        "does it learn with?",
        "Go through the layers in order until you meet one of the right kind. Make sure that none "
        "of its parameters requires grad any more, and then stop looking.",
    ),
    place=4,
)
