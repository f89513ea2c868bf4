"""`retain-layers`: a function that shows the gradient at each layer, and asks for it too late."""

from __future__ import annotations

import numpy as np

import autograd_core as torch
from graders.exercise import Check, Exercise, Misconception, Variant
from graders.exercises._hooks import takes_other_arguments
from graders.inputs import signed


def layer_gradients(layers, x):
    """Return the gradient at the output of each layer."""
    outputs = []
    for layer in layers:
        x = layer(x)
        x.retain_grad()
        outputs.append(x)
    x.sum().backward()
    return [output.grad for output in outputs]


def _outputs(layers, x):
    outputs = []
    for layer in layers:
        x = layer(x)
        outputs.append(x)
    return outputs


def _asked_in_a_second_loop(layers, x: torch.Tensor) -> list:
    outputs = _outputs(layers, x)
    for output in outputs:
        output.retain_grad()
    outputs[-1].sum().backward(retain_graph=True)
    print(len(outputs), "layers")
    return [output.grad for output in outputs]


def _by_autograd_grad(layers, x):
    outputs = _outputs(layers, x)
    return torch.autograd.grad(outputs[-1].sum(), outputs)


def _by_hooks(layers, x):
    gradients = []
    for layer in layers:
        x = layer(x)
        x.register_hook(lambda g: gradients.append(g))
    x.sum().backward()
    gradients.reverse()
    return gradients


def _as_a_generator(layers, x):
    outputs = _outputs(layers, x)
    [output.retain_grad() for output in outputs]
    outputs[-1].sum().backward()
    for output in outputs:
        yield output.grad


def _asked_too_late(layers, x):
    outputs = _outputs(layers, x)
    outputs[-1].sum().backward()
    for output in outputs:
        output.retain_grad()
    return [output.grad for output in outputs]


def _copies_asked(layers, x):
    copies = []
    for layer in layers:
        x = layer(x)
        copies.append(x.clone())
    for copy in copies:
        copy.retain_grad()
    x.sum().backward()
    return [copy.grad for copy in copies]


def _mean_for_sum(layers, x):
    outputs = _outputs(layers, x)
    return torch.autograd.grad(outputs[-1].mean(), outputs)


def _graph_kept_instead(layers, x):
    outputs = _outputs(layers, x)
    outputs[-1].sum().backward(retain_graph=True)
    return [output.grad for output in outputs]


def _never_asked(layers, x):
    outputs = _outputs(layers, x)
    outputs[-1].sum().backward()
    return [output.grad for output in outputs]


def _input_of_each_layer(layers, x):
    outputs = []
    for layer in layers:
        x.retain_grad()
        x = layer(x)
        outputs.append(x)
    x.sum().backward()
    return [output.grad for output in outputs]


def _last_one_only(layers, x):
    outputs = _outputs(layers, x)
    outputs[-1].retain_grad()
    outputs[-1].sum().backward()
    return [output.grad for output in outputs]


def _cut_off(layers, x):
    outputs = []
    for layer in layers:
        x = layer(x).detach().requires_grad_()
        outputs.append(x)
    x.sum().backward()
    return [output.grad for output in outputs]


def _each_given_x(layers, x):
    outputs = []
    for layer in layers:
        output = layer(x)
        output.retain_grad()
        outputs.append(output)
    output.sum().backward()
    return [output.grad for output in outputs]


def _from_the_end(layers, x):
    gradients = []
    for layer in layers:
        x = layer(x)
        x.register_hook(gradients.append)
    x.sum().backward()
    return gradients


def _walks_from_each(layers, x):
    outputs = _outputs(layers, x)
    for output in outputs:
        output.retain_grad()
    for output in outputs:
        output.sum().backward(retain_graph=True)
    return [output.grad for output in outputs]


def _each_by_itself(layers, x):
    gradients = []
    for layer in layers:
        x = layer(x)
        x.retain_grad()
        x.sum().backward(retain_graph=True)
        gradients.append(x.grad)
    return gradients


