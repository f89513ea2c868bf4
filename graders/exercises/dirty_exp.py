"""`dirty-exp`: an in-place Function that can do without what it overwrites."""

from __future__ import annotations

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.exercises import _exp_functions as functions
from graders.exercises.dirty_multiply_add import no_side_effects
from graders.inputs import case, shapes, signed
from graders.observe import scenarios


def later_change(function, lab):
    """Change the result between forward and backward: an error is right, and so is a copy."""
    for each in lab.cases():
        same = each.survives(function, lambda x: x.add_(1))
        each.record("a later change of the result never leads to a wrong gradient", same)


def keeps_the_result(function, lab):
    """Change the result between forward and backward: only who kept it itself has to refuse.

    And is anything kept beside it that takes as much memory?
    """
    import contextlib

    for each in lab.cases():
        output = each.apply(function, each.copies(each.arguments()))
        node, kept = output.grad_fn, []
        with contextlib.suppress(RuntimeError):  # what cannot be read is met below, too
            kept = [*vars(node).values(), *node.saved_tensors]
        others = [
            tensor
            for tensor in kept
            if each.is_tensor(tensor) and tensor.data_ptr() != output.data_ptr()
        ]
        copied = any(other.numel() >= output.numel() for other in others)
        each.record("a second tensor of that size is kept", copied)
        gradients = []
        for change in (None, lambda x: x.add_(1)):
            x, output, gradient = each.apply_and_change(function, change)
            try:
                (found,) = each.torch.autograd.grad(output, [x], gradient)
                gradients.append(found.numpy())
            except RuntimeError:
                gradients.append(None)
        # Which gradient it is about belongs to what is said: a wrong one has other reasons.
        each.record(
            "backward after a change of the result",
            {"is refused": gradients[1] is None, "gradient": gradients[0]},
        )


def _vector(rng):
    return {"cases": [case("a vector", x=signed(rng, 3))]}


