"""`fn-multiply`: two inputs, two gradients, and shapes that broadcasting made different."""

from __future__ import annotations

from typing import Any

import numpy as np

import autograd_core as torch
from autograd_core.autograd import Function
from graders.exercise import Check, Exercise, Misconception, Remark, Variant, noted
from graders.inputs import case, signed, with_zero
from graders.observe import scenarios


class Multiply(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        return (grad_output * y).sum_to_size(x.shape), (grad_output * x).sum_to_size(y.shape)


class MultiplyWithoutSumming(Multiply):
    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        return grad_output * y, grad_output * x


def shrink(gradient, shape):
    """Sum over what was broadcast."""
    while gradient.dim() > len(shape):
        gradient = gradient.sum(0)
    for axis, length in enumerate(shape):
        if length == 1 and gradient.shape[axis] != 1:
            gradient = gradient.sum(axis, keepdim=True)
    return gradient


class MultiplyWithAHelper(Function):
    @staticmethod
    def forward(ctx, left, right):
        print("multiplying", left.shape, right.shape)
        ctx.save_for_backward(right, left)
        return torch.mul(left, right)

    @staticmethod
    def backward(ctx, upstream):
        right, left = ctx.saved_tensors
        to_left = to_right = None
        if ctx.needs_input_grad[0]:
            to_left = shrink(upstream * right, left.shape)
        if ctx.needs_input_grad[1]:
            to_right = shrink(upstream * left, right.shape)
        return to_left, to_right


class MultiplyWithSetupContext(Function):
    @staticmethod
    def forward(x, y):
        return y * x

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        first, second = ctx.saved_tensors
        return shrink(second * g, first.shape), shrink(first * g, second.shape)


class Swaps(Multiply):
    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        return grad_output * x, grad_output * y


class OneGradientForBoth(Multiply):
    @staticmethod
    def backward(ctx, grad_output):
        _, y = ctx.saved_tensors
        return grad_output * y, grad_output * y


class ReturnsOneGradient(Multiply):
    @staticmethod
    def backward(ctx, grad_output):
        _, y = ctx.saved_tensors
        return grad_output * y


class IgnoresGradOutput(Multiply):
    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        return y, x


class TreatsItAsASum(Function):
    @staticmethod
    def forward(ctx, x, y):
        return x * y

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output, grad_output


class MultipliesByTheProduct(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x * y)
        return x * y

    @staticmethod
    def backward(ctx, grad_output):
        (product,) = ctx.saved_tensors
        return grad_output * product, grad_output * product


def average(gradient, shape):
    """Average over what was broadcast."""
    while gradient.dim() > len(shape):
        gradient = gradient.mean(0)
    for axis, length in enumerate(shape):
        if length == 1:
            gradient = gradient.mean(axis, keepdim=True)
    return gradient


class AveragesWhatWasBroadcast(Multiply):
    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        return average(grad_output * y, x.shape), average(grad_output * x, y.shape)


class ChangesGradOutput(Multiply):
    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        return grad_output.mul_(y), grad_output.mul_(x)


class UnpacksTheShape(Multiply):
    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        return (grad_output * y).sum_to_size(*x.shape), (grad_output * x).sum_to_size(*y.shape)


class DividesTheProduct(Multiply):
    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        product = grad_output * x * y
        return (product / x).sum_to_size(x.shape), (product / y).sum_to_size(y.shape)


class KeepsInputsOnClass(Function):
    last: tuple[torch.Tensor, torch.Tensor]

    @staticmethod
    def forward(ctx, x, y):
        KeepsInputsOnClass.last = x, y
        return x * y

    @staticmethod
    def backward(ctx, grad_output):
        x, y = KeepsInputsOnClass.last
        return grad_output * y, grad_output * x


class KeepsInputsOnContext(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.x, ctx.y = x, y
        return x * y

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.y, grad_output * ctx.x


def _pairs(rng: np.random.Generator) -> dict[str, Any]:
    return {
        "cases": [
            case("two vectors", x=signed(rng, 3), y=signed(rng, 3)),
            case(
                "two vectors with zeros", x=with_zero(signed(rng, 3)), y=with_zero(signed(rng, 3))
            ),
            case(
                "two transposed matrices", transposed=True, x=signed(rng, 2, 3), y=signed(rng, 2, 3)
            ),
            case("a vector y without gradient", frozen=["y"], x=signed(rng, 3), y=signed(rng, 3)),
            case("a vector x without gradient", frozen=["x"], x=signed(rng, 3), y=signed(rng, 3)),
            case("two empty vectors", x=signed(rng, 0), y=signed(rng, 0)),
        ]
    }


def _broadcast(rng: np.random.Generator) -> dict[str, Any]:
    return {
        "cases": [
            case("a matrix and a row", x=signed(rng, 2, 3), y=signed(rng, 3)),
            case("a column and a matrix", x=signed(rng, 2, 1), y=signed(rng, 2, 3)),
            case("a column and a row", x=signed(rng, 2, 1), y=signed(rng, 3)),
        ]
    }


def _lone(rng: np.random.Generator) -> dict[str, Any]:
    return {
        "cases": [
            case("two numbers", x=signed(rng), y=signed(rng)),
            case("a number and a vector", x=signed(rng), y=signed(rng, 4)),
        ]
    }


EXERCISE = Exercise(
    id="fn-multiply",
    lesson="07_custom_functions",
    section="Several inputs, several gradients",
    title="A product of two tensors",
    symbol="Multiply",
    kind="implement",
    points=6,
    difficulty=2,
    minutes=8,
    task=(
        "Write `Multiply`, so that `Multiply.apply(x, y)` is x · y, element by element. The two "
        "shapes may differ as far as broadcasting allows (a matrix times a row, a column times a "
        "row), and each input gets a gradient of its own shape."
    ),
    starter='''\
class Multiply(Function):
    """x times y, element by element; the shapes broadcast."""

    @staticmethod
    def forward(ctx, x, y):
        # Your code here.
        ...

    @staticmethod
    def backward(ctx, grad_output):
        # Your code here.
        ...
''',
    reference=Multiply,
    checks=(
        Check(
            "output",
            1,
            scenarios.function_values,
            lambda rng: {
                "cases": [
                    each for draw in (_pairs, _broadcast, _lone) for each in draw(rng)["cases"]
                ]
            },
            passes="The product is right, with and without broadcasting.",
            fails="The product is not right.",
        ),
        Check(
            "gradients",
            3,
            scenarios.function_gradients,
            _pairs,
            passes="Both gradients are right when the shapes are equal.",
            fails="The gradients are not right, even for equal shapes.",
        ),
        Check(
            "broadcasting",
            2,
            scenarios.function_gradients,
            _broadcast,
            passes="Both gradients are right when the shapes differ.",
            fails="When the shapes differ, the gradients are not right.",
        ),
        Check(
            "lone numbers",
            1,
            scenarios.function_gradients,
            _lone,
            passes="Both gradients are right for tensors without any dimension.",
            fails="The gradients are not right for tensors without any dimension.",
        ),
        Check(
            "larger graph",
            1,
            scenarios.function_in_graph,
            lambda rng: {"cases": [case("two vectors", x=signed(rng, 3), y=signed(rng, 3))]},
            passes="It works in the middle of a larger graph.",
            fails="It does not work in the middle of a larger graph.",
        ),
        Check(
            "saved tensors",
            1,
            scenarios.function_notices_changes,
            lambda rng: {
                "cases": [
                    case("two vectors", x=signed(rng, 3), y=signed(rng, 3), changed=["x", "y"])
                ]
            },
            passes="A later in-place change of an input raises an error, or does no harm.",
            fails="A later in-place change of an input makes the gradient wrong without an error.",
            after=("gradients",),
            statements=True,
        ),
        Check(
            "grad_output",
            1,
            scenarios.function_keeps_grad_output,
            lambda rng: {"cases": [case("two vectors", x=signed(rng, 3), y=signed(rng, 3))]},
            passes="Backward leaves `grad_output` as it was.",
            fails="Backward changes `grad_output` in place.",
            after=("gradients",),
            statements=True,
        ),
    ),
    misconceptions=(
        Misconception(
            "swapped",
            "Each input gets the gradient that belongs to the other one. Ask for each: if only "
            "this one grows a little, by how much does the product grow?",
            Swaps,
        ),
        Misconception(
            "one-gradient-for-both",
            "Both inputs get the gradient of the first one. A product depends on its two factors "
            "in different ways.",
            OneGradientForBoth,
        ),
        Misconception(
            "returns-one-gradient",
            "Your backward returns a single gradient, but forward takes two tensors. Backward "
            "returns one value for each argument of forward.",
            ReturnsOneGradient,
        ),
        Misconception(
            "ignores-grad-output",
            "Your backward returns only the slopes of the product, as if this were the last step "
            "of the computation. The gradient that arrives from above, `grad_output`, is not used.",
            IgnoresGradOutput,
        ),
        Misconception(
            "divides-the-product",
            "Your backward divides the product by one factor to get the other. That fails where "
            "the factor is zero, although the gradient exists there too.",
            DividesTheProduct,
        ),
        Misconception(
            "treats-it-as-a-sum",
            "Your backward passes `grad_output` on to both inputs. That is how a sum behaves, not "
            "a product.",
            TreatsItAsASum,
        ),
        Misconception(
            "multiplies-by-the-product",
            "Each of your gradients contains both factors. The slope with respect to one factor "
            "does not contain that factor.",
            MultipliesByTheProduct,
        ),
        Misconception(
            "unpacks-the-shape",
            "Your backward unpacks a shape with `*` into its separate sizes. A tensor without "
            "dimensions has none, and PyTorch raises an error; pass the shape as a whole.",
            UnpacksTheShape,
        ),
        Misconception(
            "changes-grad-output",
            "Your backward multiplies `grad_output` in place, twice. Both gradients are then the "
            "same tensor, and it contains both factors.",
            ChangesGradOutput,
        ),
        Misconception(
            "averages-what-was-broadcast",
            "Where a value was broadcast, you average over its copies. Each copy contributes to "
            "the result, and contributions add up.",
            AveragesWhatWasBroadcast,
        ),
        Misconception(
            "keeps-inputs-on-class",
            "The inputs are stored in one place that all calls share, so a second call overwrites "
            "what the first one needs. Each call has its own `ctx`.",
            KeepsInputsOnClass,
        ),
        Misconception(
            "keeps-inputs-on-ctx",
            "The inputs are kept where their versions are not recorded, for example as plain "
            "attributes of `ctx`. If one is changed in place before backward, the gradient is "
            "computed from the changed value and no error is raised.",
            KeepsInputsOnContext,
        ),
    ),
    hints=(
        "Count first: how many tensors does forward take, and how many gradients does backward "
        "return?",
        "Keep y fixed and change x a little: the product changes by y times as much. Then the "
        "other way round. Both slopes are multiplied by what arrives from above.",
        "When a row was repeated to fit a matrix, every copy sends back a gradient, and all of "
        "them belong to that one row. Add them up until the gradient has the shape of its input.",
    ),
    remarks=(
        Remark(
            "unsummed",
            "Where the shapes differed, your gradient had the shape of the output, and the engine "
            "summed it for you. PyTorch does the same; other engines raise an error.",
            noted("unsummed"),
        ),
        Remark(
            "kept-a-copy",
            "You keep copies of the inputs, which is safe but costs memory. `save_for_backward` "
            "needs no copy, because it notices when an input is changed in place.",
            noted("copied"),
        ),
    ),
    variants=(
        Variant("left to the engine to sum", MultiplyWithoutSumming),
        Variant("a helper function and needs_input_grad", MultiplyWithAHelper),
        Variant("setup_context", MultiplyWithSetupContext),
    ),
    place=2,
)
