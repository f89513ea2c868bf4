"""In-place operators: `x.mul_(y)` writes the result of `Mul` into x, and marks x dirty.

Each is made from the operator that makes a new tensor, and has the same node name and backward.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np

from autograd_core.context import InPlaceCtx, record
from autograd_core.creation import fitting, zeros_like
from autograd_core.forward_mode import levels, tangents
from autograd_core.function import Function
from autograd_core.hooks.saved_tensor_hooks import PackedTensor, entered, in_order
from autograd_core.messages.arguments import refuse_stale
from autograd_core.modes.grad_mode import mode
from autograd_core.modes.inference import check_saved
from autograd_core.ops.copying import Clone
from autograd_core.ops.elementwise import broadcast_shape, cast, operand
from autograd_core.ops.in_turn import in_turn
from autograd_core.ops.making import named
from autograd_core.ops.operator import Operator
from autograd_core.ops.order_in_memory import copy_of, to_be_rounded
from autograd_core.rules.overlap import check_overlap, same_elements
from autograd_core.saved_tensor import SavedTensor
from autograd_core.tensor import Tensor, data_of, wrap
from autograd_core.tensors.dtypes import dtype
from autograd_core.views import check_in_place, rebase_history


class InPlace(Function):
    """x = f(x, ...) for an `operator` f, whose node name and backward it has.

    Unlike f it takes `ctx`, and returns its input.
    """

    operator: type[Operator]
    setup_context = staticmethod(Function.setup_context)
    _context_class = InPlaceCtx

    @classmethod
    def apply(cls, *args: Any) -> Any:
        """Run as any Function."""
        return super(Operator, cls).apply(*args)  # type: ignore[misc]  # it is made of one

    @classmethod
    def forward(cls, ctx, x, *args):
        operator, before = cls.operator, x.detach()
        given = before, *args
        result = operator.forward(*given)
        check_result(x, result)
        operator.setup_context(ctx, given, result)
        contexts = [ctx]
        if levels.entered:
            ctx.tangent_ctx = cls._node_class.for_tangents((x, *args))
            operator.keep_for_jvp(ctx.tangent_ctx, given, result)
            contexts.append(ctx.tangent_ctx)
        for each in contexts:
            slot = partial(_slot, each, ctx.is_recorded, x, before, result)
            noted = each.to_save or ()
            if entered.pairs:
                each.to_save = tuple(in_order(noted, cls.saved_names, slot))
            else:
                each.to_save = tuple(map(slot, noted))
        x.write(result._array)
        ctx.mark_dirty(x)
        return x

    @classmethod
    def _write(cls, x, *args):
        """Change x when nothing is recorded."""
        into = cls.operator.into
        if into is None or not into(x, *args):
            result = cls.operator.forward(x, *args)
            check_result(x, result)
            x.write(result._array)
        x._storage.version += 1
        return x


@cache
def in_place(operator: type[Operator]) -> type[InPlace]:
    """Return the Function that computes as `operator` does and puts the result into its input."""
    members = {"operator": operator, "node_name": operator.node_name, "backward": operator.backward}
    return type(operator.__name__ + "_", (InPlace, operator), members)


def _slot(ctx: Any, recorded: bool, x: Tensor, before: Tensor, result: Tensor, noted: Any) -> Any:
    """Return what `ctx` saves for what it has noted, while x still is as it was `before`.

    `recorded` says whether the change is; a `ctx` for `jvp` is not.
    """
    if noted is before:
        noted = _copy_of(x, recorded)
        if recorded:
            # As in PyTorch, the copy is part of the graph if backward is differentiated again.
            record(Clone, (x,), noted)
            noted._output_nr = 0
    elif noted is result:
        return x
    if not (ctx.is_recorded and isinstance(noted, Tensor)):
        return noted
    check_saved(noted)
    if entered.pairs:
        # Hooks see x before the change, and may prevent it.
        return PackedTensor(noted, entered.pairs[-1], None)
    # The version before the change, also for the second argument of `x.mul_(x)`: backward refuses
    # what shares memory with x.
    if noted._shared is x._shared:
        return SavedTensor.output(x, ctx) if noted is x else SavedTensor(noted, ctx)
    return noted


def _copy_of(x: Tensor, recorded: bool) -> Tensor:
    """Return a copy of x before the change; if `recorded`, with the history that x has now."""
    copied = wrap(copy_of(x._array))
    if recorded:
        copied._grad_fn, copied._output_nr = x.grad_fn, x._output_nr
        copied._requires_grad = x.requires_grad
    tangent = tangents.tangent_of(x) if levels.entered else None
    if tangent is not None:
        tangents.attach(copied, tangent.clone())
    return copied


def check_result(x: Tensor, result: Tensor) -> None:
    """Raise PyTorch's RuntimeError if `result` does not fit into `x`, by shape or dtype."""
    have, made = x._array, result._array
    if made.shape != have.shape:
        raise RuntimeError(not_the_shape(have.shape, made.shape))
    check_castable(x, result.dtype)


