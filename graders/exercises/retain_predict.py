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
            passes="Your answer for h is right.",
            fails="Your answer for h is not right.",
        ),
        Check(
            "gradient of x",
            1,
            scenarios.entries,
            keys("x"),
            passes="Your answer for x is right.",
            fails="Your answer for x is not right.",
        ),
    ),
    misconceptions=(
        Misconception(
            "h-forgets-anyway",
            "You expect that `h` has kept nothing. That is what happens by default, but here "
            "somebody has asked it, and in time.",
            TRUTH | {"h": "None"},
        ),
        Misconception(
            "x-gets-none",
            "You expect that nothing arrives at `x` when `h` keeps its gradient. What is kept is "
            "a copy; the gradient itself goes on.",
            TRUTH | {"x": "None"},
        ),
        Misconception(
            "h-becomes-a-leaf",
            "You let the gradient end at `h`, as if it had become a leaf. Retaining takes a copy "
            "of what passes; backward goes on to where the graph starts.",
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
            "What you give for `h` is the gradient that arrives at `x`. The gradient of a result "
            "is about small changes of that result itself, and does not look below it.",
            TRUTH | {"h": 36.0},
        ),
        Misconception(
            "walked-twice",
            "Your numbers are those of two walks through the graph. Asking `h` to retain its "
            "gradient repeats nothing, and is not the option of that name which keeps the graph.",
            {"h": 24.0, "x": 72.0},
        ),
        Misconception(
            "values-for-gradients",
            "You gave the values of the tensors. Their gradients say how `y` moves when these "
            "values move a little.",
            {"h": 6.0, "x": 2.0},
        ),
        Misconception(
            "one-factor-forgotten",
            "You followed only one of the two ways from `y` to `h`. It stands in the product "
            "twice, and what comes over both ways is added.",
            {"h": 6.0, "x": 18.0},
        ),
        Misconception(
            "slope-of-h",
            "What you give for `h` is how fast `h` grows with `x`. A gradient asks the other way "
            "round: how fast does `y` grow with `h`?",
            TRUTH | {"h": 3.0},
        ),
        Misconception(
            "own-slope-only",
            "You gave `x` only the slope of the step above it. By the chain rule that slope is "
            "multiplied by what arrives from above.",
            TRUTH | {"x": 3.0},
        ),
        Misconception(
            "passed-on-unchanged",
            "You let the gradient of `h` go on to `x` as it is. The step between them has a slope "
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
