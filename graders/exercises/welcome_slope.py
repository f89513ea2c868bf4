"""`welcome-slope`: a first exercise, to see what a check answers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import autograd_core as torch
from graders.exercise import Check, Exercise, Misconception, Variant
from graders.inputs import case, positive
from graders.judging.closeness import number_of
from graders.judging.diagnosis import Deviation
from graders.observe import scenarios

TOO_LARGE_A_STEP = (
    "All of your slopes are off by {:.1g}. If you take a step to one side, that is its length, and "
    "you get the average slope over the step: make it much smaller."
)
THE_SAME = (
    "You return the same number for every x. The curve becomes steeper and steeper, so the slope "
    "has to depend on where you are."
)


def slope(x):
    """Return the slope of y = x * x at the point x."""
    return 2 * x


def _by_the_engine(x):
    point = torch.tensor(float(x), requires_grad=True)
    y = point * point
    y.backward()
    print(y, point.grad)
    return point.grad


def _added_up(x: float) -> float:
    return x + x


def _by_a_small_step(point):
    h = 1e-6
    return ((point + h) ** 2 - (point - h) ** 2) / (2 * h)


class _Slope:
    def __init__(self, power):
        self.power = power

    def __call__(self, x):
        return np.float64(self.power * x ** (self.power - 1))


def _through_a_class(x):
    return _Slope(2)(x)


def _height(x):
    return x * x


def _half(x):
    return x


def _exponent_only(x):
    return 2


def _of_the_cube(x):
    return 3 * x**2


def _size_only(x):
    return abs(2 * x)


def _upside_down(x):
    return -2 * x


def _chord(x):
    return (x + 1) ** 2 - x**2


def _grad_added_up(x):
    point = torch.tensor(float(x), requires_grad=True)
    for _ in range(2):
        (point * point).backward()
    return float(point.grad)


def _printed(x):
    print(2 * x)


def _suspicion(deviations: Sequence[Deviation]) -> str:
    """Suspect a constant, or a step.

    Where y = x * x, a step to one side is off by its length, wherever it begins.
    """
    found = [(number_of(each.observed), number_of(each.expected)) for each in deviations]
    pairs = [(one, other) for one, other in found if one is not None and other is not None]
    if len(pairs) < len(found):
        return ""
    on_both_sides = len({other > 0 for _, other in pairs}) == 2
    if on_both_sides and len({one for one, _ in pairs}) == 1:
        return THE_SAME
    off = [one - other for one, other in pairs]
    if np.ptp(off) > 0.01 * abs(off[0]) or abs(off[0]) >= 1:
        return ""
    return TOO_LARGE_A_STEP.format(abs(off[0]))


def _numbers(sign: int):
    def draw(rng):
        sizes = [round(float(positive(rng)) + whole, 2) for whole in (2, 0, 7)]
        names = ("a number", "a small number", "a larger number")
        return {
            "cases": [case(name, x=sign * size) for name, size in zip(names, sizes, strict=True)]
        }

    return draw


EXERCISE = Exercise(
    id="welcome-slope",
    lesson="00_welcome",
    section="See and explain",
    title="Your first check",
    symbol="slope",
    kind="implement",
    points=2,
    difficulty=1,
    minutes=2,
    task=(
        "Write `slope(x)`. It takes a number x, positive or negative, and returns the slope of "
        "y = x · x at this point. Any method will do, with the engine or without it."
    ),
    starter='''\
def slope(x):
    """The slope of y = x * x at the point x."""
    return 0
''',
    reference=slope,
    checks=(
        Check(
            "right of zero",
            1,
            scenarios.call,
            _numbers(1),
            passes="The slope is right for positive numbers.",
            fails="The slope is not right for positive numbers.",
        ),
        Check(
            "left of zero",
            1,
            scenarios.call,
            _numbers(-1),
            passes="The slope is right for negative numbers.",
            fails="The slope is not right for negative numbers.",
        ),
    ),
    misconceptions=(
        Misconception(
            "the-height",
            "You return how high the curve is at this point. The slope says how steep it is there.",
            _height,
        ),
        Misconception(
            "half-the-slope",
            "Your slope is half of what it should be. In x · x both factors are the number, and "
            "both of them move when it moves.",
            _half,
        ),
        Misconception(
            "the-same-everywhere",
            "Your slope is the same everywhere, as on a straight line. This curve becomes steeper "
            "and steeper the farther you go from zero.",
            _exponent_only,
        ),
        Misconception(
            "another-power",
            "That is the slope of x · x · x. The product here has one factor less.",
            _of_the_cube,
        ),
        Misconception(
            "never-downhill",
            "Your slope is right in size, but never negative. Left of zero this curve goes down.",
            _size_only,
        ),
        Misconception(
            "upside-down",
            "Your slope has the wrong sign. It says that the curve goes down where it goes up.",
            _upside_down,
        ),
        Misconception(
            "a-whole-step",
            "That is how much y changes over a whole step to the right. The slope is what this "
            "change, divided by the step, approaches as the step becomes smaller and smaller.",
            _chord,
        ),
        Misconception(
            "added-up-twice",
            "Your slope is twice what it should be. If you call `backward` twice, gradients are "
            "added up; if you take a step to each side, the two points are two steps apart.",
            _grad_added_up,
        ),
        Misconception(
            "printed-not-returned",
            "Your function returns `None`. What it only prints does not reach the code that calls "
            "it, and in `.grad` there is `None` wherever backward has stored nothing.",
            _printed,
        ),
    ),
    hints=(
        "Move x a little to the right. By how much does y move, compared with that?",
        "You have seen the slope at 3 above. What would it be at 1, and at 10?",
        "A product with two equal factors: the slope is one factor plus the other.",
    ),
    variants=(
        Variant("by the engine, with a print", _by_the_engine),
        Variant("one plus the other, with type hints", _added_up),
        Variant("by a small step to both sides", _by_a_small_step),
        Variant("through a class, as a NumPy number", _through_a_class),
    ),
    suspicion=_suspicion,
)
