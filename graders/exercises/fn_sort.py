"""`fn-sort`: two outputs, one of which has no gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

import autograd_core as torch
from autograd_core.autograd import Function
from graders.exercise import Check, Exercise, Misconception, Remark, Variant, noted
from graders.inputs import case
from graders.observe import scenarios
from graders.observe.lab import Lab


class SortWithIndex(Function):
    @staticmethod
    def forward(ctx, x):
        values, indices = torch.sort(x)
        ctx.mark_non_differentiable(indices)
        ctx.save_for_backward(indices)
        return values, indices

    @staticmethod
    def backward(ctx, grad_values, grad_indices):
        (indices,) = ctx.saved_tensors
        grad_x = torch.zeros_like(grad_values)
        grad_x[indices] = grad_values
        return grad_x


class SortWithSetupContext(Function):
    @staticmethod
    def forward(numbers):
        order = torch.argsort(numbers)
        return numbers[order], order

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_non_differentiable(output[1])
        ctx.save_for_backward(torch.argsort(output[1]))

    @staticmethod
    def backward(ctx, *upstream):
        (back,) = ctx.saved_tensors
        return (upstream[0][back],)


class SortUnmarked(Function):
    @staticmethod
    def forward(ctx, x):
        order = x.detach().numpy().argsort(kind="stable")
        ctx.order = order
        print("order", order)
        indices = torch.from_numpy(order)
        return x[indices].clone(), indices

    @staticmethod
    def backward(ctx, grad_values, _):
        grad_x = np.zeros(len(ctx.order), dtype=np.float32)
        grad_x[ctx.order] = grad_values.numpy()
        return torch.from_numpy(grad_x)


class LeavesGradientSorted(Function):
    @staticmethod
    def forward(ctx, x):
        values, indices = torch.sort(x)
        ctx.mark_non_differentiable(indices)
        return values, indices

    @staticmethod
    def backward(ctx, grad_values, grad_indices):
        return grad_values


class SortsTheGradientOnceMore(SortWithIndex):
    @staticmethod
    def backward(ctx, grad_values, grad_indices):
        (indices,) = ctx.saved_tensors
        return grad_values[indices]


class IgnoresGradOutput(Function):
    @staticmethod
    def forward(ctx, x):
        values, indices = torch.sort(x)
        ctx.mark_non_differentiable(indices)
        return values, indices

    @staticmethod
    def backward(ctx, grad_values, grad_indices):
        return torch.ones_like(grad_values)


class GivesTheIndicesAGradient(SortWithIndex):
    @staticmethod
    def forward(ctx, x):
        values, indices = torch.sort(x)
        ctx.save_for_backward(indices)
        return values, indices.to(x.dtype)


class ReturnsFloatIndices(SortWithIndex):
    @staticmethod
    def forward(ctx, x):
        values, indices = torch.sort(x)
        ctx.save_for_backward(indices)
        indices = indices.to(x.dtype)
        ctx.mark_non_differentiable(indices)
        return values, indices


class MarksTheValues(Function):
    @staticmethod
    def forward(ctx, x):
        values, indices = torch.sort(x)
        ctx.mark_non_differentiable(values, indices)
        return values, indices

    @staticmethod
    def backward(ctx, grad_values, grad_indices):
        return grad_values


class ReturnsRanks(Function):
    @staticmethod
    def forward(ctx, x):
        values, indices = torch.sort(x)
        ranks = torch.argsort(indices)
        ctx.mark_non_differentiable(ranks)
        ctx.save_for_backward(ranks)
        return values, ranks

    @staticmethod
    def backward(ctx, grad_values, grad_ranks):
        (ranks,) = ctx.saved_tensors
        return grad_values[ranks]


class TakesOneGradient(SortWithIndex):
    @staticmethod
    def backward(ctx, grad_values):
        (indices,) = ctx.saved_tensors
        grad_x = torch.zeros_like(grad_values)
        grad_x[indices] = grad_values
        return grad_x


class ReturnsOneGradientPerOutput(SortWithIndex):
    @staticmethod
    def backward(ctx, grad_values, grad_indices):
        (indices,) = ctx.saved_tensors
        grad_x = torch.zeros_like(grad_values)
        grad_x[indices] = grad_values
        return grad_x, grad_indices


class KeepsIndicesOnClass(Function):
    indices: torch.Tensor

    @staticmethod
    def forward(ctx, x):
        values, KeepsIndicesOnClass.indices = torch.sort(x)
        return values, KeepsIndicesOnClass.indices

    @staticmethod
    def backward(ctx, grad_values, grad_indices):
        grad_x = torch.zeros_like(grad_values)
        grad_x[KeepsIndicesOnClass.indices] = grad_values
        return grad_x


class ReturnsTheIndicesFirst(SortWithIndex):
    @staticmethod
    def forward(ctx, x):
        values, indices = torch.sort(x)
        ctx.save_for_backward(indices)
        ctx.mark_non_differentiable(indices)
        return indices, values


class TakesTheIndicesFirst(ReturnsTheIndicesFirst):
    @staticmethod
    def backward(ctx, grad_indices, grad_values):
        (indices,) = ctx.saved_tensors
        grad_x = torch.zeros_like(grad_values)
        grad_x[indices] = grad_values
        return grad_x


class SortsDownwards(SortWithIndex):
    @staticmethod
    def forward(ctx, x):
        values, indices = torch.sort(x, descending=True)
        ctx.mark_non_differentiable(indices)
        ctx.save_for_backward(indices)
        return values, indices


def two_outputs(function: Any, lab: Lab) -> None:
    """Look at the two outputs: what they hold, and which of them ask for a gradient.

    Notes when whole-number indices were not `marked`, which the engine forgives.
    """
    from graders.observe.hidden import hidden

    for call in lab.cases():
        leaves = call.arguments()
        output = call.run(function, leaves)
        # What forward puts in a list takes no part in the graph.
        two = issubclass(type(output), tuple) and len(output) == 2
        pair = two and all(call.is_tensor(each) for each in output)
        call.record("apply returns a tuple of two tensors", pair)
        if not pair:
            continue
        values, indices = output
        before, after = (each["x"].detach().numpy() for each in (call.arguments(), leaves))
        call.record("its input keeps its values", np.array_equal(before, after))
        call.record("tensor of values", values)
        call.record("tensor of indices", indices)
        call.record("the values require grad", values.requires_grad)
        call.record("the indices require grad", indices.requires_grad)
        if values.grad_fn is None:
            continue
        marked: list[Any] = []
        node_class = type(values.grad_fn)
        mark = node_class.mark_non_differentiable

        def noting(ctx: Any, *tensors: Any, mark: Any = mark, marked: list[Any] = marked) -> None:
            marked.extend(tensors)
            mark(ctx, *tensors)

        node_class.mark_non_differentiable = hidden(noting)
        try:
            call.run(function, leaves)
        finally:
            del node_class.mark_non_differentiable
        if not marked:
            call.note("unmarked", True)


def values_in_a_graph(function: Any, lab: Lab) -> None:
    """Use the sorted values in a larger graph; the input goes elsewhere too."""
    from graders.observe.lab import same_numbers

    for call in lab.cases():
        leaves = call.arguments()
        inner = leaves["x"] * 3
        values, _ = call.run(function, {"x": inner})
        kept = call.watch_gradient(values)
        call.apply_elsewhere(function, {"x": inner})
        weights = call.upstream(values)
        before = values.detach().clone()
        total = (values * values * weights).sum() + (inner * 0.5).sum()
        total.backward()
        call.record_gradients(leaves)
        call.record("backward leaves grad_output as it was", kept())
        unchanged = same_numbers(call.numbers(values), call.numbers(before))
        call.record("backward leaves its inputs and its output as they were", unchanged)


def _mixed_up(rng: np.random.Generator, n: int = 5) -> np.ndarray:
    """n different numbers whose sorting order is not its own reverse."""
    numbers = np.arange(n) - 1.5 + np.round(rng.uniform(0.1, 0.9, n), 2)
    while True:
        order = rng.permutation(n)
        if not np.array_equal(order[order], np.arange(n)):
            break
    return np.asarray(numbers[order], dtype=np.float32)


def _vectors(rng: np.random.Generator) -> dict[str, object]:
    return {
        "cases": [
            case("five numbers", x=_mixed_up(rng)),
            case("eight numbers", x=_mixed_up(rng, 8)),
            case("a single element", x=np.asarray([1.5], dtype=np.float32)),
        ]
    }


EXERCISE = Exercise(
    id="fn-sort",
    lesson="07_custom_functions",
    section="Outputs without a gradient",
    title="Sorted values, and where they came from",
    symbol="SortWithIndex",
    kind="implement",
    points=6,
    difficulty=3,
    minutes=10,
    task=(
        "Write `SortWithIndex`, so that `SortWithIndex.apply(x)`, for a vector x, returns two "
        "tensors: the values in ascending order, and for each of them the index at which it stood "
        "in x (integers, as `torch.sort` returns them). The values have a gradient, the indices "
        "have none; tell the engine so."
    ),
    starter='''\
class SortWithIndex(Function):
    """A vector in ascending order, and the index of each element in x."""

    @staticmethod
    def forward(ctx, x):
        # Your code here.
        ...

    @staticmethod
    def backward(ctx, grad_values, grad_indices):
        # Your code here.
        ...
''',
    reference=SortWithIndex,
    checks=(
        Check(
            "two outputs",
            4,
            two_outputs,
            _vectors,
            passes="Values and indices are right, and only the values require grad.",
            fails="The two outputs are not right.",
        ),
        Check(
            "gradient",
            6,
            scenarios.function_gradients,
            _vectors,
            passes="Each gradient is put back where its value came from.",
            fails="The gradient is not right.",
        ),
        Check(
            "larger graph",
            2,
            values_in_a_graph,
            lambda rng: {"cases": [case("five numbers", x=_mixed_up(rng))]},
            passes="It works in the middle of a larger graph.",
            fails="It does not work in the middle of a larger graph.",
        ),
    ),
    misconceptions=(
        Misconception(
            "gradient-left-sorted",
            "Your backward returns the gradients in the order of the sorted values. Each belongs "
            "to the element of x that its value came from.",
            LeavesGradientSorted,
        ),
        Misconception(
            "gradient-sorted-once-more",
            "Your backward moves the gradients the way forward moved the values. Backward has to "
            "do the opposite: what was taken from a place is put back there.",
            SortsTheGradientOnceMore,
        ),
        Misconception(
            "ignores-grad-output",
            "Your backward returns ones, as if sorting were the last step of the computation. The "
            "gradient that arrives from above, `grad_values`, is not used.",
            IgnoresGradOutput,
        ),
        Misconception(
            "indices-ask-for-gradient",
            "Your indices are floating-point numbers that require grad. An index jumps when the "
            "input changes; it has no slope, and the engine has to be told so.",
            GivesTheIndicesAGradient,
        ),
        Misconception(
            "indices-are-floats",
            "Your indices are floating-point numbers. To be usable as indices they have to be "
            "integers.",
            ReturnsFloatIndices,
        ),
        Misconception(
            "values-marked-too",
            "You have marked the values as non-differentiable too. Sorting only moves values: "
            "when one changes in x, it changes in the result.",
            MarksTheValues,
        ),
        Misconception(
            "ranks-for-indices",
            "Your second output says for each element of x where it went. The task asks where "
            "each sorted value came from.",
            ReturnsRanks,
        ),
        Misconception(
            "takes-one-gradient",
            "Your backward takes one gradient. Forward returns two tensors, so backward is given "
            "two, even if one of them is of no use.",
            TakesOneGradient,
        ),
        Misconception(
            "one-gradient-per-output",
            "Your backward returns one gradient for each output. It is given one for each output; "
            "it returns one for each input.",
            ReturnsOneGradientPerOutput,
        ),
        Misconception(
            "keeps-indices-on-class",
            "The indices are stored in one place that all calls share, so a second call "
            "overwrites what the first one needs. Each call has its own `ctx`.",
            KeepsIndicesOnClass,
        ),
        Misconception(
            "indices-first",
            "You return the indices first. The values should come first, as in `torch.sort`.",
            ReturnsTheIndicesFirst,
        ),
        Misconception(
            "indices-first-throughout",
            "You return the indices first, and backward expects them first too. The values should "
            "come first, as in `torch.sort`.",
            TakesTheIndicesFirst,
        ),
        Misconception(
            "sorted-downwards",
            "Your values are in descending order. The smallest should come first.",
            SortsDownwards,
        ),
    ),
    hints=(
        "Sort three numbers by hand, and send the gradients 10, 20, 30 back to where the numbers "
        "stood.",
        "The indices describe both directions: forward takes values from those places, backward "
        "puts gradients there. Keep them for that.",
        "Start backward with zeros of the right shape, and assign what arrives to the places "
        "given by the saved indices. In forward, tell `ctx` which output is non-differentiable.",
    ),
    remarks=(
        Remark(
            "unmarked",
            "You did not mark the indices as non-differentiable. Here the engine knew it anyway, "
            "because integers never have a gradient; marking them is still good style.",
            noted("unmarked"),
        ),
    ),
    variants=(
        Variant("setup_context and the inverse order", SortWithSetupContext),
        Variant("NumPy inside, indices not marked", SortUnmarked),
    ),
    place=9,
)
