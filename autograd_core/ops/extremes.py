"""The largest and the smallest of two or of many: maximum, max, amax, aminmax, argmax."""

from __future__ import annotations

import operator
from collections.abc import Callable
from operator import index
from typing import Any

import numpy as np

from autograd_core import return_types
from autograd_core.creation import zeros_of
from autograd_core.function import Function
from autograd_core.ops.arithmetic import DivNumber
from autograd_core.ops.dims import dim_from_front, dims_of, length_of, rows_over
from autograd_core.ops.elementwise import elementwise
from autograd_core.ops.indexing import where
from autograd_core.ops.making import called, named, of_two
from autograd_core.ops.operator import Operator, keep_all, keep_first_and_output, keep_inputs, plus
from autograd_core.ops.order_in_memory import laid_in_order
from autograd_core.ops.reductions import refuse_alone, spread
from autograd_core.tensor import Tensor, wrap, wrap_indices
from autograd_core.tensors.dtypes import result_type

# How many numbers PyTorch compares at once.
_AT_ONCE = 16


class Extreme(Operator):
    """z = the largest (or other chosen) of all of x;  g is shared evenly between equals."""

    node_name, saved_names = "MaxBackward1", ("self", "result")
    setup_context = keep_all
    pick: Any = np.max

    @classmethod
    def forward(cls, x):
        return wrap(cls.pick(x._array))

    @staticmethod
    def backward(ctx, g):
        x, z = ctx.saved_tensors
        chosen = wrap(np.asarray(same(x._array, z._array)))
        return zeros_of(x.shape, g._array.dtype).masked_fill(chosen, g / chosen.sum())

    @staticmethod
    def jvp(ctx, dx):
        x, z = ctx.saved_tensors
        chosen = x == z
        return (chosen * (dx / chosen.sum())).sum()


Smallest = named("Smallest", Extreme, "MinBackward1", pick=np.min)


class ExtremeDims(Operator):
    """z = the largest (or smallest) over dims;  g is shared evenly between equals."""

    node_name, saved_names = "AmaxBackward0", ("self", "result")
    setup_context = keep_first_and_output
    pick: Any = np.max

    @classmethod
    def forward(cls, x, dims, keepdim):
        return wrap(laid_in_order(extreme(cls.pick, x._array, dims, keepdim)))

    @staticmethod
    def backward(ctx, g):
        return ExtremeDims.shared(g, *ctx.saved_tensors, *ctx.arguments), None, None

    @staticmethod
    def jvp(ctx, dx, *_):
        return ExtremeDims.mean(dx, *ctx.saved_tensors, *ctx.arguments)

    @staticmethod
    def shared(g, x, z, dims, keepdim):
        """Return g / n where x is one of n equal extremes, 0 elsewhere; nan where z is."""
        chosen = ExtremeDims.chosen(x, z, dims, keepdim)
        if not keepdim:
            g = g.view([1 if dims is None or dim in dims else n for dim, n in enumerate(x.shape)])
        return g / chosen.sum(dims, True) * chosen

    @staticmethod
    def mean(dx, x, z, dims, keepdim):
        """Return the mean of the tangents of the n equal extremes."""
        chosen = ExtremeDims.chosen(x, z, dims, keepdim)
        total = where(chosen, dx, dx.new_zeros(())).sum(dims, keepdim)
        return total / chosen.sum(dims, keepdim)

    @staticmethod
    def chosen(x, z, dims, keepdim):
        """Return where x is an extreme."""
        return wrap(np.asarray(x._array == spread(z, x.shape, dims, keepdim)._array))


SmallestDims = named("SmallestDims", ExtremeDims, "AminBackward0", pick=np.min)


class Found(Function):
    """z = elements of x along dim, and the indices of where they were;  g goes back there."""

    saved_names: tuple[str, ...] = ("indices",)
    result: Any

    @classmethod
    def with_indices(cls, ctx, x, dim, values, indices, keepdim=True):
        """Return values and their indices, and save the indices for backward."""
        ctx.dim, ctx.keepdim, ctx.shape = dim, keepdim, x._array.shape
        if not ctx.shape:
            values, indices = values.reshape(())[()], indices.reshape(())[()]
        where = wrap_indices(indices)
        ctx.mark_non_differentiable(where)
        ctx.save_for_backward(where)
        return cls.result(wrap(values), where)

    @staticmethod
    def backward(ctx, g):
        nothing = (None,) * (len(ctx.needs_input_grad) - 1)
        (where,) = ctx.saved_tensors
        if ctx.shape and not ctx.keepdim:
            where, g = where.unsqueeze(ctx.dim), g.unsqueeze(ctx.dim)
        return zeros_of(ctx.shape, g._array.dtype).scatter(ctx.dim, where, g), *nothing

    @staticmethod
    def jvp(ctx, dx, *_):
        *_, where = ctx.saved_tensors
        if not ctx.shape:
            return dx, None
        tangent = dx.gather(ctx.dim, where if ctx.keepdim else where.unsqueeze(ctx.dim))
        return (tangent if ctx.keepdim else tangent.squeeze(ctx.dim)), None


