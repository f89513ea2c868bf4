"""In-place operators: `x.mul_(y)` is `Mul` whose result is written into x, which is marked dirty.

Each is made from the operator that makes a new tensor; its node and its backward are the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_core import forward_ad, from_data, tangents
from autograd_core.context import InPlaceCtx, edges_for_tangents
from autograd_core.function import Function
from autograd_core.ops import arithmetic, functions, indexing, scattering, steps
from autograd_core.ops.elementwise import broadcast_shape, operand
from autograd_core.ops.index_parts import taken
from autograd_core.ops.reductions import dim_from_front, sum_to
from autograd_core.ops.shape import expanded_shape
from autograd_core.saved_tensor import SavedTensor
from autograd_core.tensor import Tensor, wrap
from autograd_core.views import check_in_place, check_overlap


def in_place(operator: type[Function]) -> type[Function]:
    """Return the Function that computes as `operator` does and puts the result into its input."""

    def forward(ctx: Any, x: Tensor, *args: Any) -> Tensor:
        before = x.detach()
        edges = ctx._edges
        if forward_ad.levels_open:
            ctx._edges = edges_for_tangents(edges)
        result = operator.forward_and_setup(ctx, before, *args)
        ctx._edges = edges
        _check_result(x, result)
        keeps_input = any(each is before for each in ctx._to_save)
        wanted = ctx.is_recorded or forward_ad.levels_open
        original = _copy_of(x) if keeps_input and wanted else None
        # `x.mul_(x)` keeps its second argument as it was: backward will find it changed.
        argument = SavedTensor.output(x, ctx) if ctx.is_recorded else x
        x.write(result._array)
        ctx.mark_dirty(x)
        stands_for = {id(before): original, id(x): argument, id(result): x}
        ctx._to_save = tuple([stands_for.get(id(each), each) for each in ctx._to_save])
        return x

    members = {
        "forward": staticmethod(forward),
        "setup_context": Function.setup_context,
        "computes_on_arrays": False,
        "_context_class": InPlaceCtx,
        "backward": operator.backward,
    }
    return type(operator.__name__ + "_", (operator,), members)


def _copy_of(x: Tensor) -> Tensor:
    """Return a copy of the values before the change, with the history that x had then."""
    copied = wrap(x._array.copy())
    copied._grad_fn, copied._output_nr = x.grad_fn, x._output_nr
    copied._requires_grad = x.requires_grad
    tangent = tangents.tangent_of(x) if forward_ad.levels_open else None
    if tangent is not None:
        tangents.attach(copied, tangent.clone())
    return copied


def _check_result(x: Tensor, result: Tensor) -> None:
    have, made = x._array, result._array
    if made.shape != have.shape:
        raise RuntimeError(not_the_shape(have.shape, made.shape))
    if result.dtype.category > x.dtype.category:
        names = [each.dtype.title for each in (result, x)]
        raise RuntimeError(
            f"result type {names[0]} can't be cast to the desired output type {names[1]}"
        )


def not_the_shape(have: tuple[int, ...], broadcast: tuple[int, ...]) -> str:
    """Say in PyTorch's words that a result is larger than the tensor it should be written into."""
    return f"output with shape {list(have)} doesn't match the broadcast shape {list(broadcast)}"


_SCALED = {each: in_place(each) for each in (arithmetic.AddScaled, arithmetic.SubScaled)}
Add_, Sub_, Mul_, Div_ = map(
    in_place, (arithmetic.Add, arithmetic.Sub, arithmetic.Mul, arithmetic.Div)
)
Pow_, Neg_ = in_place(arithmetic.PowNumber), in_place(functions.Neg)
Exp_, Log_, Sqrt_ = map(in_place, (functions.Exp, functions.Log, functions.Sqrt))
Sin_, Cos_, Tanh_ = map(in_place, (functions.Sin, functions.Cos, functions.Tanh))
Sigmoid_, Relu_, Abs_ = map(in_place, (functions.Sigmoid, functions.Relu, functions.Abs))
Clamp_, MaskedFill_ = in_place(steps.Clamp), in_place(indexing.MaskedFill)
Scatter_, ScatterAdd_ = in_place(scattering.Scatter), in_place(scattering.ScatterAdd)
IndexAdd_, IndexCopy_ = in_place(scattering.IndexAddDim), in_place(scattering.IndexCopy)
Round_, Floor_, Ceil_ = map(in_place, (steps.Round, steps.Floor, steps.Ceil))


class Fill_(Function):  # noqa: N801 - PyTorch marks in-place operators so
    """x = a number everywhere;  dL/dx = 0."""

    node_name = "FillBackward2"

    @staticmethod
    def forward(ctx, x, value):
        x.write(value)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, g):
        return g * 0, None

    @staticmethod
    def jvp(ctx, dx, _):
        return dx * 0


class Zero_(Fill_):  # noqa: N801
    """x = 0 everywhere;  dL/dx = 0."""

    node_name = "ZeroBackward0"


