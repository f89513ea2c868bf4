"""`fn-exp`: a Function that keeps its output, because that is all its backward needs."""

from __future__ import annotations

from typing import Any

import numpy as np

import autograd_core as torch
from autograd_core.autograd import Function
from graders.exercise import Check, Exercise, Misconception, Remark, Variant, noted
from graders.exercises._odd_shapes import for_odd_shapes
from graders.inputs import arrays, case, shapes, signed
from graders.observe import scenarios
from graders.observe.lab import Lab


class Exp(Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.exp(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return grad_output * y


class ExpNumberByNumber(Function):
    @staticmethod
    def forward(ctx, x):
        numbers = [np.exp(number) for number in x.reshape(-1).tolist()]
        y = torch.tensor(numbers, dtype=x.dtype).reshape(x.shape)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, *gradients):
        (y,) = ctx.saved_tensors
        return (y * gradients[0],)


class ExpWithSetupContext(Function):
    @staticmethod
    def forward(x):
        return x.exp()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, grad_output):
        return (ctx.saved_tensors[0].mul(grad_output),)


class ExpOfACopy(Function):
    @staticmethod
    def forward(ctx, number: torch.Tensor) -> torch.Tensor:
        result = number.exp()
        ctx.kept = result.clone()
        print("kept", ctx.kept)
        return result

    @staticmethod
    def backward(ctx, upstream: torch.Tensor) -> torch.Tensor:
        return upstream.mul(ctx.kept)


class ReadsTheTuple(Exp):
    @staticmethod
    def backward(ctx, grad_output):
        y = ctx.saved_tensors
        return grad_output * y


class IgnoresGradOutput(Exp):
    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return y


