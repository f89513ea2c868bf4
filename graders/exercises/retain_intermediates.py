"""`retain-intermediates`: the gradients of every tensor in log(x1 x2) sin(x1 x2)."""

from __future__ import annotations

import autograd_core as torch
from graders.exercise import Check, Exercise, Misconception, Variant
from graders.exercises._hooks import takes_other_arguments


def gradients(x1, x2):
    """Return the gradients of z with respect to all five tensors."""
    x1 = torch.tensor(x1, requires_grad=True)
    x2 = torch.tensor(x2, requires_grad=True)
    y1 = x1 * x2
    y2 = torch.log(y1)
    y3 = torch.sin(y1)
    z = y2 * y3
    tensors = {"x1": x1, "x2": x2, "y1": y1, "y2": y2, "y3": y3}
    for t in tensors.values():
        t.retain_grad()
    z.backward()
    return {name: t.grad.item() for name, t in tensors.items()}


def _forward(x1, x2):
    x1 = torch.tensor(x1, requires_grad=True)
    x2 = torch.tensor(x2, requires_grad=True)
    y1 = x1 * x2
    return {"x1": x1, "x2": x2, "y1": y1, "y2": torch.log(y1), "y3": torch.sin(y1)}


def _one_line_each(a: float, b: float) -> dict:
    x1 = torch.tensor(a, requires_grad=True)
    x2 = torch.tensor(b, requires_grad=True)
    y1 = x1 * x2
    y1.retain_grad()
    y2 = y1.log()
    y2.retain_grad()
    y3 = y1.sin()
    y3.retain_grad()
    z = y2 * y3
    z.backward(retain_graph=True)
    print("z =", z)
    return {"x1": x1.grad, "x2": x2.grad, "y1": y1.grad, "y2": y2.grad, "y3": y3.grad}


def _by_autograd_grad(a, b):
    t = _forward(a, b)
    found = torch.autograd.grad(t["y2"] * t["y3"], list(t.values()))
    return dict(zip(t, found, strict=True))


def _by_hooks(a, b):
    t = _forward(a, b)
    found = {}

    def keep(name):
        return lambda g: found.__setitem__(name, float(g))

    for name in t:
        t[name].register_hook(keep(name))
    (t["y2"] * t["y3"]).backward()
    return found


def _by_hand(x1, x2):
    import math

    product = x1 * x2
    y2, y3 = math.log(product), math.sin(product)
    y1 = y3 / product + y2 * math.cos(product)
    return {"x1": y1 * x2, "x2": y1 * x1, "y1": y1, "y2": y3, "y3": y2}


def _each_from_a_graph_of_its_own(x1, x2):
    result = {}
    for name in ["x1", "x2", "y1", "y2", "y3"]:
        tensors = _forward(x1, x2)
        tensors[name].retain_grad()
        (tensors["y2"] * tensors["y3"]).backward()
        result[name] = tensors[name].grad.numpy()
    return result


def _never_asked(x1, x2):
    t = _forward(x1, x2)
    (t["y2"] * t["y3"]).backward()
    return {name: each.grad for name, each in t.items()}


def _asked_too_late(x1, x2):
    t = _forward(x1, x2)
    (t["y2"] * t["y3"]).backward()
    for name in ("y1", "y2", "y3"):
        t[name].retain_grad()
    return {name: each.grad for name, each in t.items()}


def _late_and_number(x1, x2):
    return {name: g.item() for name, g in _asked_too_late(x1, x2).items()}


def _asked_the_first_only(x1, x2):
    t = _forward(x1, x2)
    t["y1"].retain_grad()
    (t["y2"] * t["y3"]).backward()
    return {name: each.grad for name, each in t.items()}


def _read_before_backward(x1, x2):
    t = _forward(x1, x2)
    for each in t.values():
        each.retain_grad()
    found = {name: each.grad for name, each in t.items()}
    (t["y2"] * t["y3"]).backward()
    return found


def _walks_twice(x1, x2):
    t = _forward(x1, x2)
    z = t["y2"] * t["y3"]
    z.backward(retain_graph=True)
    for name in ("y1", "y2", "y3"):
        t[name].retain_grad()
    z.backward()
    return {name: each.grad for name, each in t.items()}


def _numbers_of_the_document(x1, x2):
    found = _by_autograd_grad(1.0, 2.0)
    return {name: g.item() for name, g in found.items()}


