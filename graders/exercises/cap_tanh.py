"""`cap-tanh`: the activation of the network, a Function that lives on its own output."""

from __future__ import annotations

import autograd_core as torch
from autograd_core.autograd import Function
from graders.exercise import Check, Exercise, Misconception, Variant
from graders.exercises._odd_shapes import for_odd_shapes
from graders.exercises.fn_exp import ANOTHER_IS_KEPT, stands_on_its_output
from graders.inputs import arrays, case, shapes, signed
from graders.observe import scenarios


class Tanh(Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.tanh(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return grad_output * (1 - y * y)


class TanhWithSetupContext(Function):
    @staticmethod
    def forward(x):
        return x.tanh()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, grad_output):
        y = ctx.saved_tensors[0]
        return (grad_output * (1 - y**2),)


class TanhFromExponentials(Function):
    @staticmethod
    def forward(context, number: torch.Tensor) -> torch.Tensor:
        up, down = torch.exp(number), torch.exp(-number)
        result = (up - down) / (up + down)
        print("tanh", result)
        context.save_for_backward(result)
        return result

    @staticmethod
    def backward(context, upstream: torch.Tensor) -> torch.Tensor:
        (result,) = context.saved_tensors
        return upstream - upstream * result.pow(2)


class TanhThatKeepsItsSlope(Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.tanh(x)
        ctx.save_for_backward((1 - y) * (1 + y))
        return y

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.mul(*ctx.saved_tensors)


class ReadsTheTuple(Tanh):
    @staticmethod
    def backward(ctx, grad_output):
        y = ctx.saved_tensors
        return grad_output * (1 - y * y)


class IgnoresGradOutput(Tanh):
    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return 1 - y * y


class PassesGradientThrough(Function):
    @staticmethod
    def forward(ctx, x):
        return torch.tanh(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


class SubtractsFromWhatArrives(Tanh):
    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return grad_output * 1 - y * y


class ForgetsTheSquare(Tanh):
    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return grad_output * (1 - y)


class PutsTheInputIntoTheFormula(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.tanh(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * (1 - x * x)


class TakesTanhOfTheOutput(Tanh):
    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return grad_output * (1 - torch.tanh(y) ** 2)


class TakesTheSlopeOfASigmoid(Tanh):
    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return grad_output * y * (1 - y)


class HasTheWrongSign(Tanh):
    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return grad_output * (1 + y * y)


class Recomputes(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.tanh(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * (1 - torch.tanh(x) ** 2)


class ChangesGradOutput(Tanh):
    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return grad_output.mul_(1 - y * y)


class KeepsOutputOnContext(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.y = torch.tanh(x)
        return ctx.y

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * (1 - ctx.y * ctx.y)


EXERCISE = Exercise(
    id="cap-tanh",
    lesson="09_capstone",
    section="A bend of your own",
    title="The bend: Tanh",
    symbol="Tanh",
    kind="implement",
    points=3,
    difficulty=1,
    minutes=4,
    task=(
        "Write `Tanh`, so that `Tanh.apply(x)` is the hyperbolic tangent of x, element by element. "
        "Its slope at x can be told from the result y alone: it is 1 - y². Let forward compute y "
        "**once**, and let backward do without the input."
    ),
    starter='''\
class Tanh(Function):
    """The hyperbolic tangent, element by element."""

    @staticmethod
    def forward(ctx, x):
        # Your code here.
        ...

    @staticmethod
    def backward(ctx, grad_output):
        # Your code here.
        ...
''',
    reference=Tanh,
    checks=(
        Check(
            "output",
            1,
            scenarios.function_values,
            shapes,
            passes="The output is right for numbers, vectors and matrices.",
            fails="The output is not right.",
        ),
        Check(
            "gradient",
            2,
            scenarios.function_gradients,
            arrays,
            passes="The gradient is right, whatever arrives from above.",
            fails="The gradient is not right.",
        ),
        for_odd_shapes(after="gradient"),
        Check(
            "larger graph",
            1,
            scenarios.function_in_graph,
            lambda rng: {"cases": [case("a vector", x=0.2 * signed(rng, 3))]},
            passes="It works in the middle of a larger graph.",
            fails="In the middle of a larger graph something goes wrong.",
        ),
        Check(
            "what is kept",
            1,
            stands_on_its_output,
            lambda rng: {"cases": [case("a vector", x=0.5 * signed(rng, 3))]},
            passes="backward manages without the input, and notices a later change of the output.",
            fails="backward does not rely safely on the output alone.",
            after=("gradient",),
        ),
    ),
    misconceptions=(
        Misconception(
            "ignores-grad-output",
            "Your backward returns the slope of the curve alone, as if this were the last step "
            "of the computation. In a network it never is: what arrives from above is lost.",
            IgnoresGradOutput,
        ),
        Misconception(
            "reads-the-tuple",
            "What you read back is a tuple, and your backward computes with it as if it were the "
            "tensor. `saved_tensors` is a tuple even when it holds a single tensor.",
            ReadsTheTuple,
        ),
        Misconception(
            "passes-gradient-through",
            "Your backward hands on `grad_output` as it is, as if the curve had slope one "
            "everywhere. It is flat at its ends.",
            PassesGradientThrough,
        ),
        Misconception(
            "forgets-the-square",
            "Your slope is one minus the output. That is not the same for outputs of either sign, "
            "but the curve is just as steep on the left as on the right.",
            ForgetsTheSquare,
        ),
        Misconception(
            "subtracts-from-what-arrives",
            "You subtract the square from what arrives. The slope is the whole difference, and "
            "what arrives is multiplied by all of it: without parentheses, products come first.",
            SubtractsFromWhatArrives,
        ),
        Misconception(
            "puts-the-input-into-the-formula",
            "You put the input into a formula that asks for the output. For large inputs such a "
            "slope is negative, and this curve never falls.",
            PutsTheInputIntoTheFormula,
        ),
        Misconception(
            "takes-tanh-of-the-output",
            "Your backward takes `tanh` of something that is its output already. Look again "
            "at what forward has kept.",
            TakesTanhOfTheOutput,
        ),
        Misconception(
            "takes-the-slope-of-a-sigmoid",
            "Your slope is that of the logistic sigmoid, a cousin of this curve. At the output "
            "zero it would be flat, where this one is steepest.",
            TakesTheSlopeOfASigmoid,
        ),
        Misconception(
            "has-the-wrong-sign",
            "Your slope grows with the output. The curve is steepest in its middle and flat at "
            "its ends, so a sign is not right.",
            HasTheWrongSign,
        ),
        Misconception(
            "recomputes",
            "The gradient is right, but backward goes back to the input, usually to compute `tanh` "
            "again. There is a tensor in forward from which the slope can be told.",
            Recomputes,
        ),
        Misconception(
            "changes-grad-output",
            "Your backward changes `grad_output` in place. That tensor is not yours alone: other "
            "branches of the graph may still read it.",
            ChangesGradOutput,
        ),
        Misconception(
            "keeps-output-on-ctx",
            "The output is kept where no version is remembered, such as a plain attribute of "
            "`ctx`. When somebody changes it in place, backward computes with the changed value "
            "and nobody is told.",
            KeepsOutputOnContext,
        ),
    ),
    hints=(
        "It is built like the sigmoid of the lesson on your own Functions: the result tells the "
        "slope.",
        "Give the result a name in forward, keep it by the method of `ctx` made for tensors, and "
        "return it.",
        "Read the result back through `saved_tensors`, put it into the formula of the task, and "
        "do not forget the factor that arrives from above.",
    ),
    variants=(
        Variant("setup_context and a tuple", TanhWithSetupContext),
        Variant("exponentials, prints and type hints", TanhFromExponentials),
        Variant("the slope is kept", TanhThatKeepsItsSlope),
    ),
    remarks=(ANOTHER_IS_KEPT,),
    place=2,
)
