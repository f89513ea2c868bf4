"""Arithmetic and functions in place: the methods `add_`, `exp_`, `clamp_` and their like."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_core.creation import plain_number
from autograd_core.forward_mode.levels import _set_fwd_grad_enabled
from autograd_core.messages import warn
from autograd_core.modes.grad_mode import no_grad
from autograd_core.ops import (
    arithmetic,
    comparison,
    cumulative,
    diagonals,
    division,
    functions,
    index_select,
    indexing,
    matrix_products,
    pairwise,
    piecewise,
    placing,
    power,
    products,
    scattering,
    ternary,
    transcendentals,
)
from autograd_core.ops.dims import dim_from_front
from autograd_core.ops.elementwise import broadcast_shape, elementwise, operand
from autograd_core.ops.in_place import (
    Copy_,
    apply,
    become,
    changed,
    check_castable,
    check_result,
    check_shape,
    replace,
)
from autograd_core.ops.making import called, tensor_only
from autograd_core.ops.operator import Operator
from autograd_core.ops.shape import expanded_shape
from autograd_core.rules.overlap import check_overlap, repeats, warn_of_repeats
from autograd_core.tensor import Tensor, data_of, wrap
from autograd_core.tensors import dtypes
from autograd_core.views import check_in_place

_BYTES_AS_MASK = (
    "masked_scatter_ received a mask with dtype torch.uint8, this behavior is now deprecated,"
    "please use a mask with dtype torch.bool instead."
)
# Operators of two tensors and, if the second may be a number, of a tensor and a number.
_OF_TWO: dict[str, tuple[type[Operator], ...]] = {
    "mul": (arithmetic.Mul, arithmetic.Mul),
    "floor_divide": (division.FloorDivide_, division.FloorDivide_),
    "remainder": (division.Remainder, division.RemainderNumber),
    "fmod": (division.Fmod, division.FmodNumber),
    "xlogy": (pairwise.Xlogy, pairwise.XlogyNumber),
    "atan2": (pairwise.Atan2,),
    "hypot": (pairwise.Hypot,),
}
# Sums with a product, each with the function that returns the shape of the product.
_WITH_PRODUCT: dict[Callable[..., Any], Callable[..., tuple[int, ...]]] = {
    matrix_products.addmm: matrix_products.shape_of_addmm,
    products.baddbmm: products.shape_of_baddbmm,
}
# Functions of several tensors for which `x.function_(...)` replaces x by `function(x, ...)`.
_OF_SEVERAL: tuple[Callable[..., Any], ...] = (
    scattering.scatter, scattering.scatter_add, index_select.index_add, placing.put,
    placing.scatter_reduce,
)  # fmt: skip


def _method(name: str, change: Callable[..., Tensor]) -> Callable[..., Tensor]:
    return called(name, f"Do what `{name[:-1]}` does, in place, and return self.", change)


def _of_one(name: str, operator: type[Operator]) -> Callable[[Tensor], Tensor]:
    def change(self: Tensor) -> Tensor:
        return changed(operator, self)

    return _method(name, change)


def _of_two(name: str) -> Callable[[Tensor, Any], Tensor]:
    of_tensors, *of_number = _OF_TWO[name]

    def change(self: Tensor, other: Any) -> Tensor:
        other = operand(other) if of_number else tensor_only(name, other)
        return changed(of_tensors if isinstance(other, Tensor) else of_number[0], self, other)

    return _method(f"{name}_", change)


def _scaled(operator: type[Operator]) -> Callable[..., Tensor]:
    def change(self: Tensor, other: Any, *, alpha: float = 1) -> Tensor:
        function, arguments = arithmetic.scaled(operator, self, other, alpha)
        return changed(function, self, *arguments)

    return _method(f"{operator.__name__.lower()}_", change)


def _with_product_of_two(operator: type[Operator]) -> Callable[..., Tensor]:
    def change(self: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: float = 1) -> Tensor:
        return changed(operator, self, tensor1, tensor2, plain_number(value))

    return _method(f"{operator.__name__.lower()}_", change)


def masked_scatter_(self: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """Put the elements of `source`, in order, where `mask` holds."""
    if mask._array.dtype == np.uint8:
        warn(_BYTES_AS_MASK)
    elif mask._array.dtype == bool and self.dtype is source.dtype:
        expanded_shape(mask, self._array.shape)
    return become(placing.masked_scatter, self, mask, source)


def index_copy_(self: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor:
    """Do what `index_copy` does, in place, and return self."""
    check_in_place(self, source)
    dim_from_front(self, dim)
    # Before index and source are looked at.
    check_overlap(self, index, source, moving=True)
    return become(index_select.index_copy, self, dim, index, source)


def _becoming(function: Callable[..., Any]) -> Callable[..., Tensor]:
    def change(self: Tensor, *args: Any, **options: Any) -> Tensor:
        return become(function, self, *args, **options)

    return _method(f"{function.__name__}_", change)


def _running(function: Callable[..., Any]) -> Callable[..., Tensor]:
    def run(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
        dim = dim_from_front(input, dim)
        if dtype not in (None, input.dtype):
            raise RuntimeError(
                f"Bad in-place call: input tensor dtype {input.dtype.in_c} and output tensor dtype "
                f"{dtype.in_c} should match"
            )
        return function(input, dim, dtype=input.dtype)

    return _becoming(called(function.__name__, "", run))


def _adding(function: Callable[..., Any]) -> Callable[..., Tensor]:
    shape_of = _WITH_PRODUCT[function]

    def add(input: Tensor, *factors: Tensor, **scales: Any) -> Tensor:
        shape = shape_of(input, *factors)
        if input.shape != shape:
            raise RuntimeError(
                f"Bad in-place call: input tensor size {list(input.shape)} and output tensor size "
                f"{list(shape)} should match"
            )
        return function(input, *factors, **scales)

    return _becoming(called(function.__name__, "", add))


def _cutting(function: Callable[..., Any]) -> Callable[..., Tensor]:
    """Return the method that writes zeros on one side of a diagonal, even to expanded tensors."""

    def change(self: Tensor, diagonal: int = 0) -> Tensor:
        check_in_place(self)
        places = function(wrap(np.ones(self._array.shape, bool)), diagonal)._array
        return replace(function, self, (diagonal,), {}, places=~places)

    return _method(f"{function.__name__}_", change)


def _comparing(test: Callable[[Any, Any], Any]) -> Callable[..., Tensor]:
    """Return the method that compares in place, with one node for numbers and one for tensors."""
    title = test.__name__.title()
    members = {
        "forward": elementwise(test),
        "materialize_grads": False,
        # The tangent of x becomes zero; others do not count.
        "jvp": staticmethod(lambda ctx, dx, *_: None if dx is None else dx.new_zeros(dx.shape)),
    }
    to_number, to_tensor = [
        type(title, (piecewise.Flat,), {"node_name": f"{title}Backward{kind}", **members})
        for kind in (0, 1)
    ]

    def change(self: Tensor, other: Any) -> Tensor:
        other = operand(other)
        return changed(to_tensor if isinstance(other, Tensor) else to_number, self, other)

    return _method(f"{test.__name__}_", change)


def _testing(test: Callable[..., Any]) -> Callable[..., Tensor]:
    """Return the method that writes the result of a test, without a node as PyTorch does."""
    of_truth_values = test.__name__.startswith("logical")

    def change(self: Tensor, *args: Any) -> Tensor:
        # Bools have no derivative: PyTorch lets even leaves be overwritten with them.
        if not of_truth_values:
            check_in_place(self, *args)
            for each in args:
                check_shape(self, each)
            check_castable(self, dtypes.result_type(*[data_of(each) for each in (self, *args)]))
        with no_grad(), _set_fwd_grad_enabled(False):
            result = test(self, *args)
            check_result(self, result)
            return apply(Copy_, self, result)

    return _method(f"{test.__name__}_", change)


def div_(self: Tensor, other: Any, *, rounding_mode: Any = division.NOT_SAID) -> Tensor:
    """Divide in place, rounding the quotient if `rounding_mode` is "floor" or "trunc"."""
    return changed(division.operator_for(rounding_mode), self, operand(other))


def pow_(self: Tensor, exponent: Any) -> Tensor:
    """Raise to a power in place."""
    exponent = operand(exponent)
    if isinstance(exponent, Tensor):
        return changed(power.PowTensor, self, exponent)
    power.refuse_exponent(self, exponent)
    return changed(power.PowNumber, self, exponent)


def square_(self: Tensor) -> Tensor:
    """Square each element in place."""
    return changed(power.PowNumber, self, 2)


def lerp_(self: Tensor, end: Tensor, weight: Any) -> Tensor:
    """Add weight * (end - self) in place; RuntimeError for tensors of different dtypes."""
    return changed(ternary.lerp_by(weight), self, end, operand(weight))


def clamp_(self: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Move each element into [min, max] in place."""
    if isinstance(min, Tensor) or isinstance(max, Tensor) or min is max is None:
        return become(piecewise.clamp, self, min, max)
    _check_bounds(self, min, max)
    return changed(piecewise.Clamp, self, min, max)


