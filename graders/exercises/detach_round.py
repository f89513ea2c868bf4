"""`detach-round`: rounded forward, straight through backward."""

from __future__ import annotations

import numpy as np

import autograd_core as torch
from autograd_core.autograd import Function
from graders.exercise import Check, Exercise, Misconception, Variant
from graders.inputs import case, shapes
from graders.observe import scenarios


def straight_through_round(x):
    """Return x rounded; backward passes the gradient on unchanged."""
    return x + (x.round() - x).detach()


def _step_under_no_grad(x: torch.Tensor) -> torch.Tensor:
    with torch.no_grad():
        step = torch.round(x) - x
    return x + step


def _zero_with_a_history(x):
    zero = x - x.detach()
    print(zero)
    return torch.round(x).detach() + zero


class _Round(Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


def _own_function(x):
    return _Round.apply(x)


def _copy_overwritten(x):
    y = x.clone()
    y.data = torch.round(x.data)
    return y


def _by_way_of_numpy(t):
    rounded = torch.from_numpy(np.asarray(np.rint(t.detach().numpy())))
    return t - (t.detach() - rounded)


def _gradient_zero(x):
    return torch.round(x)


def _everything_constant(x):
    return torch.round(x).detach()


def _wrong_part_detached(x):
    return x.detach() + (x.round() - x)


def _roles_swapped(x):
    return x.round() + (x - x.round()).detach()


def _correction_with_the_wrong_sign(x):
    return x + (x - x.round()).detach()


def _constant_factor(x):
    return x * (x.round() / x).detach()


class _TimesTheValue(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.round()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return grad_output * y


def _times_the_value(x):
    return _TimesTheValue.apply(x)


class _TimesTheInput(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.round()

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * x


class _AlwaysOne(Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, grad_output):
        return torch.ones_like(grad_output)


def _always_one(x):
    return _AlwaysOne.apply(x)


def _halves_up(x):
    return x + (torch.floor(x + 0.5) - x).detach()


def _halves_away_from_zero(x):
    return x + (torch.sign(x) * torch.floor(x.abs() + 0.5) - x).detach()


def _cut_off_behind_the_point(x):
    return x + (x.trunc() - x).detach()


def _rounded_down(x):
    return x + (x.floor() - x).detach()


def _rounded_up(x):
    return x + (x.ceil() - x).detach()


def _sum_of_both(x):
    return x + x.round().detach()


def _times_x(x):
    return _TimesTheInput.apply(x)


def _new_leaf(x):
    return x.round().detach().requires_grad_()


def _rounds_x_itself(x):
    x.data.round_()
    return x


def _unrounded(x):
    return x + (x - x.detach())


def numbers(rng, *shape):
    """Return numbers of either sign with a fraction that is not near a half."""
    whole, fraction = rng.integers(-4, 4, shape), rng.choice([0.2, 0.3, 0.7, 0.8], shape)
    return np.asarray(whole + fraction, dtype=np.float32)


def _halves(rng):
    halves = rng.permutation(np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5], dtype=np.float32))
    return {"cases": [case("halves", x=halves), case("a single half", x=halves[:1].reshape(()))]}


def _shapes(rng):
    return shapes(rng, numbers)


EXERCISE = Exercise(
    id="detach-round",
    lesson="06_detach",
    section="A step that learns",
    title="Round, and still learn",
    symbol="straight_through_round",
    kind="implement",
    points=5,
    difficulty=3,
    minutes=4,
    task=(
        "Write `straight_through_round(x)`: its value is that of `torch.round(x)`, and its "
        "gradient is 1 everywhere, so that what arrives from above is passed on unchanged. It has "
        "to work for every shape, and `x` itself stays as it is."
    ),
    starter="""\
def straight_through_round(x):
    ...
""",
    reference=straight_through_round,
    checks=(
        Check(
            "value",
            1,
            scenarios.plain_values,
            _shapes,
            passes="The values are rounded.",
            fails="The values are not rounded as they should be.",
        ),
        Check(
            "halves",
            1,
            scenarios.plain_values,
            _halves,
            passes="Halves are rounded as torch rounds them.",
            fails="Halves are not rounded as torch rounds them.",
        ),
        Check(
            "gradient",
            2,
            scenarios.plain_gradients,
            _shapes,
            passes="The gradient is passed on unchanged.",
            fails="The gradient is not passed on unchanged.",
        ),
        Check(
            "in a larger graph",
            1,
            scenarios.plain_in_graph,
            lambda rng: {"cases": [case("a matrix", x=numbers(rng, 2, 3))]},
            passes="It works in the middle of a larger graph, and as often as it is called.",
            fails="It does not work in the middle of a larger graph.",
        ),
    ),
    misconceptions=(
        Misconception(
            "gradient-zero",
            "Your gradient is zero everywhere, which is the true slope of a staircase. Backward "
            "should not see the rounding at all.",
            _gradient_zero,
        ),
        Misconception(
            "everything-constant",
            "No gradient flows back, because your result has no history. The value may come from "
            "a constant, but something that depends on `x` has to be recorded.",
            _everything_constant,
        ),
        Misconception(
            "wrong-part-detached",
            "The value is right, but the gradient has the wrong sign. You made the part constant "
            "that should carry the gradient.",
            _wrong_part_detached,
        ),
        Misconception(
            "roles-swapped",
            "You have the roles reversed: the value is that of `x`, and the gradient is that of "
            "the rounding. Ask which part backward should see.",
            _roles_swapped,
        ),
        Misconception(
            "correction-with-the-wrong-sign",
            "The gradient is right, but the value lies on the other side of `x`, just as far from "
            "it as the rounded number. Look at the sign of what you add.",
            _correction_with_the_wrong_sign,
        ),
        Misconception(
            "constant-factor",
            "The value is right, but the constant that you multiply by becomes the gradient. Which "
            "operation with a constant has slope one?",
            _constant_factor,
        ),
        Misconception(
            "times-the-value",
            "Your gradient has the rounded value as a factor. What arrives from above should be "
            "passed on unchanged, whatever the value is.",
            _times_the_value,
        ),
        Misconception(
            "times-the-input",
            "Your gradient has `x` as a factor. What arrives from above should be passed on "
            "unchanged, whatever `x` is.",
            _times_x,
        ),
        Misconception(
            "always-one",
            "Your gradient is one, whatever arrives from above. A slope of one means that the "
            "gradient from above is passed on unchanged.",
            _always_one,
        ),
        Misconception(
            "rounded-down",
            "You round down, to the next whole number below. The nearest one is wanted.",
            _rounded_down,
        ),
        Misconception(
            "rounded-up",
            "You round up, to the next whole number above. The nearest one is wanted.",
            _rounded_up,
        ),
        Misconception(
            "sum-of-both",
            "The gradient is right, but your value is the sum of `x` and the rounded number. What "
            "would have to be subtracted again?",
            _sum_of_both,
        ),
        Misconception(
            "cut-off-behind-the-point",
            "You cut off the digits after the decimal point. The nearest whole number is wanted.",
            _cut_off_behind_the_point,
        ),
        Misconception(
            "halves-up",
            "You round halves up. `torch.round` rounds a half to the even neighbour, so that "
            "halves do not always go the same way.",
            _halves_up,
        ),
        Misconception(
            "halves-away-from-zero",
            "You round halves away from zero. `torch.round` rounds a half to the even neighbour.",
            _halves_away_from_zero,
        ),
        Misconception(
            "new-leaf",
            "Your result requires grad, but no gradient ever reaches `x`. Either the result is a "
            "new leaf, or its backward passes nothing on.",
            _new_leaf,
        ),
        Misconception(
            "rounds-x-itself",
            "You have rounded `x` itself, in its own memory. Everything else that uses `x` now "
            "finds other numbers there.",
            _rounds_x_itself,
        ),
        Misconception(
            "unrounded",
            "Nothing is rounded, and the gradient is twice what it should be. The two parts that "
            "cancel in the value do not cancel in backward.",
            _unrounded,
        ),
    ),
    hints=(
        "Adding a constant changes the value, but not the slope.",
        "By how much does the rounded number differ from `x`? Treat that difference as a fixed "
        "number.",
        "Start with `x`, which has slope one, and add what is missing to reach the rounded value. "
        "Backward must not know that this difference depends on `x`.",
    ),
    variants=(
        Variant("the step computed without recording", _step_under_no_grad),
        Variant("a zero that has a history", _zero_with_a_history),
        Variant("a Function of one's own", _own_function),
        Variant("a copy whose values are replaced", _copy_overwritten),
        Variant("by way of NumPy", _by_way_of_numpy),
    ),
    place=5,
)