class Chosen(Found):
    """z = one element of each row along dim, and where it was;  g goes to the chosen one."""

    node_name, result = "MaxBackward0", return_types.max
    pick: Any = np.argmax

    @classmethod
    def forward(cls, ctx, x, dim, keepdim, *number):
        a = np.atleast_1d(x.memory())
        indices = np.expand_dims(cls.pick(a, *number, axis=dim), dim)
        values = np.take_along_axis(a, indices, dim)
        if not keepdim:
            values, indices = values.squeeze(dim)[()], indices.squeeze(dim)[()]
        return cls.with_indices(ctx, x, dim, values, indices, keepdim)


SmallestDim = named("SmallestDim", Chosen, "MinBackward0", pick=np.argmin, result=return_types.min)


class Aminmax(Function):
    """y, z = the smallest and the largest of x;  each gradient is shared between equals."""

    node_name, saved_names = "AminmaxBackward0", ("self", "min", "max")

    @staticmethod
    def forward(ctx, x, dim, keepdim):
        ctx.dims, ctx.keepdim = None if dim is None else (dim,), keepdim
        picks = np.min, np.max
        if ctx.dims and x.dim():
            found = [extreme(pick, x._array, ctx.dims, keepdim) for pick in picks]
        else:
            found = [pick(x._array, keepdims=keepdim) for pick in picks]
        small, large = [wrap(laid_in_order(each)) for each in found]
        ctx.save_for_backward(x, small, large)
        ctx.materializes = False
        return return_types.aminmax(small, large)

    @staticmethod
    def backward(ctx, g, h):
        x, *extremes = ctx.saved_tensors
        dims, keepdim = ctx.dims if x.dim() else None, ctx.keepdim
        parts = [
            None if grad is None else ExtremeDims.shared(grad, x, extreme, dims, keepdim)
            for grad, extreme in zip((g, h), extremes, strict=True)
        ]
        return plus(*parts), None, None

    @staticmethod
    def jvp(ctx, dx, *_):
        x, *extremes = ctx.saved_tensors
        dims, keepdim = ctx.dims if x.dim() else None, ctx.keepdim
        return tuple(ExtremeDims.mean(dx, x, extreme, dims, keepdim) for extreme in extremes)


def extreme(pick: Any, a: Any, dims: Any, keepdim: bool) -> Any:
    """Return NumPy's extremes over dims; of -0 and 0 the first, as PyTorch finds it."""
    z = pick(a, axis=dims, keepdims=keepdim)
    if a.dtype.kind != "f" or z.all():
        return z
    rows = rows_over(a, dims)
    first = np.take_along_axis(rows, (rows == 0).argmax(-1)[..., None], -1)
    return np.where(z == 0, first.reshape(z.shape), z)[()]


