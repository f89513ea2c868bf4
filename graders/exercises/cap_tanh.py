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


class KeepsOutputOnClass(Function):
    y: torch.Tensor

    @staticmethod
    def forward(ctx, x):
        KeepsOutputOnClass.y = torch.tanh(x).clone()
        return torch.tanh(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * (1 - KeepsOutputOnClass.y**2)


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
        "Its slope at x can be computed from the result y alone: it is 1 - y². Let forward compute "
        "y **once**, and let backward do without the input."
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
            fails="It does not work in the middle of a larger graph.",
        ),
        Check(
            "what is kept",
            1,
            stands_on_its_output,
            lambda rng: {"cases": [case("a vector", x=0.5 * signed(rng, 3))]},
            passes=(
                "Backward works without the input, and notices a later in-place change of the "
                "output."
            ),
            fails="Backward does not safely rely on the output alone.",
            after=("gradient",),
        ),
    ),
    misconceptions=(
        Misconception(
            "ignores-grad-output",
            "Your backward returns only the slope of the curve, as if this were the last step of "
            "the computation. The gradient that arrives from above, `grad_output`, is not used.",
            IgnoresGradOutput,
        ),
        Misconception(
            "reads-the-tuple",
            "Your backward computes with `saved_tensors` as if it were the tensor itself. It is a "
            "tuple, even when it holds a single tensor.",
            ReadsTheTuple,
        ),
        Misconception(
            "passes-gradient-through",
            "Your backward passes `grad_output` on unchanged, as if the curve had slope one "
            "everywhere. It is flat at its ends.",
            PassesGradientThrough,
        ),
        Misconception(
            "forgets-the-square",
            "Your slope is one minus the output. It differs for outputs of opposite sign, but the "
            "curve is just as steep on the left as on the right.",
            ForgetsTheSquare,
        ),
        Misconception(
            "subtracts-from-what-arrives",
            "You subtract the square from what arrives. The whole difference is the slope, and "
            "all of it is multiplied by what arrives; without parentheses, products come first.",
            SubtractsFromWhatArrives,
        ),
        Misconception(
            "puts-the-input-into-the-formula",
            "You put the input into a formula that is about the output. For large inputs such a "
            "slope is negative, but this curve never falls.",
            PutsTheInputIntoTheFormula,
        ),
        Misconception(
            "takes-tanh-of-the-output",
            "Your backward computes the slope as if the output were the input. What is kept "
            "already is the `tanh`: look again at forward.",
            TakesTanhOfTheOutput,
        ),
        Misconception(
            "takes-the-slope-of-a-sigmoid",
            "Your slope is that of the logistic sigmoid, a related curve. At output zero your "
            "slope is zero, but this curve is steepest there.",
            TakesTheSlopeOfASigmoid,
        ),
        Misconception(
            "has-the-wrong-sign",
            "Your slope grows with the size of the output. The curve is steepest in the middle "
            "and flat at its ends, so look at the sign.",
            HasTheWrongSign,
        ),
        Misconception(
            "recomputes",
            "The gradient is right, but backward goes back to the input, probably to compute "
            "`tanh` again. Forward already has a tensor that gives the slope.",
            Recomputes,
        ),
        Misconception(
            "changes-grad-output",
            "Your backward changes `grad_output` in place. That tensor is not yours alone: other "
            "branches of the graph may still need it.",
            ChangesGradOutput,
        ),
        Misconception(
            "keeps-output-on-class",
            "The output is stored in one place that all calls share, so a second call overwrites "
            "what the first one needs. Each call has its own `ctx`.",
            KeepsOutputOnClass,
        ),
        Misconception(
            "keeps-output-on-ctx",
            "The output is kept where its version is not recorded, for example as a plain "
            "attribute of `ctx`. If it is changed in place before backward, the gradient is "
            "computed from the changed value and no error is raised.",
            KeepsOutputOnContext,
        ),
    ),
    hints=(
        "It is built like the sigmoid in the lesson on your own Functions: the result gives the "
        "slope.",
        "Give the result a name in forward, keep it with the method of `ctx` that is made for "
        "tensors, and return it.",
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
