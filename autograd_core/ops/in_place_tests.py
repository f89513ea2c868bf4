"""Tests that overwrite: `x.eq_(y)` puts 1 where they are equal and 0 elsewhere."""

from __future__ import annotations

from typing import Any

from autograd_core.function import Function
from autograd_core.ops import comparison
from autograd_core.ops.elementwise import operand
from autograd_core.ops.in_place import apply
from autograd_core.tensor import Tensor


class Test_(Function):  # noqa: N801 - PyTorch marks in-place operators so
    """x = 1 where a test of x and y holds, else 0;  dL/dx = 0."""

    test: Any

    @classmethod
    def forward(cls, ctx, x, *others):
        x.write(cls.test(x.detach(), *others)._array)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, g):
        return (g * 0, *[None] * (len(ctx.needs_input_grad) - 1))

    @staticmethod
    def jvp(ctx, dx, *_):
        return dx * 0


def _method(name: str) -> Any:
    test = getattr(comparison, name)
    node_name = f"{name.title().replace('_', '')}Backward0"
    members = {"test": staticmethod(test), "node_name": node_name}
    overwrite: Any = type(f"{name.title()}_", (Test_,), members)

    def changed(self: Tensor, *others: Any) -> Tensor:
        return apply(overwrite, self, *[operand(each) for each in others])

    changed.__doc__ = test.__doc__
    return changed


METHODS = {
    f"{name}_": _method(name)
    for name in (
        "eq", "ne", "lt", "le", "gt", "ge", "logical_and", "logical_or", "logical_xor",
        "logical_not", "bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not",
    )
}  # fmt: skip
METHODS |= {
    "greater_": METHODS["gt_"],
    "greater_equal_": METHODS["ge_"],
    "less_": METHODS["lt_"],
    "less_equal_": METHODS["le_"],
    "not_equal_": METHODS["ne_"],
    "__iand__": METHODS["bitwise_and_"],
    "__ior__": METHODS["bitwise_or_"],
    "__ixor__": METHODS["bitwise_xor_"],
}
