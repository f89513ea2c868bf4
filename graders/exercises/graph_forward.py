"""`graph-forward`: the values of the document's function, step by step."""

from __future__ import annotations

from math import cos, log, log2, log10, radians, sin

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.inputs import keys
from graders.observe import scenarios


def _values(y1: float, y2: float, y3: float) -> dict[str, float]:
    return {"y1": y1, "y2": y2, "y3": y3, "z": y2 * y3}


TRUTH = _values(2.0, log(2), sin(2))


def _rounded(decimals: int) -> dict[str, float]:
    return {name: round(value, decimals) for name, value in TRUTH.items()}


def _one_rounded(name: str, decimals: int) -> Misconception:
    return Misconception(
        f"{name}-rounded-to-{decimals}-decimals",
        f"Your {name} is rounded too much to tell whether it is right. Give at least four "
        "decimals, or let Python calculate.",
        TRUTH | {name: round(TRUTH[name], decimals)},
    )


EXERCISE = Exercise(
    id="graph-forward",
    lesson="01_computation_graph",
    section="One formula, four steps",
    title="Four values on the way",
    symbol="values",
    kind="predict",
    points=4,
    difficulty=1,
    minutes=2,
    task=(
        "Calculate the four values at x1 = 1 and x2 = 2, before any cell of the lesson does. "
        "You may write numbers with at least four decimals, or let Python calculate: `math` is "
        "imported."
    ),
    starter="""\
values = {
    "y1": None,
    "y2": None,
    "y3": None,
    "z": None,
}
""",
    reference=TRUTH,
    checks=(
        Check(
            "product",
            1,
            scenarios.entries,
            keys("y1"),
            passes="Your y1 is right.",
            fails="Your y1 is not right.",
        ),
        Check(
            "logarithm",
            1,
            scenarios.entries,
            keys("y2"),
            passes="Your y2 is right.",
            fails="Your y2 is not right.",
        ),
        Check(
            "sine",
            1,
            scenarios.entries,
            keys("y3"),
            passes="Your y3 is right.",
            fails="Your y3 is not right.",
        ),
        Check(
            "result",
            1,
            scenarios.entries,
            keys("z"),
            passes="Your z is right.",
            fails="Your z is not right.",
        ),
    ),
    misconceptions=(
        Misconception(
            "log-to-base-ten",
            "You took the logarithm to base ten. In calculus, and in Python, log without a base is "
            "the natural logarithm.",
            _values(2.0, log10(2), sin(2)),
        ),
        Misconception(
            "sine-of-degrees",
            "You took the sine of an angle in degrees. Python's sine takes radians, and so does "
            "calculus: only then is its derivative simply the cosine.",
            _values(2.0, log(2), sin(radians(2))),
        ),
        Misconception(
            "base-ten-and-degrees",
            "You calculated in degrees and with the logarithm to base ten, perhaps on a calculator "
            "set that way. Here angles are in radians, and log is the natural logarithm.",
            _values(2.0, log10(2), sin(radians(2))),
        ),
        Misconception(
            "log-to-base-two",
            "You took the logarithm to base two. Without a base, the natural logarithm is meant.",
            _values(2.0, log2(2), sin(2)),
        ),
        Misconception(
            "adds-the-inputs",
            "Your first step adds x1 and x2, and the others follow from that. Look again at what "
            "stands inside the logarithm and the sine.",
            _values(3.0, log(3), sin(3)),
        ),
        Misconception(
            "adds-at-the-end",
            "Your last step adds the logarithm and the sine. In the formula they are the factors "
            "of a product.",
            TRUTH | {"z": log(2) + sin(2)},
        ),
        Misconception(
            "sine-of-the-logarithm",
            "You took the sine of y2, as if the steps formed a single chain. Both branches start "
            "from the same value, y1.",
            _values(2.0, log(2), sin(log(2))),
        ),
        Misconception(
            "one-input-for-each-branch",
            "You gave each branch an input of its own. Logarithm and sine are both taken of the "
            "product of the two inputs.",
            _values(2.0, log(1), sin(2)),
        ),
        Misconception(
            "first-step-is-one",
            "Your first step gives one, and the others follow from that. It takes both inputs, and "
            "multiplies them.",
            _values(1.0, log(1), sin(1)),
        ),
        Misconception(
            "slopes-for-values",
            "You wrote down slopes where values are asked for. The derivatives come later; in this "
            "step the formula is only evaluated.",
            _values(2.0, 1 / 2, cos(2)),
        ),
        Misconception(
            "rounded-to-two-decimals",
            "Your numbers are rounded too much to tell whether they are right. Give at least four "
            "decimals, or let Python calculate.",
            _rounded(2),
        ),
        Misconception(
            "rounded-to-three-decimals",
            "Your numbers have three decimals, one too few to tell whether they are right. Give at "
            "least four, or let Python calculate.",
            _rounded(3),
        ),
        *(_one_rounded(name, decimals) for name in ("y2", "y3") for decimals in (2, 3)),
        _one_rounded("z", 2),
        Misconception(
            "z-cut-off",
            "Your z is cut off after its fourth decimal. Rounding gives another last digit: look "
            "at the one that follows.",
            TRUTH | {"z": 0.6302},
        ),
    ),
    variants=(
        Variant("rounded to four decimals", _rounded(4)),
        Variant("a whole number and more keys", {**TRUTH, "y1": 2, "x1": 1, "x2": 2}),
    ),
    hints=(
        "Each value needs only values that stand above it. Begin with y1.",
        "y2 and y3 are both computed from y1: its natural logarithm, and its sine in radians.",
        "Python's module `math` has both functions. The last value is the product of the two "
        "before it.",
    ),
    place=1,
)
