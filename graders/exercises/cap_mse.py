"""`cap-mse`: the loss of the network, a Function with one output and two inputs."""

from __future__ import annotations

import numpy as np

import autograd_core as torch
from autograd_core.autograd import Function
from graders.exercise import Check, Exercise, Misconception, Variant
from graders.inputs import case, signed
from graders.observe import scenarios


class MSELoss(Function):
    @staticmethod
    def forward(ctx, prediction, target):
        difference = prediction - target
        ctx.save_for_backward(difference)
        return (difference * difference).mean()

    @staticmethod
    def backward(ctx, grad_output):
        (difference,) = ctx.saved_tensors
        slope = grad_output * 2 * difference / difference.numel()
        return slope, -slope


class MSELossWithSetupContext(Function):
    @staticmethod
    def forward(prediction, target):
        return ((prediction - target) ** 2).sum() / prediction.numel()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad_output):
        prediction, target = ctx.saved_tensors
        n = prediction.numel()
        return (
            grad_output * 2 / n * (prediction - target),
            grad_output * 2 / n * (target - prediction),
        )


class MSELossThatAsksWhoNeedsIt(Function):
    @staticmethod
    def forward(ctx, output: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(output, y)
        error = output.sub(y)
        print("largest error", error.abs().max())
        return torch.mean(error.pow(2))

    @staticmethod
    def backward(ctx, upstream: torch.Tensor):
        output, y = ctx.saved_tensors
        to_output = to_y = None
        if ctx.needs_input_grad[0]:
            to_output = upstream * (output - y) * (2.0 / output.numel())
        if ctx.needs_input_grad[1]:
            to_y = upstream * (y - output) * (2.0 / output.numel())
        return to_output, to_y


def _slope(difference, grad_output):
    count = 1
    for length in difference.shape:
        count *= length
    return grad_output * difference * 2 / count


class MSELossWithAHelper(Function):
    @staticmethod
    def forward(ctx, prediction, target):
        ctx.save_for_backward(prediction - target)
        return torch.square(prediction - target).mean()

    @staticmethod
    def backward(ctx, grad_output):
        return _slope(ctx.saved_tensors[0], grad_output), _slope(-ctx.saved_tensors[0], grad_output)


class ReadsTheTuple(MSELoss):
    @staticmethod
    def backward(ctx, grad_output):
        difference = ctx.saved_tensors
        slope = grad_output * 2 * difference / difference.numel()
        return slope, -slope


class IgnoresGradOutput(MSELoss):
    @staticmethod
    def backward(ctx, grad_output):
        (difference,) = ctx.saved_tensors
        slope = 2 * difference / difference.numel()
        return slope, -slope


class ForgetsToDivideInBackward(MSELoss):
    @staticmethod
    def backward(ctx, grad_output):
        (difference,) = ctx.saved_tensors
        slope = grad_output * 2 * difference
        return slope, -slope


class ForgetsToDivide(Function):
    @staticmethod
    def forward(ctx, prediction, target):
        difference = prediction - target
        ctx.save_for_backward(difference)
        return (difference * difference).sum()

    @staticmethod
    def backward(ctx, grad_output):
        (difference,) = ctx.saved_tensors
        slope = grad_output * 2 * difference
        return slope, -slope


class SumsInForward(MSELoss):
    @staticmethod
    def forward(ctx, prediction, target):
        difference = prediction - target
        ctx.save_for_backward(difference)
        return (difference * difference).sum()


class DividesByTheRows(MSELoss):
    @staticmethod
    def backward(ctx, grad_output):
        (difference,) = ctx.saved_tensors
        rows = difference.shape[0] if difference.dim() else 1
        slope = grad_output * 2 * difference / rows
        return slope, -slope


class ForgetsTheTarget(MSELoss):
    @staticmethod
    def backward(ctx, grad_output):
        (difference,) = ctx.saved_tensors
        return grad_output * 2 * difference / difference.numel(), None


class GivesBothTheSameSign(MSELoss):
    @staticmethod
    def backward(ctx, grad_output):
        (difference,) = ctx.saved_tensors
        slope = grad_output * 2 * difference / difference.numel()
        return slope, slope


class SwapsTheSigns(MSELoss):
    @staticmethod
    def backward(ctx, grad_output):
        (difference,) = ctx.saved_tensors
        slope = grad_output * 2 * difference / difference.numel()
        return -slope, slope


class ForgetsTheTwo(MSELoss):
    @staticmethod
    def backward(ctx, grad_output):
        (difference,) = ctx.saved_tensors
        slope = grad_output * difference / difference.numel()
        return slope, -slope


class ReturnsTheSquares(Function):
    @staticmethod
    def forward(ctx, prediction, target):
        difference = prediction - target
        ctx.save_for_backward(difference)
        return difference * difference

    @staticmethod
    def backward(ctx, grad_output):
        (difference,) = ctx.saved_tensors
        slope = grad_output * 2 * difference
        return slope, -slope


class TakesTheSizeOfTheError(Function):
    @staticmethod
    def forward(ctx, prediction, target):
        difference = prediction - target
        ctx.save_for_backward(difference)
        return difference.abs().mean()

    @staticmethod
    def backward(ctx, grad_output):
        (difference,) = ctx.saved_tensors
        slope = grad_output * difference.sign() / difference.numel()
        return slope, -slope


class KeepsInputsOnContext(Function):
    @staticmethod
    def forward(ctx, prediction, target):
        ctx.prediction, ctx.target = prediction, target
        return ((prediction - target) ** 2).mean()

    @staticmethod
    def backward(ctx, grad_output):
        difference = ctx.prediction - ctx.target
        slope = grad_output * 2 * difference / difference.numel()
        return slope, -slope


def _pairs(rng: np.random.Generator, frozen: tuple[str, ...] = ()) -> dict:
    return {
        "cases": [
            _pair(rng, "a column", (4, 1), frozen),
            _pair(rng, "a vector", (3,), frozen),
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
        "differences, a single number. Both have the same shape, whichever it is. **Both** inputs "
        "get their gradient: some day a target may come out of a network too."
    ),
    starter='''\
class MSELoss(Function):
    """The mean of the squared differences between prediction and target."""

    @staticmethod
    def forward(ctx, prediction, target):
        # Your code here.
        ...

    @staticmethod
    def backward(ctx, grad_output):
        # Your code here.
        ...
''',
    reference=MSELoss,
    checks=(
        Check(
            "output",
            4,
            scenarios.function_values,
            _pairs,
            passes="The loss is right, and it is a single number.",
            fails="The loss is not right.",
        ),
        Check(
            "gradient of the prediction",
            6,
            scenarios.function_gradients,
            lambda rng: _pairs(rng, frozen=("target",)),
            passes="The gradient of the prediction is right.",
            fails="The gradient of the prediction is not right.",
        ),
        Check(
            "gradient of the target",
            4,
            scenarios.function_gradients,
            lambda rng: _pairs(rng, frozen=("prediction",)),
            passes="The gradient of the target is right.",
            fails="The gradient of the target is not right.",
        ),
        Check(
            "larger graph",
            1,
            scenarios.function_in_graph,
            lambda rng: {"cases": [_pair(rng, "a column", (3, 1))]},
            passes="It works in the middle of a larger graph.",
            fails="In the middle of a larger graph something goes wrong.",
        ),
        Check(
            "saved tensors",
            1,
            scenarios.function_notices_changes,
            lambda rng: {
                "cases": [_pair(rng, "a column", (3, 1), changed=["prediction", "target"])]
            },
            passes="A later in-place change of an input does no harm unnoticed.",
            fails="When an input is changed in place after forward, nobody notices.",
            after=("gradient of the prediction", "gradient of the target"),
            statements=True,
        ),
    ),
    misconceptions=(
        Misconception(
            "ignores-grad-output",
            "Your backward does not use what arrives from above. A loss is usually the last step, "
            "but it may be scaled or added to another one.",
            IgnoresGradOutput,
        ),
        Misconception(
            "reads-the-tuple",
            "What you read back is a tuple, and your backward computes with it as if it were the "
            "tensor. `saved_tensors` is a tuple even when it holds a single tensor.",
            ReadsTheTuple,
        ),
        Misconception(
            "forgets-to-divide-in-backward",
            "Your loss is a mean, but your gradient is that of a sum. What forward divides by, "
            "each slope is divided by too.",
            ForgetsToDivideInBackward,
        ),
        Misconception(
            "forgets-to-divide",
            "Your loss is the sum of the squares. A mean does not grow just because there are "
            "more points.",
            ForgetsToDivide,
        ),
        Misconception(
            "sums-in-forward",
            "Your gradient is that of a mean, but your loss is a sum. The two halves of a "
            "Function have to be about the same thing.",
            SumsInForward,
        ),
        Misconception(
            "divides-by-the-rows",
            "Your gradient is divided by the number of rows. The mean is taken over all elements, "
            "and in a matrix there are more of them.",
            DividesByTheRows,
        ),
        Misconception(
            "forgets-the-target",
            "No gradient arrives at the target. In a training loop nobody misses it, but the loss "
            "depends on both of its inputs.",
            ForgetsTheTarget,
        ),
        Misconception(
            "gives-both-the-same-sign",
            "Both inputs get the same gradient. When the prediction goes up the difference grows, "
            "but what happens when the target does?",
            GivesBothTheSameSign,
        ),
        Misconception(
            "swaps-the-signs",
            "Both gradients have the wrong sign. A prediction that is too large must get a "
            "positive slope, or the training walks uphill.",
            SwapsTheSigns,
        ),
        Misconception(
            "forgets-the-two",
            "Your gradients are half of what they should be. A square is a product in which the "
            "difference occurs more than once.",
            ForgetsTheTwo,
        ),
        Misconception(
            "returns-the-squares",
            "Your forward returns one number for each element. `backward` without an argument "
            "needs a single one to start from.",
            ReturnsTheSquares,
        ),
        Misconception(
            "takes-the-size-of-the-error",
            "Your loss is the mean size of the errors, without a square. Large errors are to "
            "count for much more than small ones.",
            TakesTheSizeOfTheError,
        ),
        Misconception(
            "keeps-inputs-on-ctx",
            "The inputs are kept where no version is remembered, such as plain attributes of "
            "`ctx`. When somebody changes one in place, backward computes with the changed value "
            "and nobody is told.",
            KeepsInputsOnContext,
        ),
    ),
    hints=(
        "Write down the loss for two points, with all its letters, and differentiate it for each "
        "of them.",
        "Everything goes through the difference, so it is what is worth keeping. It goes up with "
        "the prediction and down with the target.",
        "The slope of each squared difference is twice the difference; the mean divides it by the "
        "number of all elements, and the chain rule multiplies it by what arrives from above.",
    ),
    variants=(
        Variant("setup_context and both inputs saved", MSELossWithSetupContext),
        Variant("needs_input_grad, prints and type hints", MSELossThatAsksWhoNeedsIt),
        Variant("a helper, and the difference taken twice", MSELossWithAHelper),
    ),
    place=1,
)
