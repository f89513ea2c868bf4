"""`fn-logsin`: the document's function log(x1 x2) sin(x1 x2) as one Function, to be repaired."""

from __future__ import annotations

import numpy as np

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.exercises import _logsin_functions as functions
from graders.inputs import case, positive
from graders.observe import scenarios


def _two_vectors(rng: np.random.Generator) -> dict[str, object]:
    x1, x2 = positive(rng, 3), positive(rng, 3)
    return {"cases": [case("two vectors", changed=["x1", "x2"], x1=x1, x2=x2)]}


def ones_from_above(function, lab):
    """Send ones back, which leave everything as it is that they are multiplied by."""
    for one in lab.cases():
        leaves = one.arguments()
        output = one.apply(function, leaves)
        output.backward(lab.torch.ones_like(output))
        one.record_gradients(leaves)


def more_from_above(function, lab):
    """Send three times as much back: do three times as large gradients arrive, right or not?"""
    for one in lab.cases():
        found = []
        for factor in (1, 3):
            leaves = one.arguments()
            output = one.apply(function, leaves)
            output.backward(one.upstream(output) * factor)
            found.append([0 if leaf.grad is None else leaf.grad.sum() for leaf in leaves.values()])
        once, thrice = found
        pairs = list(zip(once, thrice, strict=True))
        kept = all(each and abs(other - 3 * each) < 0.001 * abs(other) for each, other in pairs)
        one.record("three times as much from above makes the gradients three times as large", kept)


def _pairs(rng: np.random.Generator) -> dict[str, object]:
    one, two = np.float32(1), np.float32(2)
    return {
        "cases": [
            case("the document's 1 and 2", x1=np.asarray(one), x2=np.asarray(two)),
            case("two vectors", x1=positive(rng, 3), x2=positive(rng, 3)),
            case("two matrices", x1=positive(rng, 2, 3), x2=positive(rng, 2, 3)),
            case("two negative vectors", x1=-positive(rng, 3), x2=-positive(rng, 3)),
        ]
    }


