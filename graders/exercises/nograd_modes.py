"""`nograd-modes`: what is recorded when modes are nested?"""

from __future__ import annotations

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.inputs import keys
from graders.observe import scenarios

TRUTH = {"a": False, "b": True, "c": False, "d": False, "e": True}


EXERCISE = Exercise(
    id="nograd-modes",
    lesson="04_no_grad",
    section="The mode and where it ends",
    title="Modes inside modes",
    symbol="requires_grad",
    kind="predict",
    points=2,
    difficulty=2,
    minutes=3,
    task=(
        "`torch.enable_grad()` is the opposite of `torch.no_grad()`: inside it, operations are "
        "recorded. Read this program before you run it:\n\n"
        "```python\n"
        "w = torch.tensor(2.0, requires_grad=True)\n"
        "with torch.no_grad():\n"
        "    a = w * 2\n"
        "    with torch.enable_grad():\n"
        "        b = w * 3\n"
        "        c = a * 3\n"
        "    d = b * 2\n"
        "e = a + b\n"
        "```\n\n"
        "For each result write `True` if it requires grad and `False` if it does not."
    ),
    starter="""\
requires_grad = {
    "a": None,
    "b": None,
    "c": None,
    "d": None,
    "e": None,
}
""",
    reference=TRUTH,
    checks=(
        Check(
            "the inner mode",
            1,
            scenarios.entries,
            keys("b", "c"),
            passes="Your answers for b and c are right.",
            fails="At least one of your answers for b and c is wrong.",
        ),
        Check(
            "before and after",
            1,
            scenarios.entries,
            keys("a", "d", "e"),
            passes="Your answers for a, d and e are right.",
            fails="At least one of your answers for a, d and e is wrong.",
        ),
    ),
    misconceptions=(
        Misconception(
            "the-outer-mode-wins",
            "You expect the outer `no_grad` to decide for everything inside it. The mode that "
            "counts is the one of the innermost block.",
            TRUTH | {"b": False, "e": False},
        ),
        Misconception(
            "enable-grad-revives",
            "You expect `enable_grad` to give a history back to what was computed before. It "
            "records from now on, and what comes in without a history is a constant.",
            TRUTH | {"c": True},
        ),
        Misconception(
            "the-inner-mode-stays",
            "You expect the inner mode to go on after its block. At the end of a block the mode "
            "from before is restored.",
            TRUTH | {"d": True},
        ),
        Misconception(
            "all-inputs-needed",
            "You expect a sum to require grad only if both of its terms do. One input that "
            "requires grad is enough, wherever recording is on.",
            TRUTH | {"e": False},
        ),
        Misconception(
            "recorded-anyway",
            "You expect that whatever is computed from `w` requires grad. Under `no_grad` it "
            "does not matter what the inputs require.",
            dict.fromkeys(TRUTH, True),
        ),
        Misconception(
            "modes-swapped",
            "You took the two modes for each other: what you expect would come out if `no_grad` "
            "recorded and `enable_grad` did not.",
            {"a": True, "b": False, "c": False, "d": False, "e": True},
            whole=True,
        ),
        Misconception(
            "everything-turned-round",
            "Each of your answers is the opposite of what happens, so you can tell the results "
            "apart. Check whether you have swapped `True` and `False`.",
            {key: not needs for key, needs in TRUTH.items()},
        ),
        Misconception(
            "recording-makes-history",
            "You expect `b` not to require grad, and the sum after the block to require it all the "
            "same. Recording alone is not enough for that: one of its terms has to require grad.",
            TRUTH | {"b": False},
        ),
    ),
    variants=(
        Variant("zeros and ones", {key: int(needs) for key, needs in TRUTH.items()}),
        Variant("more keys than asked for", {**TRUTH, "w": True}),
    ),
    hints=(
        "Write beside each line whether recording is on when it runs.",
        "A result requires grad when two things hold: recording is on, and at least one input "
        "requires grad.",
        "The innermost block decides whether recording is on. For the inputs look at your own "
        "answers above, line by line.",
    ),
    place=3,
)
