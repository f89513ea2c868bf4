"""`fn-square`: the smallest Function with something to save and a chain rule to keep."""

from __future__ import annotations

import autograd_core as torch
from autograd_core.autograd import Function
from graders.exercise import Check, Exercise, Misconception, Remark, Variant, noted
from graders.exercises._odd_shapes import for_odd_shapes
from graders.inputs import arrays, case, shapes, signed
from graders.observe import scenarios


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * 2 * x


class SquareWithSetupContext(Function):
    @staticmethod
    def forward(x):
        return x**2

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad_output):
        saved = ctx.saved_tensors
        return (2 * saved[0] * grad_output,)


class SquareThatPrints(Function):
    @staticmethod
    def forward(context, value: torch.Tensor) -> torch.Tensor:
        print("forward", value)
        context.save_for_backward(value)
        return value.pow(2)

    @staticmethod
    def backward(context, upstream: torch.Tensor) -> torch.Tensor:
        print("backward", upstream)
        value = context.saved_tensors[0]
        return upstream.mul(value + value)


class SquareOfACopy(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.kept = x.clone()
        return ctx.kept * ctx.kept

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * 2 * ctx.kept


class SquareByTheEngine(Function):
    @staticmethod
    def forward(ctx, x):
        with torch.enable_grad():
            ctx.inner = x.detach().clone().requires_grad_()
            ctx.squared = ctx.inner * ctx.inner
        return ctx.squared.detach().clone()

    @staticmethod
    def backward(ctx, grad_output):
        return torch.autograd.grad(ctx.squared, ctx.inner, grad_output)


class IgnoresGradOutput(Square):
    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return 2 * x


class ReadsTheTuple(Square):
    @staticmethod
    def backward(ctx, grad_output):
        x = ctx.saved_tensors
        return grad_output * 2 * x


class ForgetsTheTwo(Square):
    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * x


class UsesTheOutput(Function):
    @staticmethod
    def forward(ctx, x):
        y = x * x
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return grad_output * 2 * y


class PassesGradientThrough(Function):
    @staticmethod
    def forward(ctx, x):
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


class KeepsInputOnContext(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * 2 * ctx.x


class KeepsInputOnClass(Function):
    last: torch.Tensor

    @staticmethod
    def forward(ctx, x):
        KeepsInputOnClass.last = x
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * 2 * KeepsInputOnClass.last


class StoresTheGradient(Square):
    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        x.grad = grad_output * 2 * x
        return x.grad


class ChangesGradOutput(Square):
    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output.mul_(2 * x)


EXERCISE = Exercise(
    id="fn-square",
    lesson="07_custom_functions",
    section="Forward, backward and what lies between",
    title="Your first Function: the square",
    symbol="Square",
    kind="implement",
    points=4,
    difficulty=1,
    minutes=5,
    task=(
        "Write `Square`, so that `Square.apply(x)` is x² for a tensor of any shape, and its "
        "gradient is right wherever `Square` stands in a larger computation."
    ),
    starter='''\
class Square(Function):
    """x squared, element by element."""

    @staticmethod
    def forward(ctx, x):
        # Your code here.
        ...

    @staticmethod
    def backward(ctx, grad_output):
        # Your code here.
        ...
''',
    reference=Square,
    checks=(
        Check(
            "output",
            2,
            scenarios.function_values,
            shapes,
            passes="The output is right for numbers, vectors and matrices.",
            fails="The output is not right.",
        ),
        Check(
            "gradient",
            3,
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
            lambda rng: {"cases": [case("a vector", x=signed(rng, 3))]},
            passes="It works in the middle of a larger graph.",
            fails="It does not work in the middle of a larger graph.",
        ),
        Check(
            "reuse",
            1,
            scenarios.function_reuse,
            lambda rng: {"cases": [case("a vector", x=signed(rng, 3))]},
            passes="Several calls do not interfere with each other.",
            fails="Several calls interfere with each other.",
            after=("gradient",),
        ),
        Check(
            "saved tensors",
            1,
            scenarios.function_notices_changes,
            lambda rng: {"cases": [case("a vector", x=signed(rng, 3), changed=["x"])]},
            passes="A later in-place change of the input raises an error, or does no harm.",
            fails="A later in-place change of the input makes the gradient wrong without an error.",
            after=("gradient",),
            statements=True,
        ),
        Check(
            "grad_output",
            1,
            scenarios.function_keeps_grad_output,
            lambda rng: {"cases": [case("a vector", x=signed(rng, 3))]},
            passes="Backward leaves `grad_output` as it was.",
            fails="Backward changes `grad_output` in place.",
            after=("gradient",),
            statements=True,
        ),
    ),
    misconceptions=(
        Misconception(
            "ignores-grad-output",
            "Your backward returns only the slope of the square, as if this were the last step of "
            "the computation. The gradient that arrives from above, `grad_output`, is not used.",
            IgnoresGradOutput,
        ),
        Misconception(
            "forgets-the-two",
            "Your gradient is half of what it should be. A square is a product in which x occurs "
            "twice, and each occurrence counts.",
            ForgetsTheTwo,
        ),
        Misconception(
            "reads-the-tuple",
            "Your backward computes with `saved_tensors` as if it were the tensor itself. It is a "
            "tuple, even when it holds a single tensor.",
            ReadsTheTuple,
        ),
        Misconception(
            "passes-gradient-through",
            "Your backward passes `grad_output` on unchanged, as if the square had slope one "
            "everywhere.",
            PassesGradientThrough,
        ),
        Misconception(
            "uses-the-output",
            "Your gradient is computed from the squared value. The slope of the square depends on "
            "the input, not on the output.",
            UsesTheOutput,
        ),
        Misconception(
            "keeps-input-on-class",
            "The input is stored in one place that all calls share, so a second call overwrites "
            "what the first one needs. Each call has its own `ctx`.",
            KeepsInputOnClass,
        ),
        Misconception(
            "keeps-input-on-ctx",
            "The input is kept where its version is not recorded, for example as a plain "
            "attribute of `ctx`. If it is changed in place before backward, the gradient is "
            "computed from the changed value and no error is raised.",
            KeepsInputOnContext,
        ),
        Misconception(
            "changes-grad-output",
            "Your backward changes `grad_output` in place. That tensor is not yours alone: other "
            "branches of the graph may still need it.",
            ChangesGradOutput,
        ),
        Misconception(
            "stores-the-gradient",
            "Your backward stores the gradient in `grad` itself, and the engine then adds what is "
            "returned to it. Backward only has to return it.",
            StoresTheGradient,
        ),
    ),
    hints=(
        "Backward answers one question: if the gradient of the output is known, what is the "
        "gradient of the input?",
        "By the chain rule the answer is a product of two factors. One arrives as an argument; "
        "the other depends on the input, which forward has to keep for backward.",
        "Keep the input with the method of `ctx` that is made for tensors, and read it back "
        "through `saved_tensors`. Then write down the derivative of x² and multiply, without "
        "changing anything in place.",
    ),
    remarks=(
        Remark(
            "kept-a-copy",
            "You keep a tensor of your own, such as a copy of the input, which is safe but costs "
            "memory. `save_for_backward` needs no copy, because it notices when the input changes.",
            noted("copied"),
        ),
        Remark(
            "works-once",
            "Your backward calls the engine on a small graph of its own, which is freed after the "
            "first time. So it fails when backward is run a second time, as `retain_graph` "
            "normally allows.",
            noted("once"),
        ),
    ),
    variants=(
        Variant("setup_context and a tuple", SquareWithSetupContext),
        Variant("prints, type hints and other names", SquareThatPrints),
        Variant("a copy of the input", SquareOfACopy),
        Variant("a graph of its own", SquareByTheEngine),
    ),
    place=1,
)