def _made_leaves(x1, x2):
    x1 = torch.tensor(x1, requires_grad=True)
    x2 = torch.tensor(x2, requires_grad=True)
    y1 = (x1 * x2).detach().requires_grad_()
    y2 = torch.log(y1)
    y3 = torch.sin(y1)
    for y in (y2, y3):
        y.retain_grad()
    (y2 * y3).backward()
    return {"x1": x1.grad, "x2": x2.grad, "y1": y1.grad, "y2": y2.grad, "y3": y3.grad}


def _all_made_leaves(x1, x2):
    x1 = torch.tensor(x1, requires_grad=True)
    x2 = torch.tensor(x2, requires_grad=True)
    y1 = (x1 * x2).detach().requires_grad_()
    y2 = torch.log(y1).detach().requires_grad_()
    y3 = torch.sin(y1).detach().requires_grad_()
    (y2 * y3).backward()
    return {"x1": x1.grad, "x2": x2.grad, "y1": y1.grad, "y2": y2.grad, "y3": y3.grad}


def _walks_again_for_each(x1, x2):
    t = _forward(x1, x2)
    z = t["y2"] * t["y3"]
    for each in t.values():
        each.retain_grad()
    result = {}
    for name, each in t.items():
        z.backward(retain_graph=True)
        result[name] = each.grad.item()
    return result


def _asks_and_walks_for_each(x1, x2):
    t = _forward(x1, x2)
    z = t["y2"] * t["y3"]
    result = {}
    for name, each in t.items():
        each.retain_grad()
        z.backward(retain_graph=True)
        result[name] = each.grad.item()
    return result


def _starts_from_each(x1, x2):
    t = _forward(x1, x2)
    z = t["y2"] * t["y3"]
    for name in ("y1", "y2", "y3"):
        t[name].retain_grad()
        t[name].backward(retain_graph=True)
    z.backward()
    return {name: each.grad for name, each in t.items()}


def _values(x1, x2):
    t = _forward(x1, x2)
    (t["y2"] * t["y3"]).backward()
    return {name: each.grad if each.is_leaf else each.detach() for name, each in t.items()}


def _wrong_sides(x1, x2):
    found = _by_autograd_grad(x1, x2)
    return found | {"y2": found["y3"], "y3": found["y2"]}


def call_for_gradients(gradients, lab):
    """Which gradients come back, and was one read that no tensor had kept?"""
    import warnings

    stopped = None
    for case in lab.cases():
        names = case.value("names")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                found = gradients(case.value("x1"), case.value("x2"))
            except (AttributeError, TypeError) as error:
                unkept = any("not a leaf Tensor" in str(each.message) for each in caught)
                if not (unkept and "NoneType" in str(error)):
                    raise
                # A number was asked of what a result has not kept: it is told as what it is.
                found, stopped = {name: None for name in names if name[0] == "y"}, error
                names = list(found)
        is_dict = issubclass(type(found), dict)
        case.record_kind(found, "a dict", is_dict)
        found = found if is_dict else {}
        told = any("not a leaf Tensor" in str(each.message) for each in caught)
        for name in names:
            case.record(f"the dict has the key {name}", name in found)
            if name in found:
                gradient = found[name]
                if getattr(gradient, "shape", None) == (1,):
                    gradient = gradient.reshape(())
                case.record(f"gradient of {name}", gradient)
        unkept = told and any(found.get(name, 0) is None for name in names)
        case.record("a gradient was read that had not been kept", unkept)
    if stopped is not None:
        raise stopped


def _numbers(rng):
    return {
        "x1 = 1 and x2 = 2": (1.0, 2.0),
        "a small product": rng.uniform(0.4, 0.9, 2).round(2).tolist(),
        "two negative numbers": rng.uniform(-1.9, -1.1, 2).round(2).tolist(),
        "x1 = 1 and x2 = 2 again": (1.0, 2.0),
    }


def _cases(*names):
    return lambda rng: {
        "cases": [
            {"name": name, "args": {"x1": x1, "x2": x2, "names": list(names)}}
            for name, (x1, x2) in _numbers(rng).items()
        ]
    }


