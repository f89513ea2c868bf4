"""`detach-stop`: a product in which one factor counts as a constant."""

from __future__ import annotations

import autograd_core as torch
from autograd_core.autograd import Function
from graders.exercise import Check, Exercise, Misconception, Remark, Variant, noted
from graders.inputs import case, shapes, signed
from graders.observe import scenarios


def stop_gradient_product(x):
    """Return x * c, where c is x taken as a constant: d/dx = c."""
    return x * x.detach()


def _constant_made_without_recording(x: torch.Tensor) -> torch.Tensor:
    with torch.no_grad():
        constant = x.clone()
    print("constant:", constant)
    return torch.mul(constant, x)


def _from_numbers(x):
    return torch.tensor(x.tolist(), dtype=x.dtype).reshape(x.shape) * x


def _by_way_of_numpy(t):
    values = t.detach().cpu().clone().numpy()
    return t * torch.from_numpy(values)


class _ProductWithConstant(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * x


def _own_function(x):
    return _ProductWithConstant.apply(x)


def _half_and_half(x):
    half = x * x / 2
    return half + half.detach()


def _through_data(x):
    return x * x.data


def _passes_through(x):
    return x * x


def _everything_constant(x):
    return (x * x).detach()


def _detached_in_place(x):
    return x * x.detach_()


def _new_leaf(x):
    constant = x.detach()
    return x.detach().requires_grad_() * constant


def _slope_one(x):
    return x + (x * x - x).detach()


def _sum_for_product(x):
    return x + x.detach()


def _single_numbers_only(x):
    return x * x.item()


def _made_a_float(x):
    return x * float(x)


def _written_into_x(x):
    product = x.detach()
    product *= x
    return product


def _switched_off(x):
    x.requires_grad_(False)
    product = x * x
    x.requires_grad_(True)
    return product


def _switched_off_for_good(x):
    constant = x
    constant.requires_grad = False
    return constant * x


def _squared_twice(x):
    return x * (x * x).detach()


def of_a_result(function, lab):
    """The gradient when x is itself computed; notes whether a change of x goes by `unguarded`."""
    for each in lab.cases():
        leaf = each.arguments()["x"]
        found = []
        for changed in (False, True):
            inner = leaf * 3
            result = function(inner)
            each.record("a tensor is returned", each.is_tensor(result))
            if not each.is_tensor(result) or not result.requires_grad:
                break
            if changed:
                inner.detach().add_(1)
            leaf.grad = None
            try:
                result.backward(each.upstream(result))
            except RuntimeError as error:
                if changed and "inplace" in str(error):
                    break
                raise
            found.append(leaf.grad)
        if found:
            each.record("gradient of x", found[0])
        if len(found) == 2 and None not in found and bool((found[0] != found[1]).any()):
            each.note("unguarded", True)


EXERCISE = Exercise(
    id="detach-stop",
    lesson="06_detach",
    section="A constant in the middle of a graph",
    title="Half of a product",
    symbol="stop_gradient_product",
    kind="implement",
    points=4,
    difficulty=1,
    minutes=3,
    task=(
        "Write `stop_gradient_product(x)`: the value is that of `x * x`, but one of the two "
        "factors counts as a constant in backward. So at 3 the value is 9, and the gradient is 3. "
        "It has to work for every shape, for leaves and for results, and `x` itself stays as it is."
    ),
    starter="""\
def stop_gradient_product(x):
    ...
""",
    reference=stop_gradient_product,
    checks=(
        Check(
            "value",
            1,
            scenarios.plain_values,
            shapes,
            passes="The values are right.",
            fails="The values are not those of the product.",
        ),
        Check(
            "gradient",
            1,
            scenarios.plain_gradients,
            shapes,
            passes="The gradient is that of a product with one constant factor.",
            fails="The gradient is not that of a product with one constant factor.",
        ),
        Check(
            "gradient of a result",
            1,
            of_a_result,
            lambda rng: {"cases": [case("a vector", x=signed(rng, 3))]},
            passes="The gradient flows on where `x` is itself a result.",
            fails="Where `x` is itself a result, the gradient is not right.",
        ),
        Check(
            "in a larger graph",
            1,
            scenarios.plain_in_graph,
            lambda rng: {"cases": [case("a matrix", x=signed(rng, 2, 3))]},
            passes="It works in the middle of a larger graph, and as often as it is called.",
            fails="It does not work in the middle of a larger graph.",
        ),
    ),
    misconceptions=(
        Misconception(
            "passes-through",
            "Your gradient is twice what it should be, because it flows through both factors. "
            "Neither is a constant yet; a copy of `x` or another name for it does not change that.",
            _passes_through,
        ),
        Misconception(
            "everything-constant",
            "No gradient flows back, because nothing of your result was recorded. Only one of the "
            "two factors should be a constant; the product itself should not.",
            _everything_constant,
        ),
        Misconception(
            "detached-in-place",
            "You have detached `x` itself, for everything else that uses it. An underscore at the "
            "end of a method's name means: in place.",
            _detached_in_place,
        ),
        Misconception(
            "new-leaf",
            "Your factor is a new leaf, so the gradient ends there and never reaches `x`. One of "
            "the factors has to be `x` with its history.",
            _new_leaf,
        ),
        Misconception(
            "slope-one",
            "Your gradient is just what arrives from above, as if the slope were one. The "
            "constant should be a factor, not a correction that is added.",
            _slope_one,
        ),
        Misconception(
            "sum-for-product",
            "You add where the task multiplies. The constant is the other factor.",
            _sum_for_product,
        ),
        Misconception(
            "single-numbers-only",
            "You turn `x` into a Python number, which works only for a tensor with a single "
            "element. There is another way to make a constant, one that keeps the shape.",
            _single_numbers_only,
        ),
        Misconception(
            "made-a-float",
            "You turn `x` into one Python float, which is impossible for a tensor of several "
            "numbers. There is another way to make a constant, one that keeps the shape.",
            _made_a_float,
        ),
        Misconception(
            "written-into-x",
            "You wrote the product into the memory of `x`. A detached tensor is not a copy, so an "
            "in-place operator on it changes `x` too.",
            _written_into_x,
        ),
        Misconception(
            "squared-twice",
            "You multiply the whole square by `x` once more. The constant should be one of two "
            "factors.",
            _squared_twice,
        ),
        Misconception(
            "switched-off",
            "You switch `requires_grad` of `x` off and on again. In between, both factors are "
            "constants, and where `x` is a result this is refused.",
            _switched_off,
        ),
        Misconception(
            "switched-off-for-good",
            "You have switched off `requires_grad` of `x` itself, because another name is not "
            "another tensor. Both factors are constants now, and where `x` is a result this is "
            "refused.",
            _switched_off_for_good,
        ),
    ),
    remarks=(
        Remark(
            "unguarded",
            "One thing to know: if `x` is changed in place before backward, your version gives "
            "another gradient without an error. A constant made with `detach` shares the version "
            "counter of `x`, so backward would raise.",
            noted("unguarded"),
        ),
    ),
    hints=(
        "A product has two factors. What would make one of them a constant, while it keeps its "
        "value?",
        "A constant is a tensor without history. There is a method that returns one with the "
        "same values and leaves `x` as it is.",
        "Multiply two tensors with equal values: one that has its history, and one that does not.",
    ),
    variants=(
        Variant("a constant made without recording", _constant_made_without_recording),
        Variant("a constant from plain numbers", _from_numbers),
        Variant("a constant by way of NumPy", _by_way_of_numpy),
        Variant("a Function of one's own", _own_function),
        Variant("half a square recorded, half of it not", _half_and_half),
        Variant("by way of .data", _through_data),
    ),
    place=4,
)
