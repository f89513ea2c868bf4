"""`dirty-saves`: which operators need their input later, which their output, which neither?"""

from __future__ import annotations

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.inputs import keys
from graders.observe import scenarios

TRUTH = {
    "x.sin()": "input",
    "x.log()": "input",
    "x * x": "input",
    "x.exp()": "output",
    "x.sqrt()": "output",
    "x.tanh()": "output",
    "x + 1": "neither",
    "x * 3": "neither",
    "x.sum()": "neither",
}


# Their names, and none.
OTHER_WORDS = {"input": ("x",), "output": ("y",), "neither": ("none", "nothing")}


EXERCISE = Exercise(
    id="dirty-saves",
    lesson="08_mark_dirty",
    section="Who needs the old value?",
    title="What may be changed, and what is still needed?",
    symbol="breaks",
    kind="predict",
    points=4,
    difficulty=2,
    minutes=5,
    task=(
        "`x` is a result of an earlier operation, and `y` is computed as each key says. Afterwards "
        "either `x` or `y` is changed in place, by `x.add_(1)` or `y.add_(1)`. Which of the two "
        "changes makes the backward of that operation raise?\n"
        "\n"
        'Write `"input"`, `"output"` or, where both are harmless, `"neither"`.'
    ),
    starter="""\
breaks = {
    "x.sin()": None,
    "x.log()": None,
    "x * x": None,
    "x.exp()": None,
    "x.sqrt()": None,
    "x.tanh()": None,
    "x + 1": None,
    "x * 3": None,
    "x.sum()": None,
}
""",
    reference=TRUTH,
    checks=(
        Check(
            "slopes from the input",
            3,
            scenarios.entries,
            keys("x.sin()", "x.log()", "x * x", **OTHER_WORDS),
            passes="Your answers for sin, log and the square are right.",
            fails="At least one of your answers for sin, log and the square is wrong.",
        ),
        Check(
            "slopes from the output",
            3,
            scenarios.entries,
            keys("x.exp()", "x.sqrt()", "x.tanh()", **OTHER_WORDS),
            passes="Your answers for exp, sqrt and tanh are right.",
            fails="At least one of your answers for exp, sqrt and tanh is wrong.",
        ),
        Check(
            "slopes from nothing",
            2,
            scenarios.entries,
            keys("x + 1", "x * 3", "x.sum()", **OTHER_WORDS),
            passes="Your answers for the sums and the multiple are right.",
            fails="At least one of your answers for the sums and the multiple is wrong.",
        ),
    ),
    misconceptions=(
        Misconception(
            "input-and-output-swapped",
            "You have swapped input and output. Write the derivatives down, and look in each of "
            "them for what was computed already.",
            TRUTH
            | {
                key: {"input": "output", "output": "input"}[kept]
                for key, kept in TRUTH.items()
                if kept != "neither"
            },
        ),
        Misconception(
            "outputs-never",
            "You expect exp, sqrt and tanh to need their input again. Where the slope can be "
            "computed from the result, the result is saved instead.",
            {key: "input" if kept == "output" else kept for key, kept in TRUTH.items()},
        ),
        Misconception(
            "inputs-always",
            "You expect every operation to need its input again. Look at each derivative: what "
            "does it contain?",
            dict.fromkeys(TRUTH, "input"),
            whole=True,
        ),
        Misconception(
            "outputs-always",
            "You expect every operation to need its result again. Look at each derivative: what "
            "does it contain?",
            dict.fromkeys(TRUTH, "output"),
            whole=True,
        ),
        Misconception(
            "nothing-breaks",
            "You expect every in-place change to be harmless. Most derivatives depend on a value, "
            "and it has to be there when backward runs.",
            dict.fromkeys(TRUTH, "neither"),
            whole=True,
        ),
        Misconception(
            "factor-needs-its-input",
            "You expect a multiple of x to need x again. Its slope is the factor, whatever x is.",
            TRUTH | {"x * 3": "input"},
        ),
        Misconception(
            "linear-operations-save-too",
            "You expect sums and multiples to need x again. Their slope is the same everywhere.",
            TRUTH | {"x + 1": "input", "x * 3": "input", "x.sum()": "input"},
        ),
        Misconception(
            "results-of-sums-are-kept",
            "You expect the result of a sum or a multiple to be saved. It is not needed for a "
            "slope that is the same everywhere.",
            TRUTH | {"x + 1": "output", "x * 3": "output", "x.sum()": "output"},
        ),
        Misconception(
            "outputs-are-safe",
            "You expect a result to be safe to change, whatever computed it. Where the derivative "
            "is written in terms of the result, backward needs the result.",
            TRUTH | {"x.exp()": "neither", "x.sqrt()": "neither", "x.tanh()": "neither"},
        ),
        Misconception(
            "inputs-are-safe",
            "You expect an input to be safe to change, whatever is computed from it. Where the "
            "derivative cannot be had from the result alone, backward needs the input.",
            TRUTH | {"x.sin()": "neither", "x.log()": "neither", "x * x": "neither"},
        ),
        Misconception(
            "sine-from-its-result",
            "You expect the sine to need its result. Backward needs the cosine, and that cannot "
            "be computed from the sine: its sign would be unknown.",
            TRUTH | {"x.sin()": "output"},
        ),
        Misconception(
            "logarithm-from-its-result",
            "You expect the logarithm to need its result. Write its derivative down: to compute "
            "it from the result, you would need an exponential first.",
            TRUTH | {"x.log()": "output"},
        ),
        Misconception(
            "square-needs-nothing",
            "You expect the square to need nothing. Is its slope the same everywhere?",
            TRUTH | {"x * x": "neither"},
        ),
        Misconception(
            "exponential-needs-its-input",
            "You expect the exponential to need x again. Write its derivative down: have you seen "
            "that value before?",
            TRUTH | {"x.exp()": "input"},
        ),
        Misconception(
            "root-needs-its-input",
            "You expect the square root to need x again. Write its derivative down, and look for "
            "the root in it.",
            TRUTH | {"x.sqrt()": "input"},
        ),
        Misconception(
            "tanh-needs-its-input",
            "You expect the hyperbolic tangent to need x again. Write its derivative down, and "
            "look for the hyperbolic tangent itself in it.",
            TRUTH | {"x.tanh()": "input"},
        ),
        Misconception(
            "total-needs-its-input",
            "You expect the sum of all elements to need x again. Each element changes the total "
            "by as much as it changes itself, whatever its value is.",
            TRUTH | {"x.sum()": "input"},
        ),
    ),
    variants=(
        Variant("capital letters", {key: kept.upper() for key, kept in TRUTH.items()}),
        Variant(
            "the tensors by their names",
            {key: {"input": "x", "output": "y"}.get(kept, kept) for key, kept in TRUTH.items()},
        ),
        Variant("more keys than asked for", {**TRUTH, "x - 1": "neither"}),
    ),
    hints=(
        "Write down the derivative of each operation. Which value would you have to keep to "
        "compute it?",
        "A derivative that is the same number everywhere needs nothing. Any other needs a value, "
        "and sometimes it is shorter in terms of the result than in terms of the input.",
        "Ask for each derivative whether you can write it with y alone, as simply as with x. If "
        "so, y is what is saved, and changing y is the only change that breaks backward.",
    ),
    place=6,
)
