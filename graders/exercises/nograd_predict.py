"""`nograd-predict`: what is the gradient when a factor was computed without recording?"""

from __future__ import annotations

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.observe import scenarios

EXERCISE = Exercise(
    id="nograd-predict",
    lesson="04_no_grad",
    section="The value still counts",
    title="One factor without a record",
    symbol="grad_w",
    kind="predict",
    points=2,
    difficulty=1,
    minutes=3,
    task=(
        "Before you run it, read this program:\n\n"
        "```python\n"
        "w = torch.tensor(3.0, requires_grad=True)\n"
        "with torch.no_grad():\n"
        "    u = 2 * w\n"
        "v = w * u\n"
        "v.backward()\n"
        "```\n\n"
        "Which number is in `w.grad` at the end? If you expect that there is none, "
        "write `None`."
    ),
    starter="grad_w = ...\n",
    reference=6.0,
    checks=(
        Check(
            "the gradient",
            1,
            scenarios.value,
            lambda rng: {},
            passes="Your gradient is right.",
            fails="That is not what backward leaves in `w.grad`.",
        ),
    ),
    misconceptions=(
        Misconception(
            "recorded-anyway",
            "You differentiated through both factors, as if the doubling had been recorded too. "
            "Nothing that happened under `no_grad` is part of the graph.",
            12.0,
        ),
        Misconception(
            "value-lost",
            "You kept the slope of the doubling and lost the value that it produced. What was "
            "not recorded has no slope, but its value is a factor like any other.",
            2.0,
        ),
        Misconception(
            "off-for-ever",
            "You expect the gradient of `w` to be switched off for good, or the product not to be "
            "recorded. The mode ended with its block, and `w` still requires grad.",
            None,
        ),
        Misconception(
            "zero-gradient",
            "You expect that nothing arrives because one factor was not recorded. The other factor "
            "is `w` itself, and its gradient comes straight from the product.",
            0.0,
        ),
        Misconception(
            "the-wrong-factor",
            "That is the derivative with respect to the factor that was not recorded, which is the "
            "value of `w`. In a product, the derivative with respect to one factor is the value of "
            "the other.",
            3.0,
        ),
        Misconception(
            "value-for-gradient",
            "That is the value of the product itself. The question is how it changes when `w` "
            "changes.",
            18.0,
        ),
    ),
    variants=(Variant("a whole number", 6),),
    hints=(
        "After the block, what does the engine know about the second factor: its value, its "
        "history, or both?",
        "To backward, a number that was computed without recording is like a number that "
        "somebody typed in.",
        "Replace the second factor by the number that it holds. How does the product then change "
        "when the first factor moves a little?",
    ),
    place=1,
)