EXERCISE = Exercise(
    id="dirty-exp",
    lesson="08_mark_dirty",
    section="Save what you have made",
    title="The exponential, in place and without a copy",
    symbol="Exp_",
    kind="implement",
    points=5,
    difficulty=2,
    minutes=6,
    task=(
        "Write `Exp_`, so that `Exp_.apply(x)` replaces each element of `x` by its exponential, "
        "with the whole contract of an in-place Function. In-place Functions exist to save memory, "
        "so keep no copy: save the output, which is all that backward needs."
    ),
    starter='''\
class Exp_(Function):
    """The exponential of x, in the memory of x."""

    @staticmethod
    def forward(ctx, x):
        # Your code here.
        ...

    @staticmethod
    def backward(ctx, grad_output):
        # Your code here.
        ...
''',
    reference=functions.Exp_,
    checks=(
        Check(
            "values",
            1,
            scenarios.inplace_values,
            shapes,
            passes="The values are right, in the output and in the input's own memory.",
            fails="The values are not right, in the output or in the input's memory.",
        ),
        Check(
            "gradient",
            2,
            scenarios.inplace_gradients,
            shapes,
            passes="The gradient is right, whatever arrives from above.",
            fails="The gradient is not right.",
        ),
        Check(
            "same tensor",
            1,
            scenarios.inplace_identity,
            _vector,
            passes="What comes back is the input itself, with a higher version.",
            fails="What comes back is not the input itself with a higher version.",
            statements=True,
        ),
        Check(
            "earlier users warned",
            1,
            scenarios.inplace_stale,
            _vector,
            passes=(
                "Earlier operations that saved the old values raise an error instead of "
                "computing a wrong gradient."
            ),
            fails=(
                "Earlier operations that saved the old values do not raise the error that should "
                "warn of it."
            ),
            statements=True,
        ),
        Check(
            "leaf refused",
            1,
            scenarios.inplace_leaf,
            _vector,
            passes="A leaf that requires grad is refused.",
            fails="A leaf that requires grad is not refused with the error that it should raise.",
            statements=True,
        ),
        Check(
            "later uses",
            1,
            scenarios.inplace_later,
            _vector,
            passes="Later uses of x get the gradient of your Function.",
            fails="Later uses of x do not get the gradient of your Function.",
        ),
        Check(
            "saved tensors",
            1,
            later_change,
            _vector,
            passes="A later in-place change of the result raises an error, or does no harm.",
            fails=(
                "A later in-place change of the result makes the gradient wrong without an error."
            ),
            after=("gradient",),
            statements=True,
        ),
        Check(
            "no copy",
            1,
            keeps_the_result,
            _vector,
            passes="What you keep is the result itself, protected by its version.",
            fails="What you keep is not the result itself, or its version does not protect it.",
            after=("gradient",),
        ),
        Check(
            "no side effects",
            1,
            no_side_effects,
            _vector,
            passes="Backward changes nothing that other operations still use.",
            fails="Backward changes something that other operations still use.",
            after=("gradient",),
            statements=True,
        ),
    ),
    misconceptions=(
        Misconception(
            "saves-the-input",
            "Your backward takes the exponential once more. The input that you saved was "
            "overwritten by forward, so in backward it already is the exponential.",
            functions.SavesTheInput,
        ),
        Misconception(
            "multiplies-by-the-input",
            "Your backward multiplies by the old x. The slope of the exponential is not x; "
            "compare it with the output.",
            functions.MultipliesByTheOldValue,
        ),
        Misconception(
            "takes-it-twice",
            "Your forward takes the exponential twice. An operator whose name ends in an "
            "underscore has changed the tensor by the time it returns it.",
            functions.TakesItTwice,
        ),
        Misconception(
            "returns-a-copy",
            "You mark one tensor and return another one, or none. An input that is marked gets a "
            "new place in the graph, so it has to be returned itself.",
            functions.ReturnsACopy,
        ),
        Misconception(
            "other-memory",
            "You give the input other memory instead of changing its own. Whatever shares the old "
            "memory, such as a view of the input, does not see the new values.",
            functions.GivesItOtherMemory,
        ),
        Misconception(
            "keeps-a-copy",
            "Your gradient is right, but it comes from a copy, which takes up the memory that "
            "working in place should save. What backward needs is already in a tensor that you "
            "return.",
            functions.KeepsACopy,
        ),
        Misconception(
            "keeps-output-on-class",
            "The result is stored in one place that all calls share, so a second call overwrites "
            "what the first one needs. Each call has its own `ctx`.",
            functions.KeepsOutputOnClass,
        ),
        Misconception(
            "keeps-output-on-ctx",
            "The result is kept where its version is not recorded, for example as a plain "
            "attribute of `ctx`. If it is changed in place before backward, the gradient is "
            "computed from the changed value and no error is raised.",
            functions.KeepsOutputOnContext,
        ),
        Misconception(
            "reads-the-tuple",
            "Your backward computes with `saved_tensors` as if it were the tensor itself. It is a "
            "tuple, even when it holds a single tensor.",
            functions.ReadsTheTuple,
        ),
        Misconception(
            "not-marked",
            "You change the memory of the input, but do not tell the engine. So later uses of x "
            "know nothing of your Function, and the value of a leaf is overwritten without an "
            "error.",
            functions.NotMarked,
        ),
        Misconception(
            "out-of-place",
            "You compute a new tensor and leave the input as it was. In place means that the "
            "memory of the input itself holds the new values.",
            functions.OutOfPlace,
        ),
        Misconception(
            "ignores-grad-output",
            "Your backward returns only the slope of the exponential, as if this were the last "
            "step of the computation. The gradient that arrives from above, `grad_output`, is not "
            "used.",
            functions.IgnoresGradOutput,
        ),
        Misconception(
            "changes-grad-output",
            "Your backward changes `grad_output` in place. That tensor is not yours alone: other "
            "branches of the graph may still need it.",
            functions.ChangesGradOutput,
        ),
        Misconception(
            "changes-the-result",
            "Your backward multiplies in place the tensor that it saved. That is the very tensor "
            "that forward returned, so its values are replaced by a gradient for everything else "
            "that uses it.",
            functions.ChangesTheResult,
        ),
    ),
    hints=(
        "What is the derivative of the exponential, and where is its value after forward?",
        "The exponential is its own derivative. So backward needs nothing that forward "
        "overwrites, only what forward leaves behind.",
        "Change the input in place, mark it, and pass that same tensor to the method of `ctx` "
        "that protects tensors by their version. Backward reads it there and multiplies.",
    ),
    variants=(
        Variant("setup_context", functions.ExpWithSetupContext),
        Variant("saved before the change, used as the result", functions.SavedBeforeTheChange),
    ),
    place=7,
)