def _walks_for_each(layers, x):
    outputs = _outputs(layers, x)
    loss = outputs[-1].sum()
    gradients = []
    for output in outputs:
        output.retain_grad()
    for output in outputs:
        loss.backward(retain_graph=True)
        gradients.append(output.grad)
    return gradients


def _with_the_input(layers, x):
    inner = _asked_in_a_second_loop(layers, x)
    return [x.grad, *inner]


def _at_the_inputs(layers, x):
    inner = _asked_in_a_second_loop(layers, x)
    return [x.grad, *inner[:-1]]


def _values(layers, x):
    return [output.detach() for output in _outputs(layers, x)]


def look_at_layers(layer_gradients, lab):
    """Which gradients come back, was one read that nobody kept, and is the graph still there?"""
    import warnings

    from graders.observe.hidden import hidden

    torch = lab.torch
    kinds = {
        "sin": torch.sin,
        "exp": torch.exp,
        "square": lambda t: t * t,
        "half": lambda t: t * 0.5,
        "tanh": torch.tanh,
    }
    for case in lab.cases():
        made, strays = [], []

        def spy(layer, first, made=made, strays=strays):
            def run(t):
                output = layer(t)
                if not first and not any(torch.equal(each, t) for each in made):
                    strays.append(t)
                made.append(output)
                return output

            return hidden(run)

        x = case.arguments()["x"]
        chain = [spy(kinds[name], not place) for place, name in enumerate(case.value("layers"))]
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = layer_gradients(chain, x)
            if hasattr(type(found), "__next__"):
                found = list(found)
        is_list = issubclass(type(found), (list, tuple))
        case.record_kind(found, "a list", is_list)
        if not is_list:
            continue
        case.record("number of gradients", len(found))
        for place, gradient in enumerate(found[: len(chain)], start=1):
            # An array tells the same numbers.
            gradient = torch.tensor(gradient) if isinstance(gradient, np.ndarray) else gradient
            case.record(f"gradient of the output of layer {place}", gradient)
        lacking = any(gradient is None for gradient in found)
        warned = any("not a leaf Tensor" in str(each.message) for each in caught)
        case.record("a gradient was read that had not been kept", lacking and warned)
        asked = lacking and any(each.retains_grad and each.grad is None for each in made)
        case.record("an output was asked to retain its gradient, but has none", asked)
        stray = lacking and bool(strays)
        case.record("a layer was given what no other layer had made", stray)
        alive = False
        if lacking and made:
            try:
                torch.autograd.grad(made[-1].sum(), x)
                alive = True
            except RuntimeError:
                pass
        case.record("the graph was kept where a gradient should have been", alive)


def _cases(rng):
    def case(name, x, *layers):
        return {"name": name, "args": {"x": x, "layers": list(layers)}}

    vector = signed(rng, 3)
    return {
        "cases": [
            case("three layers", vector, "sin", "exp", "square"),
            case("two layers and a matrix", signed(rng, 2, 3), "tanh", "square"),
            case("four layers and a single number", signed(rng), "half", "sin", "exp", "sin"),
            case("the same three layers again", vector, "sin", "exp", "square"),
        ]
    }


def _single(rng):
    one = {"x": signed(rng, 2), "layers": ["exp"]}
    return {"cases": [{"name": "a single layer", "args": one}]}


