"""`dirty-multiply-add`: an in-place Function to repair, whose backward needs what it overwrites."""

from __future__ import annotations

from graders.exercise import Check, Exercise, Misconception, Remark, Variant, noted
from graders.exercises import _multiply_add_functions as solutions
from graders.inputs import case, signed
from graders.observe import scenarios


def no_side_effects(function, lab):
    """Are the gradient that backward is given, the output and the inputs the same afterwards?"""
    from graders.observe.lab import same_numbers

    for each in lab.cases():
        inner = each.copies(each.arguments())
        output = each.apply(function, inner)
        gradient = each.upstream(output)
        watched = {"grad_output": gradient, "the output": output.detach()}
        watched |= {name: tensor.detach() for name, tensor in inner.items()}
        before = {name: tensor.clone() for name, tensor in watched.items()}
        output.backward(gradient)
        for name, tensor in watched.items():
            kept = same_numbers(tensor.numpy(), before[name].numpy())
            each.record(f"backward leaves {name} as it was", kept)


def _cases(rng):
    with_zero = signed(rng, 3)
    with_zero[1] = 0
    return {
        "cases": [
            case("two single numbers", x1=signed(rng), x2=signed(rng)),
            case("two vectors", x1=signed(rng, 3), x2=signed(rng, 3)),
            case("two matrices", x1=signed(rng, 2, 3), x2=signed(rng, 2, 3)),
            case("a second vector with a zero", x1=signed(rng, 3), x2=with_zero),
            case("empty vectors", x1=signed(rng, 0), x2=signed(rng, 0)),
            case("a second vector without gradient", frozen=["x2"], **_pair(rng)),
            case("a first vector without gradient", frozen=["x1"], **_pair(rng)),
        ]
    }


def _pair(rng):
    return {"x1": signed(rng, 3), "x2": signed(rng, 3)}


def _vectors(rng):
    return {"cases": [case("two vectors", changed=["x2"], **_pair(rng))]}


