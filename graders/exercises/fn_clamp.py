"""`fn-clamp`: a slope that is one or zero, and two numbers that need no gradient."""

from __future__ import annotations

import numpy as np

import autograd_core as torch
from autograd_core.autograd import Function
from graders.exercise import Check, Exercise, Misconception, Remark, Variant, noted
from graders.inputs import case
from graders.observe import scenarios


class Clamp(Function):
    @staticmethod
    def forward(ctx, x, lo, hi):
        ctx.save_for_backward(x)
        ctx.lo, ctx.hi = lo, hi
        return x.clamp(lo, hi)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * ((x >= ctx.lo) & (x <= ctx.hi)), None, None


class ClampWithAMask(Function):
    @staticmethod
    def forward(ctx, x, lo, hi):
        inside = (x > lo) & (x < hi)
        ctx.save_for_backward(inside)
        low, high = torch.full_like(x, lo), torch.full_like(x, hi)
        return torch.where(inside, x, torch.where(x <= lo, low, high))

    @staticmethod
    def backward(ctx, grad_output):
        (inside,) = ctx.saved_tensors
        return torch.where(inside, grad_output, torch.zeros_like(grad_output)), None, None


class ClampWithSetupContext(Function):
    @staticmethod
    def forward(values: torch.Tensor, low: float, high: float) -> torch.Tensor:
        print("between", low, high)
        return values.clamp(min=low, max=high)

    @staticmethod
    def setup_context(ctx, inputs, output):
        values, ctx.low, ctx.high = inputs
        ctx.save_for_backward(values)

    @staticmethod
    def backward(ctx, upstream: torch.Tensor):
        (values,) = ctx.saved_tensors
        result = upstream.clone()
        result[values < ctx.low] = 0
        result[values > ctx.high] = 0
        return result, None, None


class ClampFromItsOutput(Function):
    @staticmethod
    def forward(ctx, x, lo, hi):
        ctx.lo, ctx.hi = lo, hi
        y = x.clamp(lo, hi)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return grad_output * ((y > ctx.lo) & (y < ctx.hi)).to(grad_output.dtype), None, None


class ReadsTheTuple(Clamp):
    @staticmethod
    def backward(ctx, grad_output):
        x = ctx.saved_tensors
        return grad_output * ((x >= ctx.lo) & (x <= ctx.hi)), None, None


class PassesGradientThrough(Function):
    @staticmethod
    def forward(ctx, x, lo, hi):
        return x.clamp(lo, hi)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output, None, None


class InvertsTheMask(Clamp):
    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * ((x < ctx.lo) | (x > ctx.hi)), None, None


class ZeroesWhatIsOutside(Function):
    @staticmethod
    def forward(ctx, x, lo, hi):
        inside = (x >= lo) & (x <= hi)
        ctx.save_for_backward(inside)
        return x * inside

    @staticmethod
    def backward(ctx, grad_output):
        (inside,) = ctx.saved_tensors
        return grad_output * inside, None, None


class IgnoresGradOutput(Clamp):
    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        inside = (x >= ctx.lo) & (x <= ctx.hi)
        return inside.to(x.dtype), None, None


class ForgetsTheLowerBound(Function):
    @staticmethod
    def forward(ctx, x, lo, hi):
        ctx.save_for_backward(x)
        ctx.hi = hi
        return x.clamp(lo, hi)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * (x <= ctx.hi), None, None


class ForgetsTheUpperBound(Function):
    @staticmethod
    def forward(ctx, x, lo, hi):
        ctx.save_for_backward(x)
        ctx.lo = lo
        return x.clamp(lo, hi)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * (x >= ctx.lo), None, None


class ClampsTheGradient(Function):
    @staticmethod
    def forward(ctx, x, lo, hi):
        ctx.lo, ctx.hi = lo, hi
        return x.clamp(lo, hi)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.clamp(ctx.lo, ctx.hi), None, None


class MultipliesByTheOutput(Function):
    @staticmethod
    def forward(ctx, x, lo, hi):
        ctx.save_for_backward(x.clamp(lo, hi))
        return x.clamp(lo, hi)

    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return grad_output * y, None, None


class ForgetsTheNumbersPlaces(Clamp):
    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * ((x >= ctx.lo) & (x <= ctx.hi))


class ExchangesTheBounds(Clamp):
    @staticmethod
    def forward(ctx, x, lo, hi):
        ctx.save_for_backward(x)
        ctx.hi, ctx.lo = lo, hi
        return x.clamp(lo, hi)


