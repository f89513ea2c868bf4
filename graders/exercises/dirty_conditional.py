"""`dirty-conditional`: a Function that changes its input sometimes, and marks it only then."""

from __future__ import annotations

import numpy as np

from graders.exercise import Check, Exercise, Misconception, Remark, Variant, noted
from graders.exercises import _conditional_functions as solutions
from graders.inputs import case, positive
from graders.observe import scenarios


def gradients_by_branch(function, lab):
    """Send a random gradient back, for each branch, and then the opposite of it.

    Notes where backward returned None.
    """
    for each in lab.cases():
        leaves = each.arguments()
        output = each.apply(function, each.copies(leaves))
        kept = each.watch_gradient(output)
        output.backward(each.upstream(output))
        each.record("backward leaves grad_output as it was", kept())
        each.record_gradients(leaves)
        if leaves["x"].grad is None:
            each.note("none for zero", True)
        again = each.arguments()
        output = each.apply(function, each.copies(again))
        output.backward(-each.upstream(output))
        found = [given["x"].grad for given in (leaves, again)]
        one, other = (0.0 if gradient is None else gradient.item() for gradient in found)
        each.record(
            "the opposite gradient from above gives the opposite gradient of x", one == -other
        )


def no_false_alarm(function, lab):
    """Apply the Function where nothing is to be changed: nobody may be disturbed.

    Notes where a copy comes back.
    """
    for each in lab.cases():
        leaves = each.arguments()
        inner = each.copies(leaves)
        earlier = inner["x"] * inner["x"]
        output = each.apply(function, inner)
        if output.data_ptr() != inner["x"].data_ptr():
            each.note("copied", True)
        for statement, use, given in (
            ("a product of x computed before finds its gradient", earlier.backward, ()),
            ("a leaf that need not be changed is accepted", each.run, (function, leaves)),
        ):
            holds = True
            try:
                use(*given)
            except RuntimeError:
                holds = False
            each.record(statement, holds)


def several_calls(function, lab):
    """Calls that take different branches are alive at once; then the result is changed."""
    for each in lab.cases():
        leaves = each.arguments()
        output = each.apply(function, each.copies(leaves))
        opposite = {"x": (leaves["x"] * -1).detach().requires_grad_()}
        each.apply(function, each.copies(opposite))
        # Of the other sign than x, so that it is no matter of luck who asks for the wrong one.
        output.backward(-each.upstream(output).abs() * leaves["x"].detach().sign())
        each.record_gradients(leaves)


def decides_in_forward(function, lab):
    """Make the result negative later: an error is right, and so is the old decision."""
    for each in lab.cases():
        same = each.survives(function, lambda x: x.sub_(10))
        each.record("a later change of the result does not change the decision", same)


def none_may_stand_for_zero(record, observed, expected):
    """A backward that returns None says zero too; only `.grad` is then left as it was."""
    if record.endswith("gradient of x") and observed is None:
        return True if not np.any(expected.values) else None
    return None


def _negative(rng):
    return np.asarray(-positive(rng), dtype=np.float32)


def _both_sides(rng):
    zero = np.zeros((), dtype=np.float32)
    return {
        "cases": [
            case("a positive number", x=positive(rng)),
            case("a negative number", x=_negative(rng)),
            case("zero", x=zero),
            case("a small positive number", x=np.asarray(0.1 * positive(rng), np.float32)),
        ]
    }


def _positive(rng):
    return {"cases": [case("a positive number", x=positive(rng))]}


def _unchanged(rng):
    return {"cases": _both_sides(rng)["cases"][1:3]}


