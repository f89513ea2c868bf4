"""`fn-twice`: a gradient that can itself be differentiated, to be repaired."""

from __future__ import annotations

from typing import Any

import autograd_core as torch
from autograd_core.autograd import Function
from graders.exercise import Check, Exercise, Misconception, Variant
from graders.exercises._odd_shapes import for_odd_shapes
from graders.inputs import case, shapes, signed, with_zero
from graders.observe import scenarios
from graders.observe.lab import Lab


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * 3 * x**2


class CubeWithSetupContext(Function):
    @staticmethod
    def forward(number):
        return number * number * number

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0])

    @staticmethod
    def backward(ctx, upstream):
        print("backward is running")
        number = ctx.saved_tensors[0]
        return (torch.mul(upstream, number * number * 3),)


class CubeOnContext(Function):
    @staticmethod
    def forward(ctx, x: torch.Tensor) -> torch.Tensor:
        ctx.x = x
        return x.pow(3)

    @staticmethod
    def backward(ctx, grad_output: torch.Tensor) -> torch.Tensor:
        slope = ctx.x.pow(2).mul(3)
        return slope.mul(grad_output)


class CubeSlope(Function):
    @staticmethod
    def forward(ctx, x, grad):
        ctx.save_for_backward(x, grad)
        return grad * 3 * x * x

    @staticmethod
    def backward(ctx, grad_output):
        x, grad = ctx.saved_tensors
        return grad_output * grad * 6 * x, grad_output * 3 * x * x


class CubeByAnotherFunction(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return CubeSlope.apply(x, grad_output)


class ReadsTheTuple(Cube):
    @staticmethod
    def backward(ctx, grad_output):
        x = ctx.saved_tensors
        return grad_output * 3 * x**2


class ComputesInNumpy(Cube):
    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        slope = 3 * x.detach().numpy() ** 2
        return torch.tensor(grad_output.detach().numpy() * slope)


class OnceDifferentiable(Cube):
    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * 3 * x**2


class SavesDetached(Cube):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x.detach())
        return x**3


class SavesANewLeaf(Cube):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x.detach().requires_grad_())
        return x**3


class ReturnsANewLeaf(Cube):
    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return (grad_output * 3 * x**2).detach().requires_grad_()


class DetachesGradOutput(Cube):
    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output.detach() * 3 * x**2


class KeepsInputOnClass(Function):
    x: torch.Tensor

    @staticmethod
    def forward(ctx, x):
        KeepsInputOnClass.x = x
        return x**3

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * 3 * KeepsInputOnClass.x**2


class ReturnsTheSecondDerivative(Cube):
    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * 6 * x


class ForgetsTheSquare(Cube):
    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * 3 * x


class IgnoresGradOutput(Cube):
    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return 3 * x**2


def twice_in_a_graph(function: Any, lab: Lab) -> None:
    """Differentiate again and again where what arrives from above depends on the input as well."""
    for call in lab.cases():
        leaves = call.arguments()
        output = call.apply(function, {"x": leaves["x"] * 0.5})
        kept = call.watch_gradient(output)
        call.apply_elsewhere(function, leaves)
        total = (output * output).sum()
        grad = call.torch.autograd.grad
        (first,) = grad(total, [leaves["x"]], create_graph=True)
        call.record("backward leaves grad_output as it was", kept())
        call.record("first gradient of x", first)
        call.record("the gradient of x can be differentiated", first.requires_grad)
        (second,) = grad(first, [leaves["x"]], call.upstream(first), create_graph=True)
        call.record("second gradient of x", second)
        (third,) = grad(second, [leaves["x"]], call.upstream(second))
        call.record("third gradient of x", third)


