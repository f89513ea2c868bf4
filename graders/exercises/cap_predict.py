"""`cap-predict`: a training loop with a line missing, followed by hand."""

from __future__ import annotations

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.inputs import keys
from graders.observe import scenarios

TRUTH = {"first": 4.0, "second": -2.0, "third": -7.0, "third_if_cleared": 1.0, "graphs": 3}


EXERCISE = Exercise(
    id="cap-predict",
    lesson="09_capstone",
    section="The line that everybody forgets",
    title="Three steps without a line",
    symbol="steps_of_w",
    kind="predict",
    points=3,
    difficulty=2,
    minutes=3,
    task=(
        "In this loop the gradient is never cleared:\n\n"
        "```python\n"
        "w = torch.tensor(8.0, requires_grad=True)\n"
        "losses = []\n"
        "for _ in range(3):\n"
        "    loss = 0.5 * w * w\n"
        "    loss.backward()\n"
        "    losses.append(loss)\n"
        "    with torch.no_grad():\n"
        "        w -= 0.5 * w.grad\n"
        "```\n\n"
        "The slope of the loss at w is w itself. Write down what `w` is after the `first`, the "
        "`second` and the `third` step; what it would be after the third step if the gradient "
        "were cleared at the end of each (`third_if_cleared`); and how many `graphs` the list "
        "`losses` keeps in memory."
    ),
    starter="""\
steps_of_w = {
    "first": None,
    "second": None,
    "third": None,
    "third_if_cleared": None,
    "graphs": None,
}
""",
    reference=TRUTH,
    checks=(
        Check(
            "the first step",
            1,
            scenarios.entries,
            keys("first", "third_if_cleared"),
            passes="Your answers for `first` and `third_if_cleared` are right.",
            fails="At least one of your answers for `first` and `third_if_cleared` is wrong.",
        ),
        Check(
            "what adds up",
            2,
            scenarios.entries,
            keys("second", "third"),
            passes="Your answers for `second` and `third` are right.",
            fails="At least one of your answers for `second` and `third` is wrong.",
        ),
        Check(
            "what is kept",
            1,
            scenarios.entries,
            keys("graphs"),
            passes="Your answer for `graphs` is right.",
            fails="Your answer for `graphs` is not right.",
        ),
    ),
    misconceptions=(
        Misconception(
            "backward-overwrites",
            "You expect each backward pass to overwrite the gradient. It adds to the gradient "
            "that is there, and here that is never cleared.",
            TRUTH | {"second": 2.0, "third": 1.0},
        ),
        Misconception(
            "one-tensor-three-times",
            "For each step you gave what `w` is after the last. If you kept `w` itself, it is one "
            "tensor, which the loop changes in place: write its number down after each step.",
            TRUTH | {"first": -7.0, "second": -7.0},
        ),
        Misconception(
            "remembers-one-step",
            "You add only the gradient of the step before. A gradient that is never cleared holds "
            "the sum of all steps so far.",
            TRUTH | {"third": -3.0},
        ),
        Misconception(
            "steps-twice-as-long",
            "Your steps are twice as long as the real ones. Look at the learning rate, and at the "
            "slope that the task gives.",
            TRUTH | {"first": 0.0, "second": -8.0, "third": -8.0, "third_if_cleared": 0.0},
        ),
        Misconception(
            "steps-half-as-long",
            "Your steps are half as long as the real ones. The learning rate is one half, and the "
            "task gives the slope of the loss as it is.",
            TRUTH | {"first": 6.0, "second": 2.5, "third": -1.625, "third_if_cleared": 3.375},
        ),
        Misconception(
            "before-each-step",
            "You wrote down what `w` is before each step. The question is what it is afterwards.",
            TRUTH | {"first": 8.0, "second": 4.0, "third": -2.0},
        ),
        Misconception(
            "gradients-for-values",
            "What you give is what `w.grad` holds at each step. The question is what `w` is after "
            "the update.",
            TRUTH | {"first": 8.0, "second": 12.0, "third": 10.0},
        ),
        Misconception(
            "walks-uphill",
            "Your steps go uphill. The gradient points to where the loss grows, and the update "
            "goes the other way.",
            TRUTH | {"first": 12.0, "second": 22.0, "third": 43.0, "third_if_cleared": 27.0},
        ),
        Misconception(
            "clearing-changes-nothing",
            "You expect the same end with and without clearing. From the second step on the two "
            "loops differ.",
            TRUTH | {"third_if_cleared": -7.0},
        ),
        Misconception(
            "losses-are-numbers",
            "You expect no graph to be kept. The list holds tensors, not plain numbers, and each "
            "still leads back to its nodes: backward frees only what these have saved.",
            TRUTH | {"graphs": 0},
        ),
        Misconception(
            "the-last-graph-only",
            "You expect each new graph to replace the old one. That happens only where nothing "
            "refers to the old one any more.",
            TRUTH | {"graphs": 1},
        ),
    ),
    hints=(
        "Make a table with a row for each step: w before the step, the slope there, what `w.grad` "
        "holds after `backward`, and w after the update.",
        "In the second row `w.grad` holds the sum of two slopes, in the third row the sum of "
        "three. Signs count.",
        "For the last answer ask of each entry of the list: is it a number, or a tensor that "
        "still has its `grad_fn`?",
    ),
    variants=(
        Variant("whole numbers", {key: int(value) for key, value in TRUTH.items()}),
        Variant("a key more", {**TRUTH, "note": "I made a table"}),
    ),
    place=3,
)
