"""`reqgrad-predict`: which tensors of a small program require grad?"""

from __future__ import annotations

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.inputs import keys
from graders.observe import scenarios

TRUTH = {
    "x": False,
    "w": True,
    "v": True,
    "a": False,
    "b": True,
    "c": True,
    "d": True,
    "e": False,
    "f": True,
}


def _only(*keys: str) -> dict[str, bool]:
    """The answers of somebody who finds that these tensors require grad, and no others."""
    return {key: key in keys for key in TRUTH}


EXERCISE = Exercise(
    id="reqgrad-predict",
    lesson="03_requires_grad",
    section="How it spreads",
    title="Nine tensors: which require grad?",
    symbol="requires_grad",
    kind="predict",
    points=4,
    difficulty=1,
    minutes=4,
    task=(
        "Before you run it, read this program:\n\n"
        "```python\n"
        "x = torch.tensor(2.0)\n"
        "w = torch.tensor(3.0, requires_grad=True)\n"
        "v = torch.tensor(4.0, requires_grad=True)\n"
        "a = x * 5\n"
        "b = x * w\n"
        "c = w * w\n"
        "d = b + c\n"
        "e = d > 10\n"
        "f = x * v\n"
        "d.backward()\n"
        "```\n\n"
        "For each tensor write `True` or `False`: what is its `requires_grad` at the very end?"
    ),
    starter="""\
requires_grad = {
    "x": None,
    "w": None,
    "v": None,
    "a": None,
    "b": None,
    "c": None,
    "d": None,
    "e": None,
    "f": None,
}
""",
    reference=TRUTH,
    checks=(
        Check(
            "made from data",
            1,
            scenarios.entries,
            keys("x", "w", "v"),
            passes="Your answers for x, w and v are right.",
            fails="Not all of x, w and v are right.",
        ),
        Check(
            "made by arithmetic",
            2,
            scenarios.entries,
            keys("a", "b", "c", "d", "f"),
            passes="Your answers for a, b, c, d and f are right.",
            fails="Not all of a, b, c, d and f are right.",
        ),
        Check(
            "made by a comparison",
            1,
            scenarios.entries,
            keys("e"),
            passes="Your answer for e is right.",
            fails="Your answer for e is not right.",
        ),
    ),
    misconceptions=(
        Misconception(
            "needs-all-inputs",
            "You expect a result to require grad only when all of its inputs do. Ask instead "
            "whether a change of any one of them would change the result.",
            TRUTH | {"b": False, "d": False, "f": False},
        ),
        Misconception(
            "a-plain-factor-hides-it",
            "You expect a product with a plain tensor not to require grad. The plain factor asks "
            "for nothing, but the gradient of the other one still has to come through.",
            TRUTH | {"b": False, "f": False},
        ),
        Misconception(
            "infects-the-inputs",
            "You expect `requires_grad` to spread to a tensor that is used together with one that "
            "has it. It spreads from inputs to results, never back or sideways.",
            TRUTH | {"x": True},
        ),
        Misconception(
            "infects-what-was-made-before",
            "You expect `x` to catch `requires_grad` from `w`, and `a` from `x`. It spreads from "
            "inputs to results only, at the moment the operation runs.",
            TRUTH | {"x": True, "a": True},
        ),
        Misconception(
            "every-result-tracks",
            "You expect every operation to be tracked. Where no input asks for a gradient, "
            "nobody could ever use the record, and none is made.",
            TRUTH | {"a": True, "e": True},
        ),
        Misconception(
            "arithmetic-always-tracks",
            "You expect a result of arithmetic to require grad whatever went into it. Look again "
            "at what each of the inputs asks for.",
            TRUTH | {"a": True},
        ),
        Misconception(
            "comparisons-track",
            "You let a comparison pass `requires_grad` on. Its result is true or false, and such "
            "a thing has no slope.",
            TRUTH | {"e": True},
        ),
        Misconception(
            "everything-requires-grad",
            "You expect every tensor to require grad, even those that nobody has asked. Somebody "
            "has to ask first, and what nobody asks for costs nothing.",
            dict.fromkeys(TRUTH, True),
        ),
        Misconception(
            "only-where-it-was-written",
            "You expect `requires_grad` to stay where it was written down. A gradient for `w` "
            "has to pass through the results on the way, so they require grad too.",
            _only("w", "v"),
        ),
        Misconception(
            "means-grad-exists",
            "You took `requires_grad` for the question whether there is something in `.grad`. "
            "It says that a gradient will be needed, not that one has come and stayed.",
            _only("w"),
        ),
        Misconception(
            "means-takes-part-in-backward",
            "You took `requires_grad` for the question whether backward comes by. It is settled "
            "when a tensor is made, whether or not anybody calls backward later.",
            TRUTH | {"v": False, "f": False},
        ),
        Misconception(
            "unused-means-no-wish",
            "You expect `v` not to require grad, because `d` does not depend on it. The wish was "
            "written down when `v` was made, and nobody has taken it back.",
            TRUTH | {"v": False},
        ),
        Misconception(
            "ends-with-backward",
            "You expect `backward` to switch `requires_grad` off where it has passed. It may "
            "free what was saved, but it changes no flag.",
            TRUTH | {"b": False, "c": False, "d": False},
        ),
        Misconception(
            "nothing-requires-grad",
            "You say that even the tensors that were asked when they were made do not require "
            "grad. Two of them were, and backward would not run otherwise.",
            dict.fromkeys(TRUTH, False),
        ),
        Misconception(
            "only-results-require-grad",
            "You say that results require grad, but not the tensors that were asked to. They are "
            "where all of it starts.",
            TRUTH | {"w": False, "v": False},
        ),
    ),
    variants=(
        Variant("zeros and ones", {key: int(flag) for key, flag in TRUTH.items()}),
        Variant("more keys than asked for", {**TRUTH, "note": "any input is enough"}),
        Variant("in another order", dict(reversed(TRUTH.items()))),
        Variant("floats", {key: float(flag) for key, flag in TRUTH.items()}),
    ),
    hints=(
        "Go down line by line, and for each operation look only at its inputs.",
        "One input that requires grad is enough for a result of arithmetic. Nothing flows from a "
        "result, or from a neighbour, to an input.",
        "Then ask of each result whether it can have a slope at all, and do not let the last "
        "line change anything: backward fills gradients and leaves flags alone.",
    ),
    place=1,
)