class Copy_(Function):  # noqa: N801
    """x = y, broadcast;  dL/dx = 0,  dL/dy = g summed to the shape of y."""

    node_name = "torch::autograd::CopyBackwards"

    @staticmethod
    def forward(ctx, x, y):
        ctx.shape = y._array.shape
        with np.errstate(all="ignore"):
            x.write(y._array)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, g):
        dx, dy = ctx.needs_input_grad
        return g * 0 if dx else None, sum_to(g, ctx.shape) if dy else None

    @staticmethod
    def jvp(ctx, dx, dy):
        return dy.expand(dx.shape)


class IndexPut_(Function):  # noqa: N801
    """x[index] = y;  dL/dx = g with 0 there,  dL/dy = g there, summed to the shape of y."""

    node_name = "IndexPutBackward0"

    @staticmethod
    def forward(ctx, x, index, y):
        ctx.index, ctx.shape = index, y._array.shape
        x.memory()[index] = y._array
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, g):
        elsewhere = g.clone()
        elsewhere[ctx.index] = 0
        return elsewhere, None, sum_to(indexing.Index.apply(g, ctx.index), ctx.shape)

    @staticmethod
    def jvp(ctx, dx, _, dy):
        changed = dx.clone()
        changed[ctx.index] = dy
        return changed


def method(operator: type[Function], doc: str) -> Any:
    """Return the Tensor method that applies an in-place operator."""

    def changed(self: Tensor, *args: Any) -> Tensor:
        return apply(operator, self, *[operand(arg) for arg in args])

    changed.__doc__ = doc
    return changed


def along_dim(operator: type[Function], doc: str) -> Any:
    """Return the Tensor method that applies an in-place operator along one dimension."""

    def changed(self: Tensor, dim: int, index: Tensor, source: Any) -> Tensor:
        return apply(operator, self, dim_from_front(self, dim), index, source)

    changed.__doc__ = doc
    return changed


def apply(operator: type[Function], x: Tensor, *args: Any) -> Tensor:
    """Change `x` in place if that is allowed here, and return it."""
    check_in_place(x, *args)
    if not issubclass(operator, Fill_):
        check_overlap(x, *args)
    operator.apply(x, *args)
    return x


def add_(self: Tensor, other: Any, *, alpha: float = 1) -> Tensor:
    """Add alpha * other in place."""
    operator, arguments = arithmetic.scaled(arithmetic.Add, self, other, alpha)
    return apply(_SCALED.get(operator, Add_), self, *arguments)


def sub_(self: Tensor, other: Any, *, alpha: float = 1) -> Tensor:
    """Subtract alpha * other in place."""
    operator, arguments = arithmetic.scaled(arithmetic.Sub, self, other, alpha)
    return apply(_SCALED.get(operator, Sub_), self, *arguments)


def clamp_(self: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Move each element into [min, max] in place."""
    return apply(Clamp_, self, min, max)


def round_(self: Tensor) -> Tensor:
    """Replace each element by the nearest whole number."""
    return apply(Round_, self, np.round)


def fill_(self: Tensor, value: Any) -> Tensor:
    """Set every element to one number."""
    return apply(Copy_ if isinstance(value, Tensor) else Fill_, self, value)


def zero_(self: Tensor) -> Tensor:
    """Set every element to zero."""
    return apply(Zero_, self, 0)


def copy_(self: Tensor, src: Tensor) -> Tensor:
    """Copy the values of `src`, broadcast, into this tensor; gradients flow to `src`."""
    check_in_place(self, src)
    broadcast = broadcast_shape(self._array.shape, src._array.shape)
    if broadcast != self._array.shape:
        raise RuntimeError(not_the_shape(self._array.shape, broadcast))
    return apply(Copy_, self, src)


def uniform_(self: Tensor, low: float = 0, high: float = 1) -> Tensor:
    """Overwrite with random numbers evenly distributed over [low, high)."""
    from autograd_core import random

    return apply(Copy_, self, wrap(random.uniform(self.shape, low, high, self._array.dtype)))


def normal_(self: Tensor, mean: float = 0, std: float = 1) -> Tensor:
    """Overwrite with random numbers of a normal distribution."""
    from autograd_core import random

    return apply(Copy_, self, wrap(random.normal(self.shape, mean, std, self._array.dtype)))


def setitem(self: Tensor, index: Any, value: Any) -> None:
    """Write `value`, a number or a tensor that broadcasts, into the part x[index]."""
    if not isinstance(value, Tensor):
        value = from_data.tensor(value, dtype=self.dtype)
    part, arrays = taken(self, index)
    if arrays is not None:
        apply(IndexPut_, part, arrays, value)
        return
    if part is self:
        part = indexing.ViewOfAll.apply(self)
    while value.dim() > part.dim() and value.shape[0] == 1:
        value = value[0]
    expanded_shape(value, part.shape)
    copy_(part, value)
