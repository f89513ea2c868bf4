"""`graph-dual`: numbers that carry their own derivative along."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.exercises import _dual_classes as duals
from graders.inputs import case, positive
from graders.judging.diagnosis import Deviation
from graders.observe.dual_numbers import one_operation, whole_formulas

CHANGED = (
    "Your operation changes a dual that it was given, which others may still need; what comes out "
    "belongs in a new one."
)


def _changes_an_operand(deviations: Sequence[Deviation]) -> str:
    stay = [each for each in deviations if each.subject == "x and y stay as they are"]
    return CHANGED if any(each.observed is False for each in stay) else ""


def _numbers(rng: np.random.Generator) -> dict[str, Any]:
    """A positive x and a negative y, with tangents that are neither zero nor one."""
    x, dx, y, dy = (float(each) for each in positive(rng, 4))
    drawn = {"x": x, "tangent of x": dx + 1, "y": -y, "tangent of y": -dy - 1}
    return {name: round(number, 2) for name, number in drawn.items()}


def _operations(*expressions: str) -> Callable[[np.random.Generator], dict[str, object]]:
    def draw(rng: np.random.Generator) -> dict[str, object]:
        plain = {"k": f"{rng.integers(2, 6)}", "h": f"{rng.integers(21, 29) / 10}"}
        texts = [
            " ".join(plain.get(part, part) for part in expression.split())
            for expression in expressions
        ]
        return {"cases": [case(text, **_numbers(rng)) for text in texts]}

    return draw


EXERCISE = Exercise(
    id="graph-dual",
    lesson="01_computation_graph",
    section="Dual numbers: value and tangent travel together",
    title="Numbers that carry their derivative",
    symbol="Dual",
    kind="implement",
    points=8,
    difficulty=2,
    minutes=7,
    task=(
        "Complete `Dual`: a number with a `value` and a `tangent`, which says how fast the value "
        "moves. `*`, `+`, `log()` and `sin()` return a new `Dual`. On either side of `*` and `+` "
        "a plain number may stand, too, such as `3 * x` or `x + 0.5`; it is a constant.\n\n"
        "Python turns `x * y` into `x.__mul__(y)`, and `3 * x` into `x.__rmul__(3)`."
    ),
    starter='''\
class Dual:
    """A value together with its tangent: how fast the value moves."""

    def __init__(self, value, tangent):
        self.value = value
        self.tangent = tangent

    def __add__(self, other): ...

    def __radd__(self, other): ...

    def __mul__(self, other): ...

    def __rmul__(self, other): ...

    def log(self): ...

    def sin(self): ...
''',
    reference=duals.Dual,
    checks=(
        Check(
            "sum",
            1,
            one_operation,
            _operations("x + y", "x + x"),
            passes="Sums are right.",
            fails="Sums are not right.",
        ),
        Check(
            "product",
            2,
            one_operation,
            _operations("x * y", "x * x"),
            passes="Products are right.",
            fails="Products are not right.",
        ),
        Check(
            "log and sin",
            2,
            one_operation,
            _operations("x.log()", "x.sin()", "y.sin()"),
            passes="Logarithm and sine are right.",
            fails="At least one of logarithm and sine is wrong.",
        ),
        Check(
            "plain numbers",
            2,
            one_operation,
            _operations("x + k", "k + y", "x + h", "h + x", "y * h", "h * x", "y * k", "k * x"),
            passes="Plain numbers work on either side.",
            fails="With a plain number on one side, something goes wrong.",
        ),
        Check(
            "whole formulas",
            1,
            whole_formulas,
            _numbers,
            passes="Results can go into further computations.",
            fails="A longer formula cannot be computed.",
            after=("sum", "product"),
            statements=True,
        ),
    ),
    misconceptions=(
        Misconception(
            "product-of-tangents",
            "In a product you multiply the tangents. If only one factor moves, your tangent is "
            "zero, although the product moves as well.",
            duals.ProductOfTangents,
        ),
        Misconception(
            "tangents-added",
            "In a product you add the tangents, as in a sum. How much the motion of one factor "
            "matters depends on how large the other one is.",
            duals.TangentsAdded,
        ),
        Misconception(
            "tangents-subtracted",
            "In a product you subtract one part of the tangent from the other. That minus belongs "
            "to the rule for a quotient.",
            duals.TangentsSubtracted,
        ),
        Misconception(
            "tangents-added-for-numbers-too",
            "In a product you add the tangents, as in a sum, so that a plain factor changes the "
            "value alone. How much one factor's motion matters depends on how large the other is.",
            duals.TangentsAddedAlways,
        ),
        Misconception(
            "only-the-first-factor-moves",
            "In a product you let only the first factor move. The second one has a tangent of its "
            "own.",
            duals.FirstHalfOfTheProductRule,
        ),
        Misconception(
            "only-the-second-factor-moves",
            "In a product you let only the second factor move. The first one has a tangent of its "
            "own.",
            duals.SecondHalfOfTheProductRule,
        ),
        Misconception(
            "own-factors",
            "In a product you weight each tangent by the value of the same factor. Look at the "
            "product rule again: which value belongs to which tangent?",
            duals.OwnFactors,
        ),
        Misconception(
            "inner-derivative-forgotten-in-log",
            "Your `log()` returns its own slope as tangent. In the chain rule, the tangent of the "
            "input is the other factor.",
            duals.LogWithoutTheTangent,
        ),
        Misconception(
            "inner-derivative-forgotten-in-sin",
            "Your `sin()` returns its own slope as tangent. In the chain rule, the tangent of the "
            "input is the other factor.",
            duals.SinWithoutTheTangent,
        ),
        Misconception(
            "slope-forgotten-in-log",
            "Your `log()` hands on the tangent of its input. The logarithm moves faster or slower "
            "than what it is taken of: how steep is it there?",
            duals.LogWithoutItsSlope,
        ),
        Misconception(
            "slope-forgotten-in-sin",
            "Your `sin()` hands on the tangent of its input. The sine moves faster or slower than "
            "what it is taken of: how steep is it there?",
            duals.SinWithoutItsSlope,
        ),
        Misconception(
            "log-and-sin-of-the-tangent",
            "You take logarithm and sine of the tangent as well. The function is applied to the "
            "value only; the tangent is scaled by the function's slope.",
            duals.LogAndSinOfTheTangent,
        ),
        Misconception(
            "constants-move",
            "You treat a plain number as if it moved with speed one, like the chosen input. A "
            "constant does not move.",
            duals.ConstantsMove,
        ),
        Misconception(
            "number-added-to-both-halves",
            "You add a plain number to the tangent, too. It shifts the value, but a constant shift "
            "does not make anything move faster.",
            duals.NumberAddedToBoth,
        ),
        Misconception(
            "number-stops-a-sum",
            "With a plain number as a term, the tangent of your sum is zero. The number does not "
            "move, but the other term still does.",
            duals.NumberStopsASum,
        ),
        Misconception(
            "number-stops-a-product",
            "With a plain number as a factor, the tangent of your product is zero. The number does "
            "not move, but the other factor still does.",
            duals.NumberStopsAProduct,
        ),
        Misconception(
            "number-scales-the-value-only",
            "A plain factor scales your value and leaves the tangent as it was. Something three "
            "times as large also moves three times as fast.",
            duals.NumberScalesTheValueOnly,
        ),
        Misconception(
            "no-numbers",
            "Your `*` and `+` work between duals, but not with a plain number. Ask what the "
            "tangent of a constant is.",
            duals.NoNumbers,
        ),
        Misconception(
            "numbers-yet-to-come",
            "Your `*` and `+` work between duals. A plain number on the right still stops them, "
            "and for one on the left `__radd__` and `__rmul__` are still empty.",
            duals.NumbersYetToCome,
        ),
        Misconception(
            "no-number-left-of-plus",
            "A plain number works, but not on the left of `+`. In that case Python calls another "
            "method than `__add__`.",
            duals.NoNumberLeftOfPlus,
        ),
        Misconception(
            "no-number-left-of-times",
            "A plain number works, but not on the left of `*`. In that case Python calls another "
            "method than `__mul__`.",
            duals.NoNumberLeftOfTimes,
        ),
    ),
    hints=(
        "Each operation does two things: it computes its value as usual, and it works out how fast "
        "that value moves when its inputs move.",
        "In the four lines of the lesson, find the one for a product and the ones for logarithm "
        "and sine. Each contains the tangents of the inputs as factors.",
        "A sum adds tangents; a product follows the product rule; `log()` and `sin()` multiply the "
        "input's tangent by their slope at the input's value. The tangent of a constant is zero.",
    ),
    variants=(
        Variant("numbers become duals, NumPy, prints", duals.Lifting),
        Variant("a tuple with properties", duals.ATuple),
        Variant("one method under two names, and slots", duals.WithSlots),
        Variant("more than was asked for", duals.Richer),
    ),
    suspicion=_changes_an_operand,
    place=2,
)
