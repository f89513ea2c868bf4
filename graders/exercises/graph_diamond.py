"""`graph-diamond`: what arrives at x when two paths lead to it?"""

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
        "Two paths lead from y to z:\n\n"
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
            "You followed only the path with the factor five, as if it had overwritten the other "
            "one. When y moves, z moves along both paths at once.",
            15.0,
        ),
        Misconception(
            "first-way-wins",
            "You followed only the path with the factor two, as if y were done once something had "
            "arrived there. When y moves, z moves along both paths at once.",
            6.0,
        ),
        Misconception(
            "pushes-partial-sums",
            "You went on from y before both paths had arrived there, and then once more with the "
            "sum. What came first is counted twice; a node has to wait until everything has "
            "arrived.",
            27.0,
        ),
        Misconception(
            "pushes-partial-sums-the-other-way-round",
            "You went on from y with what came along the factor five, and then once more with the "
            "sum. What came first is counted twice; a node has to wait until everything has "
            "arrived.",
            36.0,
        ),
        Misconception(
            "stops-at-y",
            "That is the derivative of z with respect to y. One more step is left, from y to x.",
            7.0,
        ),
        Misconception(
            "long-way-stops-at-y",
            "Along the path with the factor five you stopped at y. Each of the two paths goes on "
            "from y to x.",
            11.0,
        ),
        Misconception(
            "short-way-stops-at-y",
            "Along the path with the factor two you stopped at y. Each of the two paths goes on "
            "from y to x.",
            17.0,
        ),
        Misconception(
            "multiplies-the-ways",
            "You multiplied what arrives along the two paths. Slopes are multiplied along one "
            "path; think about how two separate paths combine.",
            30.0,
        ),
        Misconception(
            "multiplies-whole-ways",
            "You multiplied the slopes of the two whole paths with each other. Each path moves z "
            "by its own amount, and both do so at the same time.",
            90.0,
        ),
        Misconception(
            "adds-along-the-way",
            "You added slopes that follow one another on one path. If y moves three times as far "
            "as x, and 2y twice as far as y, then 2y does not move five times as far as x.",
            13.0,
        ),
        Misconception(
            "adds-all-slopes",
            "You added all slopes. Only what arrives along different paths is added; slopes that "
            "follow one another on one path are not.",
            10.0,
        ),
        Misconception(
            "first-step-only",
            "That is the derivative of y with respect to x, the first of the steps. How z moves "
            "with y is missing.",
            3.0,
        ),
    ),
    variants=(Variant("a whole number", 21),),
    hints=(
        "Let x move by one. By how much does y move, and by how much does z?",
        "Two amounts arrive at y, one along each path. What has to happen with them before you go "
        "on to x?",
        "At y, first combine both amounts into one. Only then take the last step, which multiplies "
        "once.",
    ),
    place=4,
)