class SavesTheBounds(Function):
    @staticmethod
    def forward(ctx, x, lo, hi):
        ctx.save_for_backward(x, lo, hi)
        return x.clamp(lo, hi)

    @staticmethod
    def backward(ctx, grad_output):
        x, lo, hi = ctx.saved_tensors
        return grad_output * ((x >= lo) & (x <= hi)), None, None


class KeepsTheMaskOnTheClass(Function):
    @staticmethod
    def forward(ctx, x, lo, hi):
        KeepsTheMaskOnTheClass.mask = (x >= lo) & (x <= hi)
        return x.clamp(lo, hi)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * KeepsTheMaskOnTheClass.mask, None, None


class KeepsInputOnContext(Function):
    @staticmethod
    def forward(ctx, x, lo, hi):
        ctx.x, ctx.lo, ctx.hi = x, lo, hi
        return x.clamp(lo, hi)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ((ctx.x >= ctx.lo) & (ctx.x <= ctx.hi)), None, None


def _between(rng: np.random.Generator, low: float, high: float, *shape: int) -> np.ndarray:
    return np.asarray(np.round(rng.uniform(low, high, shape), 2), dtype=np.float32)


def _mixed(rng: np.random.Generator, shape: int | tuple[int, ...], low: float = -0.9) -> np.ndarray:
    """Below -1, within (from `low`), and above 1 in turn, at least 0.1 away from both."""
    parts = [(-1.9, -1.1), (low, 0.9), (1.1, 2.5)]
    drawn = [_between(rng, *parts[i % 3]) for i in range(int(np.prod(shape)))]
    return np.asarray(drawn, dtype=np.float32).reshape(shape)


def _cases(rng: np.random.Generator) -> dict[str, object]:
    return {
        "cases": [
            case("a vector", x=_mixed(rng, 6), lo=-1.0, hi=1.0),
            case("a number below", x=_between(rng, -1.9, -1.1), lo=-1.0, hi=1.0),
            case("a number inside", x=_between(rng, 0.1, 0.9), lo=-1, hi=1),
            case("zero inside", x=np.zeros((), np.float32), lo=-1.0, hi=1.0),
            case("a number above", x=_between(rng, 1.1, 1.9), lo=-1.0, hi=1.0),
            case("bounds above zero", x=_mixed(rng, (2, 3)) + 3, lo=2.0, hi=4.0),
            case("a transposed matrix", transposed=True, x=_mixed(rng, (3, 2)), lo=-1.0, hi=1.0),
            case("an empty vector", x=_mixed(rng, 0), lo=-1.0, hi=1.0),
        ]
    }