EXERCISE = Exercise(
    id="retain-layers",
    lesson="05_retain_grad",
    section="Retaining is not keeping the graph",
    title="Gradients, layer by layer",
    symbol="layer_gradients",
    kind="repair",
    points=4,
    difficulty=2,
    minutes=5,
    task=(
        "`layer_gradients(layers, x)` should show how the gradient changes on its way through a "
        "network. It passes `x`, which requires grad, through one layer after another, and calls "
        "`backward` on the sum of the last output. It should return a list: the gradient at the "
        "output of each layer, first layer first. But all it returns is a list of None. Fix it."
    ),
    starter='''\
def layer_gradients(layers, x):
    """The gradient at the output of each layer, first layer first."""
    outputs = []
    for layer in layers:
        x = layer(x)
        outputs.append(x)
    x.sum().backward(retain_graph=True)
    for output in outputs:
        output.retain_grad()
    return [output.grad for output in outputs]
''',
    reference=layer_gradients,
    checks=(
        Check(
            "several layers",
            3,
            look_at_layers,
            _cases,
            passes="The gradients at all layers are right.",
            fails="The gradients at the layers are not right.",
        ),
        Check(
            "a single layer",
            1,
            look_at_layers,
            _single,
            passes="A network of one layer works too.",
            fails="With a single layer the gradient is not right.",
            statements=True,
        ),
    ),
    misconceptions=(
        Misconception(
            "asked-too-late",
            "You ask the outputs to retain their gradients after `backward`, when the gradients "
            "have already passed, or there is no backward pass at all.",
            _asked_too_late,
        ),
        Misconception(
            "copies-asked",
            "You asked copies of the outputs to retain their gradients. No gradient passes "
            "through them, because nothing is computed from them.",
            _copies_asked,
        ),
        Misconception(
            "never-asked",
            "The tensors that you read were never asked to retain a gradient, so it is None. A "
            "warning said so when you read it.",
            _never_asked,
        ),
        Misconception(
            "graph-for-gradient",
            "You keep the graph, so that `backward` could be called again. That does not keep the "
            "gradients of results, and nothing here asks for those.",
            _graph_kept_instead,
        ),
        Misconception(
            "input-of-each-layer",
            "You ask each layer's input instead of its output. So the list is right except for "
            "the last layer, whose output was never asked.",
            _input_of_each_layer,
        ),
        Misconception(
            "last-one-only",
            "Only the last output has kept its gradient. The name is the same in each round of "
            "the loop, but each round makes another tensor, and each has to be asked.",
            _last_one_only,
        ),
        Misconception(
            "cut-off",
            "You made a leaf of each output by cutting it off from the layer before. A leaf keeps "
            "its gradient, but none reaches the earlier layers.",
            _cut_off,
        ),
        Misconception(
            "each-given-x",
            "A layer is given `x` itself, not the output of the layer before it. So the last "
            "output does not depend on the others, and no gradient passes them.",
            _each_given_x,
        ),
        Misconception(
            "from-the-end",
            "Your gradients are right, but the last layer comes first. That is the order in which "
            "backward reaches them.",
            _from_the_end,
        ),
        Misconception(
            "walks-from-each",
            "You run backward from the other outputs too, not only from the last one, and the "
            "gradients add up. Only the sum of the last output should be differentiated.",
            _walks_from_each,
        ),
        Misconception(
            "each-by-itself",
            "All of your gradients are ones. That is right only for the last output; for each of "
            "the others the question is how the sum of the last output changes with it.",
            _each_by_itself,
        ),
        Misconception(
            "walks-for-each",
            "You run a backward pass for each layer. Retained gradients add up over backward "
            "passes, so these are multiples of the right ones.",
            _walks_for_each,
        ),
        Misconception(
            "mean-for-sum",
            "You differentiate the mean of the last output. The task asks for its sum.",
            _mean_for_sum,
        ),
        Misconception(
            "at-the-inputs",
            "Your list holds the gradient at the input of each layer. The task asks for the "
            "gradient at its output, one step later.",
            _at_the_inputs,
        ),
        Misconception(
            "with-the-input",
            "Your list begins with the gradient of `x`, so it is longer than the list of layers.",
            _with_the_input,
        ),
        Misconception(
            "values-for-gradients",
            "You returned the outputs themselves. Their gradients say how the sum at the end "
            "changes when one of them changes a little.",
            _values,
        ),
    ),
    hints=(
        "In which order do the lines run? Say when each output is asked to retain its gradient, "
        "and when that gradient passes.",
        "An output has to be asked after it was made and before `backward` starts. And look at "
        "what the call of `backward` retains: is it what you want?",
        "The first loop is a good place, because there each new output has a name. And the graph "
        "is needed only once.",
    ),
    variants=(
        Variant("asked in a second loop, with a print", _asked_in_a_second_loop),
        Variant("by torch.autograd.grad, as a tuple", _by_autograd_grad),
        Variant("by hooks", _by_hooks),
        Variant("as a generator", _as_a_generator),
    ),
    suspicion=takes_other_arguments,
    place=3,
)