def first_of_equals(ufunc: np.ufunc, ahead: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """Return NumPy's maximum or minimum, but taking the first of -0 and 0, as PyTorch does.

    For many numbers, which processors compare several at a time, it is NumPy's own.
    """

    def choose(a: Any, b: Any) -> Any:
        if a.dtype.kind != "f" or a.size >= _AT_ONCE or b.size >= _AT_ONCE:
            return ufunc(a, b)
        missing = a != a if ufunc in (np.maximum, np.minimum) else b != b
        chosen = np.where(ahead(a, b) | missing, a, b)
        return chosen if chosen.ndim else chosen[()]

    return choose


larger, smaller = first_of_equals(np.maximum, operator.ge), first_of_equals(np.minimum, operator.le)


class Maximum(Operator):
    """z = max(x, y);  the gradient goes to the larger, halved between equals.

    Beside nan both get all of it.  dz = dy + share * (dx - dy).
    """

    saved_names = ("self", "other")
    forward, setup_context, materialize_grads = elementwise(larger), keep_inputs, False

    @classmethod
    def backward(cls, ctx, g):
        x, y = ctx.saved_tensors
        equal = x == y
        # That of y first, as in PyTorch.
        by_y, by_x = [
            where(equal, DivNumber.apply(g, 2), g).masked_fill_(lost, 0)
            for lost in reversed(cls.lost(x, y))
        ]
        return by_x, by_y

    @classmethod
    def jvp(cls, ctx, dx, dy):
        x, y = ctx.saved_tensors
        (_, lost), kind = cls.lost(x, y), result_type(x._array, y._array)
        return towards(dy, dx, lost.to(kind) + (x == y).to(kind) / 2)

    @staticmethod
    def lost(x, y):
        """Return two masks: where x, and where y, gets no gradient."""
        return x < y, x > y


class Minimum(Maximum):
    """z = min(x, y);  the gradient goes to the smaller, halved between equals."""

    forward = elementwise(smaller)

    @staticmethod
    def lost(x, y):
        return x > y, x < y


maximum = of_two(Maximum, "the larger of each pair of elements")
minimum = of_two(Minimum, "the smaller of each pair of elements")


def _of_many_or_two(
    name: str, of_all: Any, along: Any, of_two: Callable[..., Tensor], which: str
) -> Callable[..., Any]:
    def function(
        input: Tensor, first: Any = ..., keepdim: Any = ..., *, dim: Any = ..., other: Any = ...
    ) -> Any:
        if isinstance(first, Tensor) and keepdim is dim is other is ...:
            return of_two(input, first)
        if other is not ...:
            refuse_alone(any(each is not ... for each in (first, dim, keepdim)))
            return of_two(input, other)
        if isinstance(first, bool) or (first is not ... and dim is not ...):
            raise TypeError
        dim = dim if first is ... else first
        refuse_alone(dim is ... and keepdim is not ...)
        return extreme_of(name, of_all, along, input, dim, keepdim is not ... and keepdim)

    doc = (
        f"Return the {which}est element, or (values, indices) along `dim`, or the {which}er of two."
        "\n\nOf equals along `dim` the index that is returned gets the gradient, of all elements "
        "each a\nshare. RuntimeError for nothing at all, IndexError for a dimension of length 0."
    )
    return called(name, doc, function)


max = _of_many_or_two("max", Extreme, Chosen, maximum, "larg")
min = _of_many_or_two("min", Smallest, SmallestDim, minimum, "small")


def _over_dims(name: str, operator: Any, which: str) -> Callable[..., Tensor]:
    def function(input: Tensor, dim: Any = (), keepdim: bool = False) -> Tensor:
        dims = dims_of(input, dim)
        if dims is None:
            _refuse_empty(name, input)
        for each in dims or ():
            refuse_no_length(name, input, getattr(each, "given", each))
        return operator.apply(input, dims, keepdim)

    doc = f"Return the {which} over one, several or all dimensions; equals share the gradient."
    return called(name, doc, function)


amax = _over_dims("amax", ExtremeDims, "largest")
amin = _over_dims("amin", SmallestDims, "smallest")


def aminmax(input: Tensor, *, dim: int | None = None, keepdim: bool = False) -> Any:
    """Return (min, max) over one or all dimensions; equals share the gradient."""
    front = None if dim is None else dim_from_front(input, index(dim))
    if front is None and not input.numel():
        raise RuntimeError(
            "aminmax(): cannot compute aminmax over an empty dimension as the operation has no "
            "identity."
        )
    if front is not None and not length_of(input, front):
        raise IndexError(f"aminmax: Expected reduction dim {front} to have non-zero size.")
    return Aminmax.apply(input, front, keepdim)


def extreme_of(name: str, all_of: Any, along: Any, input: Tensor, dim: Any, keepdim: bool) -> Any:
    """Return `all_of` applied to all elements, or `along` one `dim`, as (values, indices)."""
    if dim is ...:
        refuse_alone(keepdim)
        _refuse_empty(name, input)
        return all_of.apply(input)
    front = dim_from_front(input, index(dim))
    refuse_no_length(name, input, front)
    return along.apply(input, front, keepdim)


def _index(pick: Callable[..., Any], which: str) -> Callable[..., Tensor]:
    name = pick.__name__

    def function(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
        array = input._array
        if dim is None and not array.size:
            raise IndexError(
                f"{name}(): Expected reduction dim to be specified for input.numel() == 0."
            )
        if array.dtype.kind == "b":
            raise RuntimeError(f"{name}(): does not support bool input")
        if dim is not None:
            dim = dim_from_front(input, index(dim))
            refuse_no_length(name, input, dim)
            dim = dim if array.ndim else None
        return wrap(np.int64(1) * pick(array, axis=dim, keepdims=keepdim))

    doc = f"Return where the {which} is, in the flattened tensor or along `dim`."
    return called(name, doc, function)


argmax = _index(np.argmax, "largest element")
argmin = _index(np.argmin, "smallest element")


def _refuse_empty(name: str, input: Tensor) -> None:
    if not input._array.size:
        raise RuntimeError(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the "
            "reduction dim with the 'dim' argument."
        )


def refuse_no_length(name: str, input: Tensor, dim: int) -> None:
    """Raise PyTorch's error if the dimension in which `name` chooses an element is empty."""
    if not length_of(input, dim):
        raise IndexError(f"{name}(): Expected reduction dim {dim} to have non-zero size.")


def same(a: Any, b: Any) -> Any:
    """Return where two arrays are equal; nan equals nan."""
    return (a == b) | ((a != a) & (b != b))


def towards(dy: Any, dx: Any, share: Tensor) -> Tensor:
    """Return dy + share * (dx - dy) of two tangents, either of which may be missing."""
    if dy is None:
        return share * dx
    return dy + share * (-dy if dx is None else dx - dy)
