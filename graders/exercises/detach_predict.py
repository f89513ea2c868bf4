"""`detach-predict`: what is left of a gradient when one of two branches is detached?"""

from __future__ import annotations

import math

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.judging.closeness import number_of
from graders.observe import scenarios

X1, X2 = 1.0, 2.0
Y1 = X1 * X2
THROUGH_LOG = math.sin(Y1) / Y1 * X2
THROUGH_SIN = math.log(Y1) * math.cos(Y1) * X2


def _written(number: float) -> float:
    """Return what both `number` and its first four digits are close enough to."""
    return (number + round(number, 4)) / 2


def _from_four_digits(record: str, observed: object, expected: object) -> bool | None:
    """Accept -0.5768, which is what factors of four digits multiply to."""
    number = number_of(observed)
    return True if number is not None and -0.57695 < number < -0.57675 else None


EXERCISE = Exercise(
    id="detach-predict",
    lesson="06_detach",
    section="What detach cuts",
    title="One branch cut off",
    symbol="dz_dx1",
    kind="predict",
    points=2,
    difficulty=2,
    minutes=4,
    task=(
        "Before you run anything, read this program:\n\n"
        "```python\n"
        "x1 = torch.tensor(1.0, requires_grad=True)\n"
        "x2 = torch.tensor(2.0, requires_grad=True)\n"
        "y1 = x1 * x2\n"
        "y2 = torch.log(y1.detach())\n"
        "y3 = torch.sin(y1)\n"
        "z = y2 * y3\n"
        "z.backward()\n"
        "```\n\n"
        "Which number is `x1.grad` afterwards? Four digits are enough, and you may calculate: "
        "log 2 is 0.69315, sin 2 is 0.90930, and cos 2 is -0.41615."
    ),
    starter="dz_dx1 = ...\n",
    reference=THROUGH_SIN,
    checks=(
        Check(
            "the gradient",
            1,
            scenarios.value,
            lambda rng: {},
            passes="Your number is right.",
            fails="Your number is not what `x1.grad` holds.",
            judge=_from_four_digits,
        ),
    ),
    misconceptions=(
        Misconception(
            "detach-ignored",
            "That is the gradient without `detach`, with both branches counted. Which of the two "
            "does backward no longer reach?",
            _written(THROUGH_LOG + THROUGH_SIN),
        ),
        Misconception(
            "wrong-branch-cut",
            "You kept the branch of the logarithm and dropped that of the sine. Look again at "
            "which of them uses the detached tensor.",
            _written(THROUGH_LOG),
        ),
        Misconception(
            "everything-cut",
            "You expect nothing to reach `x1`. `detach` returns a new tensor without history, and "
            "`y1` itself keeps its own.",
            0.0,
        ),
        Misconception(
            "stopped-at-the-product",
            "That is the gradient of `y1`. From there it still has to pass through the product to "
            "`x1`.",
            _written(THROUGH_SIN / X2),
        ),
        Misconception(
            "stopped-at-the-product-uncut",
            "That is the gradient of `y1` without `detach`. Here one branch is cut off, and from "
            "`y1` there is one more step to `x1`.",
            _written((THROUGH_LOG + THROUGH_SIN) / X2),
        ),
        Misconception(
            "value-lost-with-history",
            "You left out what the sine is multiplied by. A detached tensor loses its history, "
            "not its value: the logarithm is now a constant, but still a factor.",
            _written(math.cos(Y1) * X2),
        ),
        Misconception(
            "sine-not-differentiated",
            "You multiplied by the sine itself. What counts for the branch that is left is the "
            "slope of the sine.",
            _written(math.log(Y1) * math.sin(Y1) * X2),
        ),
        Misconception(
            "slope-of-the-cosine",
            "You took the slope of a cosine. The branch that is left is a sine.",
            _written(-math.log(Y1) * math.sin(Y1) * X2),
        ),
        Misconception(
            "value-for-gradient",
            "That is the value of `z` itself. The question is how it changes with `x1`.",
            _written(math.log(Y1) * math.sin(Y1)),
        ),
        Misconception(
            "sign-lost",
            "The size is right, but the sign is not. Look at the sign of the slope of the sine at "
            "2 radians.",
            _written(-THROUGH_SIN),
        ),
        Misconception(
            "degrees",
            "You took the cosine of two degrees. Sine and cosine work in radians here.",
            _written(math.log(Y1) * math.cos(math.radians(Y1)) * X2),
        ),
        Misconception(
            "logarithm-to-base-ten",
            "You took the logarithm to base ten. `torch.log` is the natural logarithm.",
            _written(math.log10(Y1) * math.cos(Y1) * X2),
        ),
        Misconception(
            "rounded-to-three-digits",
            "You are on the right track, but rounded too much. Give four digits.",
            round(THROUGH_SIN, 3),
        ),
        Misconception(
            "rounded-to-two-digits",
            "You are on the right track, but rounded far too much. Give four digits.",
            round(THROUGH_SIN, 2),
        ),
        Misconception(
            "cut-off-after-three-digits",
            "You are on the right track, but your number is cut off too soon. Give four digits.",
            math.trunc(THROUGH_SIN * 1e3) / 1e3,
        ),
        Misconception(
            "cut-off-after-two-digits",
            "You are on the right track, but your number is cut off much too soon. Give four "
            "digits.",
            math.trunc(THROUGH_SIN * 1e2) / 1e2,
        ),
        Misconception(
            "no-gradient-expected",
            "You expect no gradient at all. There are two paths from the result back to `x1`, and "
            "only one of them is cut.",
            None,
        ),
        Misconception(
            "error-expected",
            "You expect backward to fail. It needs only one path back to a leaf that requires "
            "grad, and one is left.",
            "error",
        ),
    ),
    hints=(
        "Draw the paths from `z` back to `x1`. There are two of them, and one ends early.",
        "A detached branch still contributes its value. For backward that value is a constant "
        "factor.",
        "So the product has one constant factor and one that depends on `y1`. Take the slope of "
        "the second, keep the first as it is, and do not forget the last step from `y1` to `x1`.",
    ),
    variants=(
        Variant("four digits", round(THROUGH_SIN, 4)),
        Variant("the digits that float32 prints", -0.5769020318984985),
    ),
    place=1,
)
