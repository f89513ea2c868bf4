"""`cap-mse`: the loss of the network, a Function with one output and two inputs."""

from __future__ import annotations

import numpy as np

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.exercises import _square_losses as losses
from graders.inputs import case, signed
from graders.observe import scenarios


def fits_together(loss, lab):
    """Move the prediction downhill: does a single number change as its gradient says it would?

    It may be another loss than was asked for, so that of the gradient only the direction is told.
    """
    for one in lab.cases():
        leaves = one.arguments()
        output = one.apply(loss, leaves)
        one.record("output is a single number", output.dim() == 0)
        output.sum().backward()
        gradient = leaves["prediction"].grad
        if gradient is None:
            one.record("gradient of prediction arrives", False)
            continue
        one.record("gradient of prediction arrives", True)
        direction = gradient / (gradient * gradient).sum().sqrt()
        one.record("direction of the gradient of prediction", direction)
        ends = []
        for step in (0.05, -0.05):
            moved = leaves["prediction"].detach() + step * direction
            ends.append(one.apply(loss, {**leaves, "prediction": moved}).sum().item())
        promised = 0.1 * (gradient * direction).sum().item()
        kept = abs(ends[0] - ends[1] - promised) <= 0.01 * abs(promised)
        one.record("the loss rises as steeply as the gradient says", kept)


def _pairs(rng: np.random.Generator, frozen: tuple[str, ...] = ()) -> dict:
    right = signed(rng, 2)
    return {
        "cases": [
            _pair(rng, "a column", (4, 1), frozen),
            _pair(rng, "a vector", (3,), frozen),
            case("a vector that is right", frozen=frozen, prediction=right, target=right.copy()),
            _pair(rng, "a matrix", (2, 3), frozen),
            _pair(rng, "a transposed matrix", (3, 2), frozen, transposed=True),
            _pair(rng, "a single number", (), frozen),
        ]
    }


def _pair(rng, name, shape, frozen=(), **more):
    pair = {"prediction": signed(rng, *shape), "target": signed(rng, *shape)}
    return case(name, frozen=frozen, **more, **pair)