def clamp_min_(self: Tensor, min: Any) -> Tensor:
    """Replace each element smaller than `min` by it."""
    _check_bounds(self, min)
    return become(piecewise.clamp_min, self, min)


def clamp_max_(self: Tensor, max: Any) -> Tensor:
    """Replace each element larger than `max` by it."""
    _check_bounds(self, max)
    return become(piecewise.clamp_max, self, max)


def masked_fill_(self: Tensor, mask: Tensor, value: Any) -> Tensor:
    """Put a number, which may be in a 0-d tensor, where `mask` holds."""
    return _filled(indexing.masked_fill, self, (mask,), value)


def index_fill_(self: Tensor, dim: int, index: Tensor, value: Any) -> Tensor:
    """Put a number, which may be in a 0-d tensor, at the given indices of a dimension."""
    return _filled(index_select.index_fill, self, (dim, index), value)


def _filled(function: Any, self: Tensor, where: tuple[Any, ...], value: Any) -> Tensor:
    check_in_place(self, *where, value)
    indexing.refuse_dims(function.__name__, value)
    if function is indexing.masked_fill and where[0]._array.shape != self._array.shape:
        broadcast_shape(self._array.shape, where[0]._array.shape)
    if isinstance(value, Tensor) and not self.is_floating_point():
        # Integers are filled in place even if the value requires grad.
        value = value.detach()
    places = None
    if repeats(self):
        warn_of_repeats(f"{function.__name__}_")
        places = function(wrap(np.zeros(self._array.shape, bool)), *where, True)._array
    else:
        check_overlap(self, *where, moving=function is index_select.index_fill)
    return replace(function, self, (*where, value), {}, places=places)


