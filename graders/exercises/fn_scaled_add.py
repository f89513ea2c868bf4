"""`fn-scaled-add`: a Python number among the inputs, and its place in what backward returns."""

from __future__ import annotations

from typing import Any

import numpy as np

import autograd_core as torch
from autograd_core.autograd import Function
from graders.exercise import Check, Exercise, Misconception, Remark, Variant, noted
from graders.inputs import case, signed
from graders.observe import scenarios
from graders.observe.lab import Lab


class ScaledAdd(Function):
    @staticmethod
    def forward(ctx, x, y, k):
        ctx.k = k
        return x + k * y

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output, ctx.k * grad_output, None


class ScaledAddWithSetupContext(Function):
    @staticmethod
    def forward(x, y, k):
        return torch.add(x, y * k)

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, _, ctx.factor = inputs

    @staticmethod
    def backward(ctx, upstream):
        return upstream.clone(), upstream * ctx.factor, None


class ScaledAddWithATensor(Function):
    @staticmethod
    def forward(ctx, x, y, k):
        print("k is", k)
        k = torch.tensor(float(k))
        ctx.save_for_backward(k, x)
        return x + y * k

    @staticmethod
    def backward(ctx, grad_output):
        k, _ = ctx.saved_tensors
        grad_x = grad_output if ctx.needs_input_grad[0] else None
        grad_y = k * grad_output if ctx.needs_input_grad[1] else None
        return grad_x, grad_y, None


class ForgetsTheNumbersPlace(ScaledAdd):
    @staticmethod
    def backward(ctx, grad_output):
        return grad_output, ctx.k * grad_output


class SavesTheNumber(Function):
    @staticmethod
    def forward(ctx, x, y, k):
        ctx.save_for_backward(k)
        return x + k * y

    @staticmethod
    def backward(ctx, grad_output):
        (k,) = ctx.saved_tensors
        return grad_output, k * grad_output, None


class GivesTheNumberAGradient(Function):
    @staticmethod
    def forward(ctx, x, y, k):
        ctx.save_for_backward(y)
        ctx.k = k
        return x + k * y

    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return grad_output, ctx.k * grad_output, (grad_output * y).sum()


class ForgetsTheFactor(Function):
    @staticmethod
    def forward(ctx, x, y, k):
        return x + k * y

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output, grad_output, None


class ScalesBoth(ScaledAdd):
    @staticmethod
    def backward(ctx, grad_output):
        return ctx.k * grad_output, ctx.k * grad_output, None


class ScalesTheFirst(ScaledAdd):
    @staticmethod
    def forward(ctx, x, y, k):
        ctx.k = k
        return k * x + y

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.k, grad_output, None


class ScalesTheSum(ScaledAdd):
    @staticmethod
    def forward(ctx, x, y, k):
        ctx.k = k
        return k * (x + y)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.k, grad_output * ctx.k, None


class Swaps(ScaledAdd):
    @staticmethod
    def backward(ctx, grad_output):
        return ctx.k * grad_output, grad_output, None


class UsesTheValues(Function):
    @staticmethod
    def forward(ctx, x, y, k):
        ctx.save_for_backward(x, y)
        ctx.k = k
        return x + k * y

    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        return grad_output * x, grad_output * ctx.k * y, None


class IgnoresGradOutput(ScaledAdd):
    @staticmethod
    def backward(ctx, grad_output):
        ones = torch.ones_like(grad_output)
        return ones, ctx.k * ones, None


class ChangesGradOutput(ScaledAdd):
    @staticmethod
    def backward(ctx, grad_output):
        return grad_output, grad_output.mul_(ctx.k), None


class KeepsTheNumberOnTheClass(Function):
    @staticmethod
    def forward(ctx, x, y, k):
        KeepsTheNumberOnTheClass.k = k
        return x + k * y

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output, KeepsTheNumberOnTheClass.k * grad_output, None


def two_calls(function: Any, lab: Lab) -> None:
    """Two calls with different numbers, alive at the same time. Notes needless keeping."""
    for call in lab.cases():
        leaves = call.arguments()
        first = call.apply(function, leaves)
        second = call.apply(function, {**leaves, "k": 3 * leaves["k"]})
        gradient = call.upstream(first)
        for name, output in {"first": first, "second": second}.items():
            found = call.torch.autograd.grad(output, [leaves["y"]], gradient, retain_graph=True)
            call.record(f"gradient of y from the {name} call", found[0])
        memories = {id(leaf.untyped_storage()) for leaf in (leaves["x"], leaves["y"])}
        saved = [slot.tensor for slot in getattr(first.grad_fn, "saved_slots", ())]
        if any(id(each.untyped_storage()) in memories for each in saved if each is not None):
            call.note("needlessly kept", True)


def _cases(rng: np.random.Generator) -> dict[str, Any]:
    def number() -> float:
        return float(rng.choice([-1.0, 1.0]) * round(rng.uniform(1.6, 3.4), 1))

    return {
        "cases": [
            case("numbers", x=signed(rng), y=signed(rng), k=number()),
            case("vectors", x=signed(rng, 3), y=signed(rng, 3), k=number()),
            case("matrices and a whole k", x=signed(rng, 2, 3), y=signed(rng, 2, 3), k=-3),
            case("x without gradient", frozen=["x"], x=signed(rng, 3), y=signed(rng, 3), k=0.25),
            case("y without gradient", frozen=["y"], x=signed(rng, 3), y=signed(rng, 3), k=4),
        ]
    }