def check_shape(x: Tensor, other: Any) -> None:
    """Raise PyTorch's RuntimeError if `other`, a tensor or a number, cannot be broadcast to `x`."""
    have, others = x._array.shape, np.shape(data_of(other))
    if others != have and (broadcast := broadcast_shape(have, others)) != have:
        raise RuntimeError(not_the_shape(have, broadcast))


def check_castable(x: Tensor, made: dtype, have: str = "") -> None:
    """Raise PyTorch's RuntimeError if a result of this dtype cannot be written into `x`."""
    if made.category > x.dtype.category:
        have = have or x.dtype.title
        raise RuntimeError(
            f"result type {made.title} can't be cast to the desired output type {have}"
        )


def not_the_shape(have: tuple[int, ...], broadcast: tuple[int, ...]) -> str:
    """Say in PyTorch's words that a result is larger than the tensor it should be written into."""
    return f"output with shape {list(have)} doesn't match the broadcast shape {list(broadcast)}"


class Writing(Function):
    """An operator that overwrites x by `put(x, *args)`, and so its tangent."""

    changes_tangent = True
    put: Any

    @classmethod
    def forward(cls, ctx, x, *args):
        cls.put(x, *args)
        ctx.mark_dirty(x)
        return x

    @classmethod
    def _write(cls, x, *args):
        """Change x where nothing is recorded."""
        cls.put(x, *args)
        x._storage.version += 1
        return x


class Fill_(Writing):  # noqa: N801 - PyTorch marks in-place operators so
    """x = a number everywhere;  dL/dx = 0."""

    node_name = "FillBackward2"
    put = Tensor.write

    @staticmethod
    def backward(ctx, g):
        return zeros_like(g), None

    @staticmethod
    def jvp(ctx, dx, *_):
        return dx.fill_(0)


Zero_ = named("Zero_", Fill_, "ZeroBackward0", jvp=staticmethod(lambda ctx, dx, *_: dx.zero_()))


class Copy_(Writing):  # noqa: N801
    """x = y, broadcast;  dL/dx = 0,  dL/dy = g."""

    node_name = "torch::autograd::CopyBackwards"
    materialize_grads = False

    @staticmethod
    def put(x, y):
        """Write y, converted to the dtype of x."""
        data = to_be_rounded(y._array, x._array.dtype)
        # By `astype`: unlike those of an array, NumPy does not convert a scalar that does not fit.
        x.write(data if isinstance(data, np.ndarray) else data.astype(x._array.dtype))

    @staticmethod
    def backward(ctx, g):
        to_x, to_y = ctx.needs_input_grad
        return zeros_like(g) if to_x else None, g if to_y else None

    @staticmethod
    def jvp(ctx, dx, dy):
        if dx is None or dy is None:
            return dy if dx is None else dx.fill_(0)
        return dx.copy_(dy)


class CopyInTurn_(Copy_):  # noqa: N801
    """As `Copy_`, if y shares memory with x."""

    @staticmethod
    def put(x, y):
        """Write y element by element; some of its elements may have been overwritten before."""
        x.write(in_turn(lambda _, each: each, x, y.expand(x.shape))._array)


# With the number that a tensor holds.
FillTensor_ = named(
    "FillTensor_",
    Copy_,
    "FillBackward3",
    materialize_grads=True,
    jvp=staticmethod(lambda ctx, dx, dy: dx.fill_(dy)),
)

# Operators that may write to tensors whose elements share memory: they write one number everywhere.
FILLING: set[type[Function]] = {Fill_, Zero_}