EXERCISE = Exercise(
    id="fn-logsin",
    lesson="07_custom_functions",
    section="The document's function as one Function",
    title="Repair log times sine in one Function",
    symbol="LogSin",
    kind="repair",
    points=6,
    difficulty=2,
    minutes=7,
    task=(
        "Somebody has packed the document's function z = log(x1 x2) · sin(x1 x2) into one "
        "Function. It runs, and its output is right, but its gradients are not. Compare them with "
        "the ones above, find what is wrong (there is more than one mistake), and fix it. The "
        "inputs have the same shape, and their product is positive."
    ),
    starter='''\
class LogSin(Function):
    """log(x1 * x2) * sin(x1 * x2), element by element."""

    @staticmethod
    def forward(ctx, x1, x2):
        ctx.save_for_backward(x1, x2)
        y1 = x1 * x2
        return y1.log() * y1.sin()

    @staticmethod
    def backward(ctx, grad_output):
        x1, x2 = ctx.saved_tensors
        y1 = x1 * x2
        grad_y1 = y1.sin() / y1
        grad_y1 = y1.log() * y1.cos()
        return grad_y1 * x2, grad_y1 * x1
''',
    reference=functions.LogSin,
    checks=(
        Check(
            "output",
            1,
            scenarios.function_values,
            _pairs,
            passes="The output is right.",
            fails="The output is not right.",
            after=("gradients",),
        ),
        Check(
            "gradients",
            4,
            scenarios.function_gradients,
            _pairs,
            passes="Both gradients are right, whatever arrives from above.",
            fails="The gradients are not right.",
            after=("output",),
        ),
        Check(
            "both ways",
            2,
            ones_from_above,
            _two_vectors,
            passes="When ones arrive from above, both gradients are right.",
            fails="Even when ones arrive from above, the gradients are not right.",
            after=("output",),
        ),
        Check(
            "from above",
            2,
            more_from_above,
            _two_vectors,
            passes="Your backward uses what arrives from above.",
            fails="Your backward does not use what arrives from above as it should.",
            after=("output",),
            statements=True,
        ),
        Check(
            "larger graph",
            2,
            scenarios.function_in_graph,
            _two_vectors,
            passes="It works in the middle of a larger graph.",
            fails="It does not work in the middle of a larger graph.",
            after=("output",),
        ),
        Check(
            "saved tensors",
            1,
            scenarios.function_notices_changes,
            _two_vectors,
            passes="A later in-place change of an input raises an error, or does no harm.",
            fails="A later in-place change of an input makes the gradient wrong without an error.",
            after=("gradients",),
            statements=True,
        ),
    ),
    misconceptions=(
        Misconception(
            "ignores-grad-output",
            "The two paths are added correctly, but your backward does not use `grad_output`. "
            "That is right only when ones arrive from above.",
            functions.IgnoresGradOutput,
        ),
        Misconception(
            "loses-the-log-branch",
            "Only what comes back through the sine reaches the inputs. The product is used twice, "
            "and the path back through the logarithm is lost.",
            functions.LosesTheLogBranch,
        ),
        Misconception(
            "loses-the-sin-branch",
            "Only what comes back through the logarithm reaches the inputs. The product is used "
            "twice, and the path back through the sine is lost.",
            functions.LosesTheSinBranch,
        ),
        Misconception(
            "grad-output-in-one-branch-only",
            "You multiply only one of the two paths by what arrives from above. It is a factor of "
            "the whole sum.",
            functions.GradOutputInOneBranchOnly,
        ),
        Misconception(
            "grad-output-in-the-other-branch-only",
            "Only what comes back through the sine is multiplied by what arrives from above. That "
            "is a factor of the whole sum.",
            functions.GradOutputInTheOtherBranchOnly,
        ),
        Misconception(
            "one-branch-for-each-input",
            "Each input gets what comes back along one of the two paths. Both paths lead to the "
            "product, so both belong to its gradient, and from there it goes on to both inputs.",
            functions.GivesEachInputOneBranch,
        ),
        Misconception(
            "multiplies-the-slopes",
            "You multiply the slope of the logarithm by the slope of the sine. The derivative of "
            "a product is not the product of the derivatives.",
            functions.MultipliesTheSlopes,
        ),
        Misconception(
            "adds-the-slopes-alone",
            "You add the slopes of the logarithm and the sine. That is the derivative of their "
            "sum; in a product each slope is multiplied by the other factor.",
            functions.AddsTheSlopesAlone,
        ),
        Misconception(
            "wrong-sign",
            "You subtract the two paths where they should be added. The derivative of the cosine "
            "has a minus, but here it is the sine that is differentiated.",
            functions.GetsTheSignOfCosine,
        ),
        Misconception(
            "swapped",
            "Each input gets the gradient that belongs to the other one. The slope of a product "
            "with respect to one factor is the other factor.",
            functions.Swaps,
        ),
        Misconception(
            "stops-at-the-product",
            "Your gradient is that of the product of x1 and x2. One step is left, from the "
            "product to the two inputs.",
            functions.StopsAtTheProduct,
        ),
        Misconception(
            "log10",
            "You take the logarithm to base 10. The task asks for the natural logarithm, whose "
            "slope at y is one divided by y.",
            functions.TakesTheLogarithmToBaseTen,
        ),
        Misconception(
            "log10-in-backward",
            "Your backward takes the logarithm to base 10, where forward takes the natural one. "
            "Both have to be about the same function.",
            functions.TakesTheWrongLogarithmInBackward,
        ),
        Misconception(
            "splits-the-logarithm",
            "Your forward splits the logarithm of the product into two. If both inputs are "
            "negative, their product is positive, but neither has a logarithm of its own.",
            functions.SplitsTheLogarithm,
        ),
        Misconception(
            "keeps-inputs-on-ctx",
            "The inputs are kept where their versions are not recorded, for example as plain "
            "attributes of `ctx`. If one is changed in place before backward, the gradient is "
            "computed from the changed value and no error is raised.",
            functions.KeepsInputsOnContext,
        ),
    ),
    hints=(
        "Follow the name `grad_y1` through the given backward. What happens to its first value?",
        "The product is used by the logarithm and by the sine. What comes back along two paths is "
        "added. And one argument of the given backward is never used.",
        "Replace the second value by the sum of both paths, and multiply that whole sum by the "
        "other factor of the chain rule, the one from above.",
    ),
    variants=(
        Variant("step by step", functions.LogSinStepByStep),
        Variant("setup_context, prints and other names", functions.LogSinWithSetupContext),
        Variant("the engine asked inside backward", functions.LogSinThatAsksTheEngine),
    ),
    place=3,
)