EXERCISE = Exercise(
    id="fn-clamp",
    lesson="07_custom_functions",
    section="Numbers among the inputs",
    title="A clamp with bounds",
    symbol="Clamp",
    kind="implement",
    points=5,
    difficulty=2,
    minutes=8,
    task=(
        "Write `Clamp`, so that `Clamp.apply(x, lo, hi)` limits each element of x to the range "
        "from lo to hi. Inside the range the gradient passes; outside it the output does not "
        "change, so the gradient is 0. The bounds are plain numbers. (What happens exactly at a "
        "bound is up to you.)"
    ),
    starter='''\
class Clamp(Function):
    """x limited to the range from lo to hi, element by element."""

    @staticmethod
    def forward(ctx, x, lo, hi):
        # Your code here.
        ...

    @staticmethod
    def backward(ctx, grad_output):
        # Your code here.
        ...
''',
    reference=Clamp,
    checks=(
        Check(
            "output",
            1,
            scenarios.function_values,
            _cases,
            passes="The output stays between the bounds, and values inside are unchanged.",
            fails="The output is not right.",
        ),
        Check(
            "gradient",
            7,
            scenarios.function_gradients,
            _cases,
            passes="The gradient passes inside the bounds and stops outside.",
            fails="The gradient is not right.",
        ),
        Check(
            "larger graph",
            1,
            scenarios.function_in_graph,
            # Given are 3 times x, and in another call -6 times x: then other elements stay between
            # the bounds, and those are neither all positive ones nor all on one side of a number.
            lambda rng: {"cases": [case("a vector", x=_mixed(rng, 6, 0.6), lo=-6.0, hi=3.0)]},
            passes="It works in the middle of a larger graph.",
            fails="It does not work in the middle of a larger graph.",
        ),
        Check(
            "saved tensors",
            1,
            scenarios.function_notices_changes,
            lambda rng: {
                "cases": [case("a vector", x=_mixed(rng, 6), lo=-1.0, hi=1.0, changed=["x"])]
            },
            passes="A later in-place change of the input raises an error, or does no harm.",
            fails="A later in-place change of the input makes the gradient wrong without an error.",
            after=("gradient",),
            statements=True,
        ),
    ),
    misconceptions=(
        Misconception(
            "gradient-not-stopped",
            "The gradient passes everywhere. If you decide by the output, note that it never lies "
            "outside the bounds; where an input was cut off, the output no longer changes.",
            PassesGradientThrough,
        ),
        Misconception(
            "reads-the-tuple",
            "Your backward computes with `saved_tensors` as if it were the tensor itself. It is a "
            "tuple, even when it holds a single tensor.",
            ReadsTheTuple,
        ),
        Misconception(
            "mask-inverted",
            "The gradient passes outside the bounds and stops inside. Ask where a small change of "
            "the input still changes the output.",
            InvertsTheMask,
        ),
        Misconception(
            "zeroes-what-is-outside",
            "Your forward turns values outside the bounds into zero. A clamp moves them to the "
            "nearest bound; only their gradient is zero.",
            ZeroesWhatIsOutside,
        ),
        Misconception(
            "ignores-grad-output",
            "Your backward returns only ones and zeros, as if the clamp were the last step of the "
            "computation. The gradient that arrives from above, `grad_output`, is not used.",
            IgnoresGradOutput,
        ),
        Misconception(
            "forgets-the-lower-bound",
            "The gradient stops above the range, but passes below it. There are two bounds.",
            ForgetsTheLowerBound,
        ),
        Misconception(
            "forgets-the-upper-bound",
            "The gradient stops below the range, but passes above it. There are two bounds.",
            ForgetsTheUpperBound,
        ),
        Misconception(
            "clamps-the-gradient",
            "Your backward clamps the gradient itself. The bounds limit the values of the input; "
            "the gradient may have any size.",
            ClampsTheGradient,
        ),
        Misconception(
            "multiplies-by-the-output",
            "Your gradient is multiplied by the clamped value. Inside the bounds the output "
            "changes exactly as much as the input, whatever its value.",
            MultipliesByTheOutput,
        ),
        Misconception(
            "forgets-the-numbers-places",
            "Forward takes three arguments, but backward returns fewer values. The bounds need no "
            "gradient, but each has a place in what backward returns.",
            ForgetsTheNumbersPlaces,
        ),
        Misconception(
            "bounds-exchanged",
            "No gradient passes at all, because no number is above the upper bound and below the "
            "lower one. Somewhere you have swapped the two bounds.",
            ExchangesTheBounds,
        ),
        Misconception(
            "saves-the-bounds",
            "`save_for_backward` accepts only tensors, because it records their versions. A plain "
            "number cannot change in place, so it needs no such protection.",
            SavesTheBounds,
        ),
        Misconception(
            "keeps-mask-on-class",
            "The mask is stored in one place that all calls share, so a second call overwrites "
            "what the first one needs. Each call has its own `ctx`.",
            KeepsTheMaskOnTheClass,
        ),
        Misconception(
            "keeps-input-on-ctx",
            "The input is kept where its version is not recorded, for example as a plain "
            "attribute of `ctx`. If it is changed in place before backward, the mask is made from "
            "the changed value and no error is raised.",
            KeepsInputOnContext,
        ),
    ),
    hints=(
        "Take one number inside the bounds and one outside. Change each a little: does the output "
        "change too?",
        "The slope is one or zero, and the input decides for each element which it is. It is "
        "multiplied by what arrives from above.",
        "Keep the input with the method for tensors and the bounds as plain attributes. In "
        "backward compare the input with both bounds, combine the two results, and multiply; the "
        "places of the bounds are None.",
    ),
    remarks=(
        Remark(
            "kept-a-copy",
            "Your backward needs no version check, because it keeps a tensor of its own: a mask "
            "or a copy. A mask of bools takes a quarter of the memory of a float32 input.",
            noted("copied"),
        ),
    ),
    variants=(
        Variant("a mask, and where", ClampWithAMask),
        Variant("setup_context and assignment by mask", ClampWithSetupContext),
        Variant("strictly inside, seen from the output", ClampFromItsOutput),
    ),
    place=7,
)
