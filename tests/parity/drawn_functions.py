"""Custom Functions that drawn programs apply: what they save, mark, change and return."""

import functools
from types import ModuleType
from typing import Any

TAKING_ONE = (
    "keeps_its_output",
    "changes_its_input",
    "changes_it_unmarked",
    "changes_it_and_returns_another",
    "changes_it_and_more",
    "changes_a_view_of_it",
    "returns_its_input",
    "returns_and_keeps_it",
    "returns_a_view",
    "returns_a_row",
    "returns_two_views",
    "returns_one_tensor_twice",
    "returns_what_is_recorded",
    "returns_one_without_gradient",
    "gets_none_for_missing_gradients",
    "gives_no_gradient",
    "gives_a_gradient_too_many",
    "gives_one_to_be_summed",
    "gives_one_of_another_shape",
    "changes_its_gradient",
)
TAKING_TWO = ("multiplies", "adds_and_subtracts", "sets_up_its_context", "changes_its_second_input")


@functools.cache
def functions(torch: ModuleType) -> dict[str, Any]:
    """The Functions in the engine `torch`, by their names."""

    def product(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    def product_slopes(ctx, g):
        x, y = ctx.saved_tensors
        to_x, to_y = ctx.needs_input_grad
        return g * y if to_x else None, g * x if to_y else None

    def change(ctx, x, *others):
        ctx.mark_dirty(x.mul_(2))
        return x, *others

    def keep(ctx, x, returned):
        ctx.save_for_backward(x)
        return returned

    def without_gradient(ctx, x):
        doubled = x * 2
        ctx.mark_non_differentiable(doubled)
        return x + 1, doubled

    def unmaterialized(ctx, x):
        ctx.set_materialize_grads(False)
        return x + 1, x * 2

    def sum_of_some(ctx, g, h):
        return h if g is None else g if h is None else g + 2 * h

    def with_shape(ctx, x, view):
        ctx.shape = x.shape
        return view

    def zeros_with_row(ctx, g):
        (x,) = ctx.saved_tensors
        grad = torch.zeros_like(x)
        grad[0] = g
        return grad

    def recorded(ctx, x):
        with torch.enable_grad():
            return x * x

    def change_second(ctx, x, y):
        ctx.mark_dirty(y.add_(x))
        return y

    table = {
        "multiplies": (product, product_slopes),
        "adds_and_subtracts": (lambda ctx, x, y: (x + y, x - y), lambda ctx, g, h: (g + h, g - h)),
        "changes_its_second_input": (change_second, lambda ctx, g: (g, g)),
        "keeps_its_output": (
            lambda ctx, x: keep(ctx, y := x * 2, y),
            lambda ctx, g: g * 2 + 0 * ctx.saved_tensors[0],
        ),
        "changes_its_input": (lambda ctx, x: change(ctx, x)[0], lambda ctx, g: g * 2),
        "changes_it_unmarked": (lambda ctx, x: x.mul_(2), lambda ctx, g: g * 2),
        "changes_it_and_returns_another": (
            lambda ctx, x: change(ctx, x)[0].clone(),
            lambda ctx, g: g * 2,
        ),
        "changes_it_and_more": (
            lambda ctx, x: change(ctx, x, x * 4),
            lambda ctx, g, h: 2 * g + 4 * h,
        ),
        "changes_a_view_of_it": (
            lambda ctx, x: (x.view(-1).mul_(2), ctx.mark_dirty(x), x)[2],
            lambda ctx, g: g * 2,
        ),
        "returns_its_input": (lambda ctx, x: x, lambda ctx, g: g * 3),
        "returns_and_keeps_it": (
            lambda ctx, x: keep(ctx, x, x),
            lambda ctx, g: g * 3 + 0 * ctx.saved_tensors[0],
        ),
        "returns_a_view": (
            lambda ctx, x: with_shape(ctx, x, x.view(-1)),
            lambda ctx, g: g.view(ctx.shape),
        ),
        "returns_a_row": (lambda ctx, x: keep(ctx, x, x[0]), zeros_with_row),
        "returns_two_views": (
            lambda ctx, x: (x.view(-1), x.view_as(x)),
            lambda ctx, g, h: g.view_as(h) + h,
        ),
        "returns_one_tensor_twice": (
            lambda ctx, x: (y := x * 2, y),
            lambda ctx, g, h: 2 * (g + h),
        ),
        "returns_what_is_recorded": (recorded, lambda ctx, g: g * 7),
        "returns_one_without_gradient": (without_gradient, lambda ctx, g, h: g + h),
        "gets_none_for_missing_gradients": (unmaterialized, sum_of_some),
        "gives_no_gradient": (lambda ctx, x: x * 2, lambda ctx, g: None),
        "gives_a_gradient_too_many": (lambda ctx, x: x * 2, lambda ctx, g: (g, g)),
        "gives_one_to_be_summed": (
            lambda ctx, x: x * 1,
            lambda ctx, g: g.unsqueeze(0).expand(2, *g.shape),
        ),
        "gives_one_of_another_shape": (lambda ctx, x: x.sum(), lambda ctx, g: torch.ones(5)),
        "changes_its_gradient": (lambda ctx, x: x * 2, lambda ctx, g: g.mul_(2)),
    }
    made = {name: _function(torch, name, *both) for name, both in table.items()}
    return made | {"sets_up_its_context": _with_setup(torch, product_slopes)}


def _function(torch: ModuleType, name: str, forward: Any, backward: Any) -> Any:
    members = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type(name, (torch.autograd.Function,), members)


def _with_setup(torch: ModuleType, product_slopes: Any) -> Any:
    """A product that is computed without a context, and the second factor as it is."""

    class SetsUp(torch.autograd.Function):
        @staticmethod
        def forward(x, y):
            return x * y, y

        @staticmethod
        def setup_context(ctx, inputs, output):
            x, y = inputs
            ctx.save_for_backward(x, y.clone())

        @staticmethod
        def backward(ctx, g, h):
            to_x, to_y = product_slopes(ctx, g)
            return to_x, None if to_y is None else to_y + h

    return SetsUp