def _gradient(of: str, weight: int) -> Check:
    """Return the check of one of the two gradients, each of which counts for itself."""

    def where_it_learns(rng: np.random.Generator) -> dict[str, object]:
        cases = [each for each in _cases(rng)["cases"] if of not in each["frozen"]]
        return {"of": of, "cases": cases}

    return Check(
        f"gradient of {of}",
        weight,
        scenarios.function_one_gradient,
        where_it_learns,
        passes=f"The gradient of {of} is right, whatever arrives from above.",
        fails=f"The gradient of {of} is not right.",
    )


EXERCISE = Exercise(
    id="fn-scaled-add",
    lesson="07_custom_functions",
    section="Numbers among the inputs",
    title="A sum with a factor",
    symbol="ScaledAdd",
    kind="implement",
    points=4,
    difficulty=1,
    minutes=5,
    task=(
        "Write `ScaledAdd`, so that `ScaledAdd.apply(x, y, k)` is x + k · y. The tensors x and y "
        "have the same shape; k is a plain Python number."
    ),
    starter='''\
class ScaledAdd(Function):
    """x + k * y: two tensors of one shape and a Python number k."""

    @staticmethod
    def forward(ctx, x, y, k):
        # Your code here.
        ...

    @staticmethod
    def backward(ctx, grad_output):
        # Your code here.
        ...
''',
    reference=ScaledAdd,
    checks=(
        Check(
            "output",
            1,
            scenarios.function_values,
            _cases,
            passes="The sum is right.",
            fails="The sum is not right.",
        ),
        _gradient("x", 2),
        _gradient("y", 3),
        Check(
            "larger graph",
            1,
            scenarios.function_in_graph,
            lambda rng: {"cases": [case("vectors", x=signed(rng, 3), y=signed(rng, 3), k=-2.5)]},
            passes="It works in the middle of a larger graph.",
            fails="It does not work in the middle of a larger graph.",
        ),
        Check(
            "two calls",
            1,
            two_calls,
            lambda rng: {"cases": [case("vectors", x=signed(rng, 3), y=signed(rng, 3), k=1.5)]},
            passes="Two calls with different numbers do not interfere with each other.",
            fails="Two calls with different numbers interfere with each other.",
            after=("gradient of y",),
        ),
    ),
    misconceptions=(
        Misconception(
            "forgets-the-numbers-place",
            "Forward takes three arguments, but backward returns fewer values. The number needs "
            "no gradient, but it has a place in what backward returns.",
            ForgetsTheNumbersPlace,
        ),
        Misconception(
            "saves-the-number",
            "`save_for_backward` accepts only tensors, because it records their versions. A plain "
            "number cannot change in place, so it needs no such protection.",
            SavesTheNumber,
        ),
        Misconception(
            "gives-the-number-a-gradient",
            "Your backward returns a gradient for k. Only tensors have gradients; a plain number "
            "cannot hold one.",
            GivesTheNumberAGradient,
        ),
        Misconception(
            "forgets-the-factor",
            "Both inputs get `grad_output` unchanged. When y changes a little, does the output "
            "change by just as much?",
            ForgetsTheFactor,
        ),
        Misconception(
            "scales-both",
            "Both gradients are multiplied by the number. Only one of the two tensors was.",
            ScalesBoth,
        ),
        Misconception(
            "scales-the-first",
            "You multiply x by the number, in forward and in backward. It is y that should be "
            "multiplied; x is added as it is.",
            ScalesTheFirst,
        ),
        Misconception(
            "scales-the-sum",
            "You multiply the whole sum by the number. Only y should be multiplied; x is added as "
            "it is.",
            ScalesTheSum,
        ),
        Misconception(
            "changes-grad-output",
            "Your backward multiplies `grad_output` in place, so both gradients are the same "
            "tensor. It is not yours alone: other branches of the graph may still need it.",
            ChangesGradOutput,
        ),
        Misconception(
            "swapped",
            "Each input gets the gradient that belongs to the other one. The order of the "
            "gradients is the order of forward's arguments.",
            Swaps,
        ),
        Misconception(
            "uses-the-values",
            "Your gradients contain the values of x and y. The slope of a sum does not depend on "
            "the values.",
            UsesTheValues,
        ),
        Misconception(
            "ignores-grad-output",
            "Your backward returns only the slopes, as if this were the last step of the "
            "computation. The gradient that arrives from above, `grad_output`, is not used.",
            IgnoresGradOutput,
        ),
        Misconception(
            "keeps-number-on-class",
            "The number is stored in one place that all calls share, so a second call overwrites "
            "what the first one needs. Each call has its own `ctx`.",
            KeepsTheNumberOnTheClass,
        ),
    ),
    hints=(
        "Write the output as a formula, and ask for each argument: if it grows a little, by how "
        "much does the output grow?",
        "Backward returns one value for each argument of forward, in the same order. For an "
        "argument that is not a tensor, that value says that there is no gradient.",
        "Keep the number as a plain attribute of `ctx`. One tensor gets what arrives from above "
        "unchanged, the other gets it multiplied, and the third place is None.",
    ),
    remarks=(
        Remark(
            "needlessly-kept",
            "You keep an input tensor that backward does not need. It stays in memory as long as "
            "the graph does.",
            noted("needlessly kept"),
        ),
    ),
    variants=(
        Variant("setup_context and a clone", ScaledAddWithSetupContext),
        Variant("the number made a tensor", ScaledAddWithATensor),
    ),
    place=6,
)