EXERCISE = Exercise(
    id="cap-mse",
    lesson="09_capstone",
    section="A loss of your own",
    title="The loss: mean squared error",
    symbol="MSELoss",
    kind="implement",
    points=4,
    difficulty=2,
    minutes=5,
    task=(
        "Write `MSELoss`, so that `MSELoss.apply(prediction, target)` is the mean of the squared "
        "differences, a single number. Both have the same shape, which may be any. **Both** inputs "
        "get their gradient: the target may come out of a network too."
    ),
    starter='''\
class MSELoss(Function):
    """The mean of the squared differences of prediction and target."""

    @staticmethod
    def forward(ctx, prediction, target):
        # Your code here.
        ...

    @staticmethod
    def backward(ctx, grad_output):
        # Your code here.
        ...
''',
    reference=losses.MSELoss,
    checks=(
        Check(
            "output",
            3,
            scenarios.function_values,
            _pairs,
            passes="The loss is right, and it is a single number.",
            fails="The loss is not right.",
        ),
        Check(
            "gradient of the prediction",
            5,
            scenarios.function_gradients,
            lambda rng: _pairs(rng, frozen=("target",)),
            passes="The gradient of the prediction is right.",
            fails="The gradient of the prediction is not right.",
        ),
        Check(
            "gradient of the target",
            3,
            scenarios.function_gradients,
            lambda rng: _pairs(rng, frozen=("prediction",)),
            passes="The gradient of the target is right.",
            fails="The gradient of the target is not right.",
        ),
        Check(
            "both halves",
            3,
            fits_together,
            lambda rng: {"cases": [_pair(rng, "a column", (4, 1)), _pair(rng, "a matrix", (2, 3))]},
            passes="Backward returns the slope of what forward computes.",
            fails="Backward does not return the slope of what forward computes.",
        ),
        Check(
            "larger graph",
            1,
            scenarios.function_in_graph,
            lambda rng: {"cases": [_pair(rng, "a column", (3, 1))]},
            passes="It works in the middle of a larger graph.",
            fails="It does not work in the middle of a larger graph.",
        ),
        Check(
            "saved tensors",
            1,
            scenarios.function_notices_changes,
            lambda rng: {
                "cases": [_pair(rng, "a column", (3, 1), changed=["prediction", "target"])]
            },
            passes="A later in-place change of an input raises an error, or does no harm.",
            fails="A later in-place change of an input makes the gradient wrong without an error.",
            after=("both halves",),
            statements=True,
        ),
    ),
    misconceptions=(
        Misconception(
            "ignores-grad-output",
            "Your backward does not use `grad_output`, the gradient that arrives from above. A "
            "loss is usually the last step, but it may be scaled or added to another one.",
            losses.IgnoresGradOutput,
        ),
        Misconception(
            "reads-the-tuple",
            "Your backward computes with `saved_tensors` as if it were the tensor itself. It is a "
            "tuple, even when it holds a single tensor.",
            losses.ReadsTheTuple,
        ),
        Misconception(
            "forgets-to-divide-in-backward",
            "Your loss is a mean, but your gradient is that of a sum. Forward divides, so the "
            "slope of each element is divided too.",
            losses.ForgetsToDivideInBackward,
        ),
        Misconception(
            "forgets-to-divide",
            "Your loss is the sum of the squares, and your gradients are right for that. But a "
            "mean does not grow just because there are more elements.",
            losses.ForgetsToDivide,
        ),
        Misconception(
            "sums-in-forward",
            "Your gradient is that of a mean, but your loss is a sum. Forward and backward have "
            "to be about the same function.",
            losses.SumsInForward,
        ),
        Misconception(
            "divides-by-the-rows",
            "Your gradient is divided by the number of rows. The mean is taken over all elements, "
            "and a matrix has more elements than rows.",
            losses.DividesByTheRows,
        ),
        Misconception(
            "divides-by-the-rows-throughout",
            "You divide by the number of rows, in the loss and in its gradient. The mean is taken "
            "over all elements, and a matrix has more elements than rows.",
            losses.DividesByTheRowsThroughout,
        ),
        Misconception(
            "forgets-the-target",
            "No gradient arrives at the target. A training loop does not need it, but the loss "
            "depends on both of its inputs.",
            losses.ForgetsTheTarget,
        ),
        Misconception(
            "gives-both-the-same-sign",
            "Both inputs get the same gradient. When the prediction grows, the difference grows; "
            "what happens to it when the target grows?",
            losses.GivesBothTheSameSign,
        ),
        Misconception(
            "swaps-the-signs",
            "Both gradients have the wrong sign. Where a prediction is too large, a larger one "
            "makes the loss grow, so its slope is positive.",
            losses.SwapsTheSigns,
        ),
        Misconception(
            "negates-in-place",
            "Both of your gradients are the same tensor, and you turn its sign in place. So the "
            "prediction gets the negative one too.",
            losses.NegatesInPlace,
        ),
        Misconception(
            "forgets-the-two",
            "Your gradients are half of what they should be. A square is a product in which the "
            "difference occurs more than once.",
            losses.ForgetsTheTwo,
        ),
        Misconception(
            "halves-the-mean",
            "Your loss is half of the mean, as in some books, where this cancels the factor two "
            "of the slope. Your gradients are right for that, but the task asks for the mean "
            "itself.",
            losses.HalvesTheMean,
        ),
        Misconception(
            "halves-the-sum",
            "Your loss is half of the sum of the squares, as in some books, where this cancels "
            "the factor two of the slope. Your gradients are right for that, but the task asks "
            "for the mean.",
            losses.HalvesTheSum,
        ),
        Misconception(
            "squares-the-mean",
            "Your loss is the square of the mean difference, so errors of opposite sign cancel "
            "each other out. Each difference has to be squared before the mean is taken.",
            losses.SquaresTheMean,
        ),
        Misconception(
            "squares-the-mean-in-forward",
            "Your loss is the square of the mean difference, so errors of opposite sign cancel "
            "each other out. Your backward belongs to the right loss.",
            losses.SquaresTheMeanInForward,
        ),
        Misconception(
            "divides-by-one-less",
            "You divide by one less than the number of elements, as for the variance of a sample. "
            "A mean divides by their full number.",
            losses.DividesByOneLess,
        ),
        Misconception(
            "returns-the-squares",
            "Your forward returns one number for each element. A loss is a single number: "
            "`backward` without an argument needs one to start from.",
            losses.ReturnsTheSquares,
        ),
        Misconception(
            "takes-the-size-of-the-error",
            "Your loss is the mean absolute error, without a square. Large errors should count "
            "for much more than small ones.",
            losses.TakesTheSizeOfTheError,
        ),
        Misconception(
            "keeps-inputs-on-ctx",
            "The inputs are kept where their versions are not recorded, for example as plain "
            "attributes of `ctx`. If one is changed in place before backward, the gradient is "
            "computed from the changed value and no error is raised.",
            losses.KeepsInputsOnContext,
        ),
    ),
    hints=(
        "Write out the loss for two elements in full, and differentiate it with respect to each "
        "of them.",
        "Everything depends on the difference, so that is what is worth keeping. It grows with "
        "the prediction and falls as the target grows.",
        "The slope of each squared difference is twice the difference; the mean divides it by the "
        "number of all elements, and the chain rule multiplies it by what arrives from above.",
    ),
    variants=(
        Variant("setup_context and both inputs saved", losses.MSELossWithSetupContext),
        Variant("needs_input_grad, prints and type hints", losses.MSELossThatAsksWhoNeedsIt),
        Variant("a helper, and the difference taken twice", losses.MSELossWithAHelper),
    ),
    place=1,
)