class PassesGradientThrough(Function):
    @staticmethod
    def forward(ctx, x):
        return torch.exp(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


class MultipliesByTheInput(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.exp(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * x


class KeepsTheInputToo(Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.exp(x)
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        _, y = ctx.saved_tensors
        return grad_output * y


class MultipliesByBoth(KeepsTheInputToo):
    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        return grad_output * x * y


class UsesThePowerRule(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.exp(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * x * torch.exp(x - 1)


class TakesExpOfTheOutput(Exp):
    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return grad_output * torch.exp(y)


class Recomputes(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.exp(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * torch.exp(x)


class RecomputesFromACopy(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x.clone()
        return torch.exp(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * torch.exp(ctx.x)


class KeepsOutputOnClass(Function):
    y: torch.Tensor

    @staticmethod
    def forward(ctx, x):
        KeepsOutputOnClass.y = torch.exp(x).clone()
        return torch.exp(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * KeepsOutputOnClass.y


class ChangesGradOutput(Exp):
    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return grad_output.mul_(y)


class KeepsOutputOnContext(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.y = torch.exp(x)
        return ctx.y

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.y


def stands_on_its_output(function: Any, lab: Lab) -> None:
    """Change the input, then the output, between forward and backward.

    An input that is not needed any more can be changed without harm. A changed output has to be
    noticed, or must not matter: then another tensor is kept, which is noted.
    """
    from graders.observe.lab import same_numbers

    for call in lab.cases():
        leaves = call.arguments()
        kept = {"input": leaves["x"].detach().numpy()}
        output = call.apply(function, leaves)
        kept["output"] = output.detach().numpy()
        found = [*vars(output.grad_fn).values(), *output.grad_fn.saved_tensors]
        arrays = [each.detach().numpy() for each in found if call.is_tensor(each)]
        holds = {
            name: any(map(same_numbers, arrays, [values] * len(arrays)))
            for name, values in kept.items()
        }
        gradients = {}
        for changed in ("nothing", "input", "output"):
            inner = call.copies(leaves)
            output = call.apply(function, inner)
            gradient = call.upstream(output)
            try:
                if changed != "nothing":
                    call.torch.Tensor.add_(inner["x"] if changed == "input" else output, 1)
                (found,) = call.torch.autograd.grad(output, [leaves["x"]], gradient)
                gradients[changed] = found.numpy()
            except RuntimeError as error:
                # A view that forward has made cannot even be changed in place.
                if "inplace" not in str(error):
                    raise
                gradients[changed] = None
        right = gradients["nothing"]
        call.record(
            "memory of the call",
            {"is the input alone": holds["input"] and not holds["output"], "gradient": right},
        )
        after_input, after_output = gradients["input"], gradients["output"]
        # Which gradient it is about belongs to what is said: a wrong one has other reasons.
        call.record(
            "backward after the input was changed",
            {
                "works": after_input is not None and same_numbers(after_input, right),
                "gradient": right,
            },
        )
        call.record(
            "backward after the output was changed",
            {
                "is never silently wrong": after_output is None
                or same_numbers(after_output, right),
                "gradient": right,
            },
        )
        if after_output is not None and same_numbers(after_output, right):
            call.note("another is kept", True)


ANOTHER_IS_KEPT = Remark(
    "another-is-kept",
    "What you keep is a separate tensor, which takes up memory in addition to the output. You can "
    "keep the output itself without a copy, because in-place changes of it are noticed.",
    noted("another is kept"),
)


EXERCISE = Exercise(
    id="fn-exp",
    lesson="07_custom_functions",
    section="Keep what backward needs",
    title="The exponential, computed once",
    symbol="Exp",
    kind="implement",
    points=4,
    difficulty=1,
    minutes=4,
    task=(
        "Write `Exp`, so that `Exp.apply(x)` is e to the power of x, element by element. "
        "An exponential is expensive: let forward compute it **once**, and let backward do "
        "without the input."
    ),
    starter='''\
class Exp(Function):
    """e to the power of x, element by element."""

    @staticmethod
    def forward(ctx, x):
        # Your code here.
        ...

    @staticmethod
    def backward(ctx, grad_output):
        # Your code here.
        ...
''',
    reference=Exp,
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
            lambda rng: {"cases": [case("a vector", x=0.1 * signed(rng, 3))]},
            passes="It works in the middle of a larger graph.",
            fails="It does not work in the middle of a larger graph.",
        ),
        Check(
            "what is kept",
            2,
            stands_on_its_output,
            lambda rng: {"cases": [case("a vector", x=signed(rng, 3))]},
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
            "Your backward returns only the slope of the exponential, as if this were the last "
            "step of the computation. The gradient that arrives from above, `grad_output`, is not "
            "used.",
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
            "Your backward passes `grad_output` on unchanged, as if the exponential had slope one "
            "everywhere.",
            PassesGradientThrough,
        ),
        Misconception(
            "keeps-the-input-too",
            "The gradient is right, but forward keeps the input as well as the output. Backward "
            "does not use it, and while it is kept it must not be changed in place.",
            KeepsTheInputToo,
        ),
        Misconception(
            "multiplies-by-the-input",
            "Your gradient is multiplied by the input. The slope of the exponential at x is not "
            "x; it grows much faster than that.",
            MultipliesByTheInput,
        ),
        Misconception(
            "multiplies-by-both",
            "Your gradient has the input as an extra factor. The slope of the exponential is the "
            "exponential, and nothing else.",
            MultipliesByBoth,
        ),
        Misconception(
            "uses-the-power-rule",
            "Your gradient follows the rule for powers of x. Here x is not the base of the power, "
            "it is the exponent.",
            UsesThePowerRule,
        ),
        Misconception(
            "takes-exp-of-the-output",
            "Your backward takes the exponential of a tensor that already is an exponential. Look "
            "again at what forward keeps.",
            TakesExpOfTheOutput,
        ),
        Misconception(
            "recomputes",
            "The gradient is right, but backward goes back to the input, probably to compute the "
            "exponential a second time. Forward already has a tensor that is the slope.",
            Recomputes,
        ),
        Misconception(
            "recomputes-from-a-copy",
            "The gradient is right, but you keep a copy of the input and compute the slope from "
            "it. Forward already has a tensor that is the slope.",
            RecomputesFromACopy,
        ),
        Misconception(
            "keeps-output-on-class",
            "The output is stored in one place that all calls share, so a second call overwrites "
            "what the first one needs. Each call has its own `ctx`.",
            KeepsOutputOnClass,
        ),
        Misconception(
            "changes-grad-output",
            "Your backward changes `grad_output` in place. That tensor is not yours alone: other "
            "branches of the graph may still need it.",
            ChangesGradOutput,
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
        "What is special about the exponential is its derivative. Compare the derivative with the "
        "function itself.",
        "The slope at x is a number that forward has already computed. It need not be computed "
        "again, only kept.",
        "Give the result a name in forward before you return it, and keep it with the method of "
        "`ctx` that is made for tensors. It is one of the two factors of the gradient.",
    ),
    variants=(
        Variant("number by number, in a view", ExpNumberByNumber),
        Variant("setup_context and a tuple", ExpWithSetupContext),
        Variant("a copy of the output, prints and type hints", ExpOfACopy),
    ),
    remarks=(ANOTHER_IS_KEPT,),
    place=5,
)
