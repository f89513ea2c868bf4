"""`retain-predict`: two gradients after one backward, one of them of a result."""

from __future__ import annotations

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.inputs import keys
from graders.observe import scenarios

TRUTH = {"h": 12.0, "x": 36.0}


EXERCISE = Exercise(
    id="retain-predict",
    lesson="05_retain_grad",
    section="Ask before backward",
    title="What do h and x hold?",
    symbol="grads",
    kind="predict",
    points=2,
    difficulty=1,
    minutes=3,
    task=(
        "Before you run it, read this program:\n\n"
        "```python\n"
        "x = torch.tensor(2.0, requires_grad=True)\n"
        "h = 3 * x\n"
        "h.retain_grad()\n"
        "y = h * h\n"
        "y.backward()\n"
        "```\n\n"
        "Which numbers are `h.grad` and `x.grad` afterwards? Where you expect that nothing is "
        'kept, write the text `"None"`.'
    ),
    starter="""\
grads = {
    "h": None,
    "x": None,
}
""",
    reference=TRUTH,
    checks=(
        Check(
            "gradient of h",
            1,
            scenarios.entries,
            keys("h"),
            passes="Your answer for `h` is right.",
            fails="Your answer for `h` is not right.",
        ),
        Check(
            "gradient of x",
            1,
            scenarios.entries,
            keys("x"),
            passes="Your answer for `x` is right.",
            fails="Your answer for `x` is not right.",
        ),
    ),
    misconceptions=(
        Misconception(
            "h-forgets-anyway",
            "You expect that `h` keeps nothing. That is the default, but here `h` is asked to "
            "retain its gradient, and in time.",
            TRUTH | {"h": "None"},
        ),
        Misconception(
            "zero-for-h",
            "You expect a zero in `h`. A tensor that keeps no gradient holds None, and `h` is "
            "asked to keep its own, in time.",
            TRUTH | {"h": 0.0},
        ),
        Misconception(
            "x-gets-none",
            "You expect that nothing arrives at `x` when `h` retains its gradient. What `h` keeps "
            "is a copy; the gradient itself is passed on.",
            TRUTH | {"x": "None"},
        ),
        Misconception(
            "h-becomes-a-leaf",
            "You let the gradient end at `h`, as if it had become a leaf. Retaining changes "
            "nothing about the graph: backward goes on to where the graph starts.",
            TRUTH | {"x": 0.0},
        ),
        Misconception(
            "swapped",
            "You have the right numbers under the wrong names. Backward reaches `h` first, and "
            "only the step from there to `x` brings in the factor 3.",
            {"h": 36.0, "x": 12.0},
        ),
        Misconception(
            "all-the-way-down",
            "What you give for `h` is the gradient that arrives at `x`. The gradient of `h` says "
            "how `y` changes with `h` itself; the step from `x` to `h` plays no part in it.",
            TRUTH | {"h": 36.0},
        ),
        Misconception(
            "walked-twice",
            "Your numbers are those of two backward passes. `retain_grad` repeats nothing, and it "
            "is not `retain_graph`, the option that makes a second pass possible.",
            {"h": 24.0, "x": 72.0},
        ),
        Misconception(
            "values-for-gradients",
            "You gave the values of the tensors. Their gradients say how `y` changes when these "
            "values change a little.",
            {"h": 6.0, "x": 2.0},
        ),
        Misconception(
            "one-factor-forgotten",
            "You followed only one of the two paths from `y` to `h`. It occurs twice in the "
            "product, and what comes back along both paths is added.",
            {"h": 6.0, "x": 18.0},
        ),
        Misconception(
            "value-of-h",
            "What you give for `h` is its value. The gradient of `h` says how `y` changes when "
            "that value changes a little.",
            TRUTH | {"h": 6.0},
        ),
        Misconception(
            "slope-of-h",
            "What you give for `h` is how fast `h` grows with `x`. The gradient of `h` says "
            "something else: how fast does `y` grow with `h`?",
            TRUTH | {"h": 3.0},
        ),
        Misconception(
            "own-slope-only",
            "For `x` you gave only the slope of the step from `x` to `h`. By the chain rule it is "
            "multiplied by what arrives from above.",
            TRUTH | {"x": 3.0},
        ),
        Misconception(
            "passed-on-unchanged",
            "You pass the gradient of `h` on to `x` unchanged. The step between them has a slope "
            "of its own.",
            TRUTH | {"x": 12.0},
        ),
    ),
    variants=(
        Variant("whole numbers", {"h": 12, "x": 36}),
        Variant("another order, and a key that nobody asked for", {"x": 36.0, "h": 12.0, "y": 1}),
    ),
    hints=(
        "Write the function down as a formula, with `h` in it. What is its slope at the value "
        "that `h` has here?",
        "Backward comes from `y`, passes `h`, and goes on to `x`. Each step multiplies by the "
        "slope of that step.",
        "The square of a number has twice that number as its slope. The step from `h` to `x` "
        "brings one more factor, which is the same everywhere.",
    ),
    place=1,
)