@cache
def _in_turn(operator: type[Function]) -> type[Function]:
    """Return the operator for arguments that share memory with x, which it changes."""
    if not issubclass(operator, InPlace):
        return operator
    plain = operator.operator
    forward = staticmethod(partial(in_turn, plain.forward))
    return in_place(named(plain.__name__, plain, plain.node_name, forward=forward, into=None))


def apply(operator: type[Function], x: Tensor, *args: Any) -> Tensor:
    """Change `x` in place by an operator that overwrites, if that is allowed; return it."""
    check_in_place(x, *args)
    try:
        if operator not in FILLING and check_overlap(x, *args):
            operator = _in_turn(operator)
        operator.apply(x, *args)
    except RuntimeError:
        refuse_stale(args)
        raise
    return x


def changed(operator: type[Operator], x: Tensor, *args: Any) -> Tensor:
    """Replace `x` by the result of `operator`, and return it."""
    return apply(in_place(operator), x, *args)


# Functions that move elements, so that they must not even read the elements that they write.
_MOVING = {"scatter", "scatter_add", "scatter_reduce", "index_add", "index_copy", "put"}


def become(function: Callable[..., Any], x: Tensor, *args: Any, **options: Any) -> Tensor:
    """Replace `x` by `function(x, ...)`, which may apply several operators, and return it."""
    check_in_place(x, *args)
    check = partial(check_overlap, x, *args)
    if function.__name__ in _MOVING:
        # These functions check their arguments before the overlap.
        return replace(function, x, args, options, partial(check, moving=True))
    check()
    return replace(function, x, args, options)


def replace(
    function: Callable[..., Any],
    x: Tensor,
    args: Any,
    options: dict[str, Any],
    check: Callable[[], Any] | None = None,
    places: Any = None,
) -> Tensor:
    """As `become`, after all checks but a last `check`, which is called before writing.

    Only the `places` are written, if given.
    """
    tensors = [each for each in (x, *args, *options.values()) if isinstance(each, Tensor)]
    recorded = bool(mode.enabled) and any(each.requires_grad for each in tensors)
    before = _copy_of(x, recorded) if recorded or levels.entered else x.detach()
    result = function(before, *args, **options)
    if recorded:
        # As in PyTorch, what was saved is a copy, which is part of the graph.
        record(Clone, (x,), before)
        before._output_nr = 0
    if check is not None:
        check()
    check_result(x, result)
    tangent = tangents.tangent_of(result) if levels.entered else None
    if places is None:
        x.write(result._array)
    else:
        np.copyto(x.memory(), result._array, where=places)
    x._storage.version += 1
    if tangent is not None:
        # Before x gets the node of the result, which remembers the result's tangent.
        tangents.overwrite(x, tangent)
    if result.grad_fn is not None:
        rebase_history(x, result.grad_fn, result._output_nr)
    return x


def fill_(self: Tensor, value: Any) -> Tensor:
    """Set every element to one number, which may be in a 0-d tensor."""
    if not isinstance(value, Tensor):
        return apply(Fill_, self, fitting(value, self._array.dtype))
    check_in_place(self, value)
    if value.dim():
        raise RuntimeError(
            f"fill_ only supports 0-dimension value tensor but got tensor with {value.dim()} "
            "dimensions."
        )
    # Without the value: it may be one of the elements.
    check_overlap(self)
    FillTensor_.apply(self, value)
    return self


def zero_(self: Tensor) -> Tensor:
    """Set every element to zero."""
    return apply(Zero_, self, 0)


def copy_(self: Tensor, other: Any, non_blocking: bool = False) -> Tensor:
    """Copy the values of `other`, broadcast, into this tensor; gradients flow to `other`."""
    if isinstance(other, int | float | np.generic):
        number, kind = operand(other), self._array.dtype
        other = wrap(np.float64(number) if isinstance(number, float) else cast(number, kind))
    # Autograd ignores integers, whatever is copied to them.
    check_in_place(self, *((other,) if self.is_floating_point() else ()))
    to_itself = same_elements(self.memory(), other.memory())
    shared = not to_itself and check_overlap(self, other)
    check_shape(self, other)
    (CopyInTurn_ if shared else Copy_).apply(self, other)
    return self