EXERCISE = Exercise(
    id="dirty-conditional",
    lesson="08_mark_dirty",
    section="Decisions belong on ctx",
    title="Add one, but only to what is positive",
    symbol="ConditionalAddOne_",
    kind="implement",
    points=5,
    difficulty=2,
    minutes=8,
    task=(
        "Write `ConditionalAddOne_` for a single number (a 0-d tensor). If `x` is greater than "
        "zero, add one to it in place and keep the whole contract of an in-place Function; "
        "otherwise return `x` unchanged, so that no other operation is affected.\n"
        "\n"
        "Follow the document's convention for the gradient: what arrives is passed on where one "
        "was added, and the gradient is 0 where `x` was returned unchanged."
    ),
    starter='''\
class ConditionalAddOne_(Function):
    """x + 1 in the memory of x where x is positive, else x as it is."""

    @staticmethod
    def forward(ctx, x):
        # Your code here.
        ...

    @staticmethod
    def backward(ctx, grad_output):
        # Your code here.
        ...
''',
    reference=solutions.ConditionalAddOne_,
    checks=(
        Check(
            "values",
            1,
            scenarios.inplace_values,
            _both_sides,
            passes="The values are right on both sides of zero and at zero.",
            fails="The values are not right on both sides of zero, or not at zero.",
        ),
        Check(
            "gradient",
            4,
            gradients_by_branch,
            _both_sides,
            passes="The gradient follows the convention on both sides.",
            fails="The gradient does not follow the convention on both sides.",
            judge=none_may_stand_for_zero,
        ),
        Check(
            "same tensor",
            1,
            scenarios.inplace_identity,
            _positive,
            passes="Where one is added, the input itself comes back with a higher version.",
            fails="Where one is added, the input itself does not come back with a higher version.",
            statements=True,
        ),
        Check(
            "leaf refused",
            1,
            scenarios.inplace_leaf,
            _positive,
            passes="A positive leaf that requires grad is refused.",
            fails=(
                "A positive leaf that requires grad is not refused with the error that it should "
                "raise."
            ),
            statements=True,
        ),
        Check(
            "no false alarm",
            1,
            no_false_alarm,
            _unchanged,
            passes="Where nothing is changed, no other operation is affected.",
            fails="Although nothing is changed, another operation raises an error.",
            after=("values", "gradient"),
            statements=True,
        ),
        Check(
            "several calls",
            1,
            several_calls,
            lambda rng: {"cases": _both_sides(rng)["cases"][:2]},
            passes="Each call remembers its own decision.",
            fails="Several calls interfere with each other.",
            judge=none_may_stand_for_zero,
        ),
        Check(
            "decision",
            1,
            decides_in_forward,
            _positive,
            passes="The decision of forward counts, whatever happens to the result later.",
            fails="When the result is changed later, backward decides again, without an error.",
            after=("gradient",),
            statements=True,
        ),
    ),
    misconceptions=(
        Misconception(
            "one-on-both-sides",
            "Your gradient is 1 on both sides, which is right by calculus: returning a number "
            "unchanged has slope one. But this exercise follows the document's convention, so "
            "backward has to know which branch forward took.",
            solutions.OneOnBothSides,
        ),
        Misconception(
            "branches-turned-round",
            "Your gradient stops for positive numbers and passes for the others. The convention "
            "is the other way round.",
            solutions.TurnsTheBranchesRound,
        ),
        Misconception(
            "zero-on-both-sides",
            "Your gradient is 0 on both sides. Where one was added, the output still changes with "
            "the input.",
            solutions.ZeroOnBothSides,
        ),
        Misconception(
            "marks-when-nothing-changed",
            "You mark the input even when you leave it unchanged. Such a false alarm makes other "
            "operations fail although their saved values are still right, and it refuses leaves "
            "for no reason.",
            solutions.MarksAlways,
        ),
        Misconception(
            "remembers-for-all-calls",
            "The decision is stored in one place that all calls share, so the last call decides "
            "for those before it. Each call has its own `ctx`.",
            solutions.RemembersForAllCalls,
        ),
        Misconception(
            "asks-for-zero",
            "You add one to every number that is not zero. A condition that is just a number "
            "tests whether it is different from zero, not whether it is positive.",
            solutions.AsksForZero,
        ),
        Misconception(
            "asks-the-gradient",
            "Your backward tests whether the gradient is positive. What counts is whether one was "
            "added to `x`, and forward knew that.",
            solutions.AsksTheGradient,
        ),
        Misconception(
            "asks-the-input-again",
            "Your backward tests the input again. By then it may have been changed, without an "
            "error; forward knew the answer.",
            solutions.AsksTheInputAgain,
        ),
        Misconception(
            "not-marked",
            "Where one is added, you change the memory of the input, but do not tell the engine. "
            "So it treats your output as a new tensor, and the value of a leaf is overwritten "
            "without an error.",
            solutions.NotMarked,
        ),
        Misconception(
            "out-of-place",
            "You leave the input as it was where one should be added. In place means that the "
            "memory of the input itself holds the new value.",
            solutions.OutOfPlace,
        ),
        Misconception(
            "ignores-grad-output",
            "Your backward returns 1 or 0 itself, as if this were the last step of the "
            "computation. The gradient that arrives from above, `grad_output`, is not used.",
            solutions.IgnoresGradOutput,
        ),
        Misconception(
            "adds-to-the-others",
            "You add to negative numbers and leave positive ones alone: the condition is reversed.",
            solutions.AddsToTheOthers,
        ),
        Misconception(
            "adds-always",
            "You add one to every number. There is no test whether it is positive.",
            solutions.AddsAlways,
        ),
        Misconception(
            "counts-zero-in",
            "You add one at zero too. Zero is not greater than zero.",
            solutions.CountsZeroIn,
        ),
    ),
    hints=(
        "Backward has to know which branch forward took. Where can a call leave a note for its "
        "own backward?",
        "Such a note can be a plain True or False, so it may be an ordinary attribute of `ctx`. "
        "The mark belongs in the branch that changes something, and only there.",
        "Decide once, in forward, and store the decision on `ctx`. In the positive branch change, "
        "mark and return the input; in the other return it unchanged. Backward reads the note and "
        "returns either what arrived or zeros of the same shape.",
    ),
    remarks=(
        Remark(
            "none-for-zero",
            "Your backward returns None where the gradient is zero. The engine takes that as "
            "“nothing to add”, so `.grad` may stay None instead of becoming 0.",
            noted("none for zero"),
        ),
        Remark(
            "copied",
            "Where nothing is added you return a copy of `x`, with memory of its own. A later "
            "in-place change of the result then reaches `x` for positive numbers only; you can "
            "simply return `x` itself.",
            noted("copied"),
        ),
    ),
    variants=(
        Variant("the slope is saved", solutions.SavesTheSlope),
        Variant("None for zero, type hints", solutions.NoneForZero),
    ),
    place=8,
)