EXERCISE = Exercise(
    id="dirty-multiply-add",
    lesson="08_mark_dirty",
    section="Save what you are about to overwrite",
    title="Repair a product in place",
    symbol="MultiplyAddOne_",
    kind="repair",
    points=6,
    difficulty=3,
    minutes=8,
    task=(
        "`MultiplyAddOne_.apply(x1, x2)` should turn `x1` into x1 · x2 + 1 in its own memory, and "
        "leave `x2` as it is; both have the same shape. The class definition below runs without an "
        "error, but nothing else about it works. Find the mistakes (there is more than one) and "
        "fix them."
    ),
    starter='''\
class MultiplyAddOne_(Function):
    """x1 * x2 + 1 in the memory of x1; x2 stays as it is."""

    @staticmethod
    def forward(ctx, x1, x2):
        ctx.mark_dirty(x1, x2)
        return x1.mul_(x2).add_(1)

    @staticmethod
    def backward(ctx, grad_output):
        x1, x2 = ctx.saved_tensors
        return grad_output.mul_(x2), grad_output.mul_(x1)
''',
    reference=solutions.MultiplyAddOne_,
    checks=(
        Check(
            "values",
            1,
            scenarios.inplace_values,
            _cases,
            passes="The values are right: x1 has changed in its own memory, x2 has not.",
            fails="The values are not right, in the output, in x1 or in x2.",
        ),
        Check(
            "gradients",
            4,
            scenarios.inplace_gradients,
            _cases,
            passes="Both gradients are right, whatever arrives from above.",
            fails="The gradients are not right.",
        ),
        Check(
            "same tensor",
            2,
            scenarios.inplace_identity,
            _vectors,
            passes="What comes back is x1 itself with a higher version, and x2 was not changed.",
            fails="What comes back is not x1 itself with a higher version, or x2 was changed.",
            statements=True,
        ),
        Check(
            "earlier users warned",
            1,
            scenarios.inplace_stale,
            _vectors,
            passes=(
                "Earlier operations that saved the old x1 raise an error; those that saved x2 do "
                "not."
            ),
            fails=(
                "Earlier operations that saved the old x1 do not raise the right error, or those "
                "that saved x2 do raise one."
            ),
            statements=True,
        ),
        Check(
            "leaf refused",
            1,
            scenarios.inplace_leaf,
            _vectors,
            passes="A leaf that requires grad is refused.",
            fails="A leaf that requires grad is not refused with the error that it should raise.",
            statements=True,
        ),
        Check(
            "later uses",
            1,
            scenarios.inplace_later,
            _vectors,
            passes="Later uses of x1 get the gradients of your Function.",
            fails="Later uses of x1 do not get the gradients of your Function.",
        ),
        Check(
            "saved tensors",
            1,
            scenarios.function_notices_changes,
            _vectors,
            passes="A later in-place change of x2 raises an error, or does no harm.",
            fails="A later in-place change of x2 makes the gradient wrong without an error.",
            after=("gradients",),
            statements=True,
        ),
        Check(
            "no side effects",
            1,
            no_side_effects,
            _vectors,
            passes="Backward changes nothing that other operations still use.",
            fails="Backward changes something that other operations still use.",
            after=("gradients",),
            statements=True,
        ),
    ),
    misconceptions=(
        Misconception(
            "marks-both",
            "You mark x2, which should stay as it is. A marked input counts as changed, and it "
            "has to be returned, because it gets a new place in the graph.",
            solutions.MarksBoth,
        ),
        Misconception(
            "returns-a-copy",
            "You mark one tensor and return another one, or none. An input that is marked gets a "
            "new place in the graph, so it has to be returned itself.",
            solutions.ReturnsACopy,
        ),
        Misconception(
            "saves-nothing",
            "Your backward reads what forward never saved. Nothing is kept for backward "
            "automatically, not even an input.",
            solutions.SavesNothing,
        ),
        Misconception(
            "saves-the-changed-input",
            "Your gradient for x2 is computed from the changed x1. Saving a tensor does not copy "
            "it, and no error warns you, because the version is recorded when forward has "
            "finished.",
            solutions.SavesTheChangedInput,
        ),
        Misconception(
            "multiplies-grad-output-in-place",
            "Both gradients contain both factors. After the first in-place product `grad_output` "
            "is no longer what arrived from above, and both results are the same tensor.",
            solutions.MultipliesInPlace,
        ),
        Misconception(
            "saves-changed-and-multiplies-in-place",
            "There are two mistakes: what you save is x1 after the change, and both gradients are "
            "the same tensor, multiplied in place twice.",
            solutions.SavesAndMultipliesWrong,
        ),
        Misconception(
            "not-marked",
            "You change the memory of x1, but do not tell the engine. So later uses of x1 know "
            "nothing of your Function, and the value of a leaf is overwritten without an error.",
            solutions.NotMarked,
        ),
        Misconception(
            "out-of-place",
            "You compute a new tensor and leave x1 as it was. In place means that the memory of "
            "x1 itself holds the new values.",
            solutions.OutOfPlace,
        ),
        Misconception(
            "swapped",
            "Your two gradients are swapped. How fast a product changes with one factor is given "
            "by the other factor.",
            solutions.Swapped,
        ),
        Misconception(
            "ignores-grad-output",
            "Your backward returns only the slopes of the product, as if this were the last step "
            "of the computation. The gradient that arrives from above, `grad_output`, is not used.",
            solutions.IgnoresGradOutput,
        ),
        Misconception(
            "changes-grad-output",
            "Your gradients are right, but backward changes `grad_output` in place. That tensor "
            "is not yours alone: other branches of the graph may still need it.",
            solutions.MultipliesInPlaceAtLast,
        ),
        Misconception(
            "multiplies-a-copy-in-place",
            "Both of your gradients are the same tensor, a copy of what arrives that is "
            "multiplied in place twice. So each input gets a gradient with both factors.",
            solutions.MultipliesACopyInPlace,
        ),
        Misconception(
            "adds-before-it-multiplies",
            "You add the one before you multiply. In x1 · x2 + 1 the one is not multiplied.",
            solutions.AddsFirst,
        ),
        Misconception(
            "divides-back",
            "You compute the old x1 back from the result. That cannot work where x2 is zero: "
            "after multiplying by zero the old value is lost.",
            solutions.DividesBack,
        ),
        Misconception(
            "keeps-factor-on-ctx",
            "You keep x2 where its version is not recorded, for example as a plain attribute of "
            "`ctx`. If it is changed in place before backward, the gradient is computed from the "
            "changed value and no error is raised.",
            solutions.KeepsFactorOnContext,
        ),
    ),
    hints=(
        "If `apply` raises an error, it names the duty that comes with a mark. If it does not, "
        "ask for each line of backward where its values come from.",
        "Only what is changed may be marked. Backward needs two values, and by the time it runs "
        "one of them has been overwritten, unless forward takes care of it first.",
        "Forward has to keep x2, and a copy of x1 made before the change, because saving a tensor "
        "does not copy it. In backward make two new tensors, so that `grad_output` is still "
        "unchanged for the second product.",
    ),
    remarks=(
        Remark(
            "kept-a-copy-of-x2",
            "You keep a copy of x2, which is safe but costs memory. `save_for_backward` needs no "
            "copy of a tensor that forward does not overwrite: it notices a later change.",
            noted("copied"),
        ),
    ),
    variants=(
        Variant("copies of both on ctx, and *=", solutions.CopiesBoth),
        Variant("needs_input_grad, copy_, type hints", solutions.OnlyWhatIsNeeded),
    ),
    place=3,
)