def round_(self: Tensor, *, decimals: int | None = None) -> Tensor:
    """Round each element in place, to integers or to `decimals`."""
    if decimals is None:
        return changed(piecewise.Round, self)
    return changed(piecewise.RoundDecimals, self, decimals)


def _check_bounds(tensor: Tensor, *bounds: Any) -> None:
    kinds = [dtypes.of_scalar(each) for each in bounds if isinstance(each, int | float)]
    made = max(kinds, key=lambda kind: kind.category, default=tensor.dtype)
    check_castable(tensor, made, tensor.dtype.in_c)


METHODS: dict[str, Any] = {
    each.__name__: each
    for each in (
        div_, pow_, square_, lerp_, clamp_, clamp_min_, clamp_max_, masked_fill_, masked_scatter_,
        index_copy_, index_fill_, round_,
        *map(_scaled, (arithmetic.Add, arithmetic.Sub)),
        *map(_of_two, _OF_TWO),
        *map(_with_product_of_two, (ternary.Addcmul, ternary.Addcdiv)),
        *map(_becoming, _OF_SEVERAL),
        *map(_running, (cumulative.cumsum, cumulative.cumprod)),
        *map(_adding, _WITH_PRODUCT),
        *map(_cutting, (diagonals.triu, diagonals.tril)),
        *[_comparing(getattr(operator, name)) for name in ("eq", "ne", "lt", "le", "gt", "ge")],
        *[
            _testing(test)
            for name, test in vars(comparison).items()
            if name.startswith(("logical_", "bitwise_"))
        ],
        *[
            _of_one(f"{name}_", function.operator)
            for module in (arithmetic, functions, piecewise, transcendentals)
            for name, function in vars(module).items()
            if hasattr(function, "operator")
        ],
    )
}  # fmt: skip
OPERATORS: dict[str, Callable[..., Tensor]] = {
    f"__i{name}__": METHODS[f"{method}_"]
    for name, method in {
        "add": "add", "sub": "sub", "mul": "mul", "truediv": "div", "pow": "pow",
        "floordiv": "floor_divide", "mod": "remainder", "and": "bitwise_and", "or": "bitwise_or",
        "xor": "bitwise_xor", "lshift": "bitwise_left_shift", "rshift": "bitwise_right_shift",
    }.items()
}  # fmt: skip
