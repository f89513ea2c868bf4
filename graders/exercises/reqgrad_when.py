"""`reqgrad-when`: when does the output of a Sequential require grad?"""

from __future__ import annotations

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.inputs import keys
from graders.observe import scenarios

TRUTH = {
    "linear": True,
    "relu_only": False,
    "frozen": False,
    "frozen_input_requires_grad": True,
}


def _answer(key: str, passes: str) -> Check:
    return Check(
        key.replace("_", " "),
        1,
        scenarios.entries,
        keys(key),
        passes=passes,
        fails=f"Your answer for `{key}` is not right.",
    )


EXERCISE = Exercise(
    id="reqgrad-when",
    lesson="03_requires_grad",
    section="It is the parameters, not Sequential",
    title="Four networks: whose output requires grad?",
    symbol="answers",
    kind="predict",
    points=4,
    difficulty=2,
    minutes=2,
    task=(
        "Four networks and their outputs:\n\n"
        "```python\n"
        "x = torch.tensor([[1.0, -1.0]])\n"
        "u = torch.tensor([[1.0, -1.0]], requires_grad=True)\n"
        "\n"
        "linear = nn.Sequential(nn.Linear(2, 4), nn.ReLU())(x)\n"
        "relu_only = nn.Sequential(nn.ReLU())(x)\n"
        "\n"
        "model = nn.Sequential(\n"
        "    nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 1)\n"
        ")\n"
        "for parameter in model.parameters():\n"
        "    parameter.requires_grad = False\n"
        "frozen = model(x)\n"
        "frozen_input_requires_grad = model(u)\n"
        "```\n\n"
        "For each of the four outputs write `True` if it requires grad and `False` if not."
    ),
    starter="""\
answers = {
    "linear": None,
    "relu_only": None,
    "frozen": None,
    "frozen_input_requires_grad": None,
}
""",
    reference=TRUTH,
    checks=(
        _answer("linear", "You know what an ordinary network does."),
        _answer("relu_only", "You know what a network without parameters does."),
        _answer("frozen", "You know what a frozen network does."),
        _answer(
            "frozen_input_requires_grad",
            "You know what a frozen network does with an input that requires grad.",
        ),
    ),
    misconceptions=(
        Misconception(
            "sequential-sets-it",
            "You expect `Sequential` to make its output require grad. It only calls one layer "
            "after the other; look at the tensors that the layers compute with.",
            dict.fromkeys(TRUTH, True),
            whole=True,
        ),
        Misconception(
            "only-parameters-count",
            "You looked at the parameters alone. The input of a network is an input of its first "
            "operation like any other.",
            TRUTH | {"frozen_input_requires_grad": False},
        ),
        Misconception(
            "only-the-input-counts",
            "You looked at the input of the network alone. A layer brings tensors of its own into "
            "the computation.",
            TRUTH | {"linear": False},
        ),
        Misconception(
            "layers-track-unless-frozen",
            "You expect any layer that is not frozen to make its output require grad. Ask what "
            "there is in each layer that could learn.",
            TRUTH | {"relu_only": True},
        ),
        Misconception(
            "freezing-stops-updates-only",
            "You expect operations with frozen parameters to be recorded as before. A frozen "
            "parameter does not require grad, so nothing has to be recorded for it.",
            TRUTH | {"frozen": True},
        ),
        Misconception(
            "only-what-is-written-there",
            "You have missed tensors that require grad. Look at all that go into each computation: "
            "the input, and those that a layer makes for itself.",
            dict.fromkeys(TRUTH, False),
        ),
        Misconception(
            "everything-turned-round",
            "Each of your answers is the opposite of what happens, so you can tell the networks "
            "apart. Check whether you have swapped `True` and `False`.",
            {key: not flag for key, flag in TRUTH.items()},
        ),
    ),
    variants=(
        Variant("zeros and ones", {key: int(flag) for key, flag in TRUTH.items()}),
        Variant("more keys than asked for", {**TRUTH, "why": "OR over all tensors"}),
        Variant("in another order", dict(reversed(TRUTH.items()))),
        Variant("floats", {key: float(flag) for key, flag in TRUTH.items()}),
    ),
    hints=(
        "Forget that these are networks. Which tensors go into each computation?",
        "A Linear computes with three tensors: its input, its weight and its bias. A ReLU "
        "computes with its input alone.",
        "Apply the rule of this lesson to each layer in turn: if any of the tensors that go in "
        "requires grad, what comes out does, and is the input of the next layer.",
    ),
    place=3,
)