EXERCISE = Exercise(
    id="retain-intermediates",
    lesson="05_retain_grad",
    section="Five gradients from one walk",
    title="All five gradients",
    symbol="gradients",
    kind="implement",
    points=4,
    difficulty=1,
    minutes=5,
    task=(
        "Complete `gradients(x1, x2)`. It is given two numbers, and returns a dict with the "
        'gradients of `z` with respect to all five tensors, under the keys `"x1"`, `"x2"`, `"y1"`, '
        '`"y2"` and `"y3"`. Numbers and tensors are both fine. The call of `backward` is already '
        "there."
    ),
    starter='''\
def gradients(x1, x2):
    """The gradients of z, by the names of the five tensors."""
    x1 = torch.tensor(x1, requires_grad=True)
    x2 = torch.tensor(x2, requires_grad=True)
    y1 = x1 * x2
    y2 = torch.log(y1)
    y3 = torch.sin(y1)
    z = y2 * y3
    z.backward()
    return {}
''',
    reference=gradients,
    checks=(
        Check(
            "leaves",
            1,
            call_for_gradients,
            _cases("x1", "x2"),
            passes="The gradients of x1 and x2 are right.",
            fails="The gradients of x1 and x2 are not right.",
        ),
        Check(
            "results",
            3,
            call_for_gradients,
            _cases("y1", "y2", "y3"),
            passes="The gradients of y1, y2 and y3 are right.",
            fails="The gradients of y1, y2 and y3 are not right.",
        ),
    ),
    misconceptions=(
        Misconception(
            "never-asked",
            "For results such as `y1` you read a gradient that was never kept. A result keeps its "
            "gradient only if it is asked to, as the warning said when you read it.",
            _never_asked,
        ),
        Misconception(
            "asked-too-late",
            "The tensors that you asked to retain their gradient have none. Either the gradient "
            "had already passed, or it never passes through those tensors.",
            _asked_too_late,
        ),
        Misconception(
            "read-before-backward",
            "All five gradients are None. They are computed in `backward`, and you read them "
            "before it, or without it.",
            _read_before_backward,
        ),
        Misconception(
            "none-has-no-number",
            "You take a number out of a gradient that is None. That tensor has kept none: it was "
            "asked too late, no backward pass has run yet, or none reaches it.",
            _late_and_number,
        ),
        Misconception(
            "asked-one-for-all",
            "`y1` has kept its gradient, but `y2` and `y3` have not. Each tensor has to be asked "
            "separately.",
            _asked_the_first_only,
        ),
        Misconception(
            "cut-off-to-be-a-leaf",
            "You cut `y1` off from its history to make it a leaf. Now it holds a gradient, but "
            "none can reach `x1` and `x2` any more.",
            _made_leaves,
        ),
        Misconception(
            "everything-cut-off",
            "You made leaves of all the results by cutting them off from their history. A "
            "gradient ends at each leaf, so nothing arrives below `y2` and `y3`.",
            _all_made_leaves,
        ),
        Misconception(
            "walks-twice",
            "The gradients of `x1` and `x2` are twice what they should be, because there were two "
            "backward passes. If the results are asked early enough, one pass is enough.",
            _walks_twice,
        ),
        Misconception(
            "walks-again-for-each",
            "Your gradients are one, two, three and more times what they should be. You run a "
            "backward pass for each of them, and the gradients add up.",
            _walks_again_for_each,
        ),
        Misconception(
            "asks-and-walks-for-each",
            "Your gradient of `x2` is twice what it should be. You run a backward pass for each "
            "tensor, and in a leaf the gradients of all of them add up.",
            _asks_and_walks_for_each,
        ),
        Misconception(
            "starts-from-each",
            "You also start backward passes from `y1`, `y2` and `y3`. The question is how `z` "
            "changes, so only the one from `z` is wanted; the others add to the same gradients.",
            _starts_from_each,
        ),
        Misconception(
            "values-for-gradients",
            "For the results you returned their values. Their gradients say how `z` changes when "
            "these values change a little.",
            _values,
        ),
        Misconception(
            "always-the-same",
            "You return the same numbers whatever `x1` and `x2` are.",
            _numbers_of_the_document,
        ),
        Misconception(
            "wrong-factor",
            "You have the gradients of `y2` and `y3` the wrong way round. In a product, the "
            "gradient of one factor is the other factor.",
            _wrong_sides,
        ),
    ),
    hints=(
        "After backward, look at `is_leaf` and `grad` of each of the five. Which of them have "
        "kept a gradient, and why those?",
        "A result keeps its gradient if it is asked to. The question is which tensors you ask, "
        "and when.",
        "Ask each of the three results, after it was computed and before `backward` is called. "
        "One backward pass from `z` is enough for all five.",
    ),
    variants=(
        Variant("one line for each, tensors returned", _one_line_each),
        Variant("by torch.autograd.grad", _by_autograd_grad),
        Variant("by hooks", _by_hooks),
        Variant("by hand", _by_hand),
        Variant("a new graph for each", _each_from_a_graph_of_its_own),
    ),
    suspicion=takes_other_arguments,
    place=2,
)
