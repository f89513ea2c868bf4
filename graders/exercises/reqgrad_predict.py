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
            fails="At least one of your answers for x, w and v is wrong.",
        ),
        Check(
            "made by arithmetic",
            2,
            scenarios.entries,
            keys("a", "b", "c", "d", "f"),
            passes="Your answers for a, b, c, d and f are right.",
            fails="At least one of your answers for a, b, c, d and f is wrong.",
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
            "whether the gradient of at least one of them has to pass through the result.",
            TRUTH | {"b": False, "d": False, "f": False},
        ),
        Misconception(
            "a-plain-factor-hides-it",
            "You expect a product with a plain tensor not to require grad. The plain factor needs "
            "no gradient, but the gradient of the other one still has to pass through the product.",
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
            "You expect `x` to take over `requires_grad` from `w`, and `a` from `x`. It spreads "
            "from inputs to results only, at the moment the operation runs.",
            TRUTH | {"x": True, "a": True},
        ),
        Misconception(
            "every-result-tracks",
            "You expect an operation to make its result require grad, whatever it computes, and "
            "from what. Nothing is recorded where no input requires grad, nor where the result is "
            "true or false and has no derivative.",
            TRUTH | {"a": True, "e": True},
        ),
        Misconception(
            "arithmetic-always-tracks",
            "You expect a result of arithmetic to require grad whatever went into it. Look again "
            "at whether any of its inputs does.",
            TRUTH | {"a": True},
        ),
        Misconception(
            "comparisons-track",
            "You expect a comparison to pass `requires_grad` on. Its result is true or false, and "
            "that has no derivative.",
            TRUTH | {"e": True},
        ),
        Misconception(
            "everything-requires-grad",
            "You expect every tensor to require grad. A tensor made from data does so only on "
            "request, and a result only if a gradient has to pass through it.",
            dict.fromkeys(TRUTH, True),
            whole=True,
        ),
        Misconception(
            "only-where-it-was-written",
            "You expect `requires_grad` to stay with the tensors for which it was written down. A "
            "gradient for `w` has to pass through the results on the way, so they require grad "
            "too.",
            _only("w", "v"),
        ),
        Misconception(
            "means-grad-exists",
            "You took `requires_grad` to mean that there is something in `.grad`. It says that a "
            "gradient will be needed, not that one has been stored.",
            _only("w"),
        ),
        Misconception(
            "means-takes-part-in-backward",
            "You took `requires_grad` to mean that backward reaches the tensor. It is decided when "
            "a tensor is made, whether or not backward is called later.",
            TRUTH | {"v": False, "f": False},
        ),
        Misconception(
            "unused-means-no-wish",
            "You expect `v` not to require grad, because `d` does not depend on it. The flag was "
            "set when `v` was made, and nothing in the program changes it.",
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
            "You expect no tensor to require grad. Two of them were made with `requires_grad`, and "
            "without them backward would raise an error.",
            dict.fromkeys(TRUTH, False),
            whole=True,
        ),
        Misconception(
            "unused-results-are-not-recorded",
            "You expect `f` not to require grad, because backward does not pass through it. The "
            "flag is set when the operation runs, before anybody knows what backward will need.",
            TRUTH | {"f": False},
        ),
        Misconception(
            "everything-turned-round",
            "Each of your answers is the opposite of what happens, so you can tell the tensors "
            "apart. Check whether you have swapped `True` and `False`.",
            {key: not flag for key, flag in TRUTH.items()},
        ),
        Misconception(
            "only-results-require-grad",
            "You expect results to require grad, but not the tensors that were made with "
            "`requires_grad`. Those are where it starts.",
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
        "One input that requires grad is enough for a result of arithmetic. `requires_grad` never "
        "spreads from a result, or from another input, to an input.",
        "Then ask of each result whether it can have a derivative at all. The last line changes "
        "none of your answers: backward stores gradients and leaves flags alone.",
    ),
    place=1,
)