EXERCISE = Exercise(
    id="fn-twice",
    lesson="07_custom_functions",
    section="Differentiating the gradient",
    title="A cube, to be differentiated twice",
    symbol="Cube",
    kind="repair",
    points=5,
    difficulty=3,
    minutes=8,
    task=(
        "This `Cube` computes x³, and its gradient is right. But the gradient of the gradient "
        "(asked for with `create_graph=True`) cannot be computed, because the first gradient has "
        "no history. Fix it, so that it can be differentiated again and again."
    ),
    starter='''\
class Cube(Function):
    """x to the power of 3, element by element."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x.detach())
        return x**3

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        slope = 3 * x**2
        return grad_output.detach() * slope
''',
    reference=Cube,
    checks=(
        Check(
            "output",
            1,
            scenarios.function_values,
            shapes,
            passes="The output is right.",
            fails="The output is not right.",
            after=("second gradient",),
        ),
        Check(
            "gradient",
            1,
            scenarios.function_gradients,
            shapes,
            passes="The gradient is right, whatever arrives from above.",
            fails="The gradient is not right.",
            after=("second gradient",),
        ),
        Check(
            "second gradient",
            4,
            scenarios.function_second_order,
            lambda rng: {
                "cases": [
                    case("a vector", x=with_zero(signed(rng, 3))),
                    case("a matrix", x=signed(rng, 2, 2)),
                ]
            },
            passes="The gradient can be differentiated again, and the result is right.",
            fails="The gradient cannot be differentiated, or the result is not right.",
        ),
        for_odd_shapes(after="second gradient", scenario=scenarios.function_second_order),
        Check(
            "larger graph",
            3,
            twice_in_a_graph,
            lambda rng: {"cases": [case("a vector", x=signed(rng, 3))]},
            passes=(
                "It works in a larger graph, where `grad_output` depends on the input too, and "
                "also a third time."
            ),
            fails="It does not work in a larger graph, or not a third time.",
        ),
    ),
    misconceptions=(
        Misconception(
            "leaves-the-recorded-world",
            "What your backward returns has no history: it was detached, or computed where nothing "
            "is recorded, as in NumPy or under `no_grad`. Even if the numbers are right, they "
            "cannot be differentiated.",
            ComputesInNumpy,
        ),
        Misconception(
            "reads-the-tuple",
            "Your backward computes with `saved_tensors` as if it were the tensor itself. It is a "
            "tuple, even when it holds a single tensor.",
            ReadsTheTuple,
        ),
        Misconception(
            "once-differentiable",
            "`once_differentiable` declares that this backward will not be differentiated. Here "
            "it has to be.",
            OnceDifferentiable,
        ),
        Misconception(
            "what-is-kept-has-no-history",
            "What your backward multiplies by has no connection to x: it is detached, or was "
            "computed where nothing is recorded, as in forward, under `no_grad` or in NumPy. So "
            "the second gradient misses the part that goes through it.",
            SavesDetached,
        ),
        Misconception(
            "keeps-a-new-leaf",
            "What you keep requires grad, but it is a new leaf. The second gradient ends there, "
            "and never reaches the x that went in.",
            SavesANewLeaf,
        ),
        Misconception(
            "returns-a-new-leaf",
            "What your backward returns requires grad, but it is a new leaf, without a history. "
            "The second gradient ends there, and never reaches x.",
            ReturnsANewLeaf,
        ),
        Misconception(
            "detaches-grad-output",
            "Your backward cuts `grad_output` off from its history. In a larger graph it depends "
            "on the input too, and that part of the second gradient is lost.",
            DetachesGradOutput,
        ),
        Misconception(
            "keeps-input-on-class",
            "The input is stored in one place that all calls share, so a second call overwrites "
            "what the first one needs. Each call has its own `ctx`.",
            KeepsInputOnClass,
        ),
        Misconception(
            "returns-the-second-derivative",
            "Your backward returns the second derivative at once. It should return the first; the "
            "engine differentiates that to get the second.",
            ReturnsTheSecondDerivative,
        ),
        Misconception(
            "forgets-the-square",
            "Your slope is proportional to x, but the slope of a cube is proportional to the "
            "square of x.",
            ForgetsTheSquare,
        ),
        Misconception(
            "ignores-grad-output",
            "Your backward returns only the slope of the cube. The gradient that arrives from "
            "above, `grad_output`, is not used.",
            IgnoresGradOutput,
        ),
    ),
    hints=(
        "With `create_graph` the engine records what backward does, like any other computation. "
        "Where does the given code hide something from it?",
        "Two tensors are cut off from their history: the one that is kept, and the one that "
        "arrives from above. Both depend on the input.",
        "Keep the input itself, without cutting its history, and use what arrives from above as it "
        "is. The formula of the slope can stay.",
    ),
    variants=(
        Variant("setup_context and prints", CubeWithSetupContext),
        Variant("the input on ctx", CubeOnContext),
        Variant("backward by another Function", CubeByAnotherFunction),
    ),
    place=10,
)
