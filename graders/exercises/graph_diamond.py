"""`graph-diamond`: what arrives at x when two ways lead to it?"""

from __future__ import annotations

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.observe import scenarios

EXERCISE = Exercise(
    id="graph-diamond",
    lesson="01_computation_graph",
    section="Why a diamond adds",
    title="The smallest diamond",
    symbol="diamond",
    kind="predict",
    points=2,
    difficulty=1,
    minutes=2,
    task=(
        "Two ways lead from y to z:\n\n"
        "```python\n"
        "y = 3 * x\n"
        "z = 2 * y + 5 * y\n"
        "```\n\n"
        "What is dz/dx? Walk back from z by hand, one step at a time, and write down the number "
        "that arrives at x."
    ),
    starter="diamond = ...\n",
    reference=21.0,
    checks=(
        Check(
            "gradient",
            1,
            scenarios.value,
            lambda rng: {},
            passes="That is what arrives at x.",
            fails="That is not what arrives at x.",
        ),
    ),
    misconceptions=(
        Misconception(
            "last-way-wins",
            "You followed only the way with the factor five, as if it had overwritten the other "
            "one. Moving y moves z along both ways at once.",
            15.0,
        ),
        Misconception(
            "first-way-wins",
            "You followed only the way with the factor two, as if y were done once something had "
            "arrived there. Moving y moves z along both ways at once.",
            6.0,
        ),
        Misconception(
            "pushes-partial-sums",
            "You set out from y before both ways had arrived there, and set out again with the "
            "sum. What came first then counts twice; a node has to wait until all is there.",
            27.0,
        ),
        Misconception(
            "pushes-partial-sums-the-other-way-round",
            "You set out from y with what came with the factor five, and again with the sum. What "
            "came first then counts twice; a node has to wait until all is there.",
            36.0,
        ),
        Misconception(
            "stops-at-y",
            "That is the slope of z towards y. One more step is left, from y to x.",
            7.0,
        ),
        Misconception(
            "multiplies-the-ways",
            "You multiplied what comes along the two ways. Slopes are multiplied along one way; "
            "different ways are another matter.",
            30.0,
        ),
        Misconception(
            "multiplies-whole-ways",
            "You multiplied the slopes of the two whole ways with each other. Both move z, each "
            "by its own amount, and at the same time.",
            90.0,
        ),
        Misconception(
            "adds-along-the-way",
            "You added slopes that follow each other on one way. A step that is three times as "
            "long, taken up by a factor of two, is not five times as long.",
            13.0,
        ),
        Misconception(
            "adds-all-slopes",
            "You added all slopes. Only what arrives side by side is added; what follows each "
            "other is not.",
            10.0,
        ),
        Misconception(
            "first-step-only",
            "That is the slope of y towards x, the first of the steps. How y moves z is missing.",
            3.0,
        ),
    ),
    variants=(Variant("a whole number", 21),),
    hints=(
        "Let x move by one. By how much does y move, and by how much does z?",
        "Two amounts arrive at y, one along each way. What has to happen with them before you go "
        "on to x?",
        "Collect at y first, both amounts side by side, and only then take the last step, which "
        "multiplies once.",
    ),
    place=4,
)
