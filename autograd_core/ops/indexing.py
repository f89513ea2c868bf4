"""Elements chosen by indices and masks: `x[...]`, `where`, `masked_fill`, `masked_select`."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_core.creation import fitting, zeros_of
from autograd_core.messages import warn_once
from autograd_core.messages.arguments import refuse_stale
from autograd_core.modes.grad_mode import mode
from autograd_core.ops.elementwise import broadcast_shape, operand, promoted
from autograd_core.ops.index_parts import in_numpy, laid_as_found, taken
from autograd_core.ops.operator import Operator
from autograd_core.ops.order_in_memory import alike, in_order_of, laid_in_order
from autograd_core.ops.quiet import quiet_context
from autograd_core.ops.shape import Alias
from autograd_core.tensor import Tensor, data_of, wrap, wrap_indices
from autograd_core.tensors import dtypes


class AtIndices(Operator):
    """z = f(x, …, indices, …), linear in all its tensors together, so that dz = f(dx, …, dy).

    Indices or masks come in a tuple: they have no gradient, and so no edge in the graph either.
    They are saved first. Forward takes x, the other `arguments`, the tuple, and what is put there.
    """

    node_name = ""
    saved_names: tuple[str, ...] = ("index",)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.keep(AtIndices.noted(ctx, inputs))

    @staticmethod
    def keep_x_too(ctx, inputs, output):
        """Save x after the indices, as PyTorch does, though only its shape is needed."""
        ctx.keep((*AtIndices.noted(ctx, inputs), inputs[0]))

    @staticmethod
    def keep_y_too(ctx, inputs, output):
        """Save what is put there, if its gradient is needed; again only its shape is used."""
        y = inputs[-1] if ctx.needs_input_grad[-1] else None
        ctx.keep((*AtIndices.noted(ctx, inputs), y))

    @staticmethod
    def noted(ctx, inputs):
        """Note the shape of x and the arguments; return the indices, which are to be saved."""
        place = list(map(type, inputs)).index(tuple)
        ctx.shape, ctx.arguments = inputs[0]._array.shape, inputs[1:place]
        ctx.count = len(inputs[place])
        return inputs[place]

    @classmethod
    def jvp(cls, ctx, dx, *tangents):
        indices = ctx.saved_tensors[: ctx.count]
        # A number that is put there has a tangent of zero.
        dys = [0.0 if dy is None else dy for dy in tangents[len(ctx.arguments) + 1 :]]
        return cls.apply(dx, *ctx.arguments, indices, *dys)


class Index(AtIndices):
    """z = x[indices], a copy;  dL/dx = g added up at the indices, repeated ones several times."""

    saved_names = ()

    @staticmethod
    def forward(x, index):
        a, places = x.memory(), in_numpy(index)
        data = a[places]
        is_settled = data.flags.c_contiguous and 1 not in data.shape
        return wrap(data if is_settled else laid_as_found(data, a, places))

    @staticmethod
    def backward(ctx, g):
        zeros = zeros_of(ctx.shape, g._array.dtype)
        return AddedAt.apply(zeros, ctx.saved_tensors, g), None


class AddedAt(AtIndices):
    """z = x, zeros that nobody else sees, with y added at the indices;  dL/dy = g[indices]."""

    node_name, saved_names = "IndexPutImplBackward0", ()

    @staticmethod
    def forward(x, index, y):
        z = x._array
        add_at(z, in_numpy(index), y._array)
        return wrap(z)

    @staticmethod
    def backward(ctx, g):
        return None, None, Index.apply(g, ctx.saved_tensors)


def add_at(z: np.ndarray, index: tuple[Any, ...], y: Any) -> None:
    """Add y to an array at NumPy's index, also at an index that is repeated."""
    *before, places = index
    alone = all(type(each) is slice for each in before)
    if alone and places.dtype == bool:
        z[index] += y
    elif alone and z.size >= 256 * z.shape[len(before)]:
        # Rows with this many elements are added faster one by one than by `add.at`.
        shape = *z.shape[: len(before)], *places.shape, *z.shape[len(index) :]
        rows = np.broadcast_to(y, shape)
        for at in np.ndindex(places.shape):
            z[(*before, places[at])] += rows[(*before, *at)]
    else:
        np.add.at(z, index, y)


class Where(AtIndices):
    """z = x where the condition holds, else y;  g goes to the one that was taken."""

    saved_names = ("condition",)

    @staticmethod
    def forward(x, conditions, y):
        (condition,) = conditions
        a, b = promoted(x, y)
        taken = condition._array.astype(bool, copy=False)
        if not a.shape == b.shape == taken.shape:
            broadcast_shape(broadcast_shape(taken.shape, a.shape), b.shape)
        return wrap(in_order_of(np.where(taken, a, b), taken, a, b))

    @staticmethod
    def backward(ctx, g):
        (condition,), zero = ctx.saved_tensors, g.new_zeros(())
        to_x, _, to_y = ctx.needs_input_grad
        # As in PyTorch in this order, and by the function, which warns again of a uint8 condition.
        along_y = where(condition, zero, g) if to_y else None
        return where(condition, g, zero) if to_x else None, None, along_y


class MaskedFill(AtIndices):
    """z = x with a number put where the mask holds;  dL/dx = g, 0 there."""

    saved_names = ("mask",)

    @staticmethod
    def forward(x, masks, value):
        a, mask = x._array, masks[0]._array
        return wrap(laid_in_order(np.where(mask, a.dtype.type(data_of(value)), a)))

    @staticmethod
    def backward(ctx, g):
        return MaskedFill.apply(g, ctx.saved_tensors, 0), None, None


class MaskedFillTensor(MaskedFill):
    """As `MaskedFill`, with the value y of a tensor;  dL/dy = the sum of g there."""

    node_name = "MaskedFillBackward1"

    @staticmethod
    def backward(ctx, g):
        masks, (to_x, _, to_y) = ctx.saved_tensors, ctx.needs_input_grad
        kept = MaskedFill.apply(g, masks, 0) if to_x else None
        there = g.masked_select(*masks).sum() if to_y else None
        return kept, None, there


class MaskedSelect(AtIndices):
    """z = the elements of x where the mask holds;  dL/dx = zeros with g there."""

    saved_names, setup_context = ("mask", "self"), AtIndices.keep_x_too

    @staticmethod
    def forward(x, masks):
        shape = broadcast_shape(masks[0]._array.shape, x._array.shape)
        mask = np.broadcast_to(masks[0]._array, shape)
        return wrap(np.broadcast_to(x._array, shape)[mask])

    @staticmethod
    def backward(ctx, g):
        mask, x = ctx.saved_tensors
        whole, _ = np.broadcast_arrays(x._array, mask._array)
        return wrap(alike(whole, g._array.dtype)).zero_().masked_scatter_(mask, g), None


def getitem(input: Tensor, index: Any) -> Tensor:
    """Return x[index]: a view for integers, slices, None and Ellipsis, a copy for masks and lists.

    Raises IndexError where PyTorch does. (PyTorch: "Tensor Views", "Tensor indexing API".)
    """
    part, arrays = taken(input, index, lambda part: refuse_stale((part,)))
    if arrays is not None:
        return Index.apply(part, arrays)
    return Alias.apply(input) if part is input else part


def where(condition: Tensor, input: Any = ..., other: Any = ...) -> Any:
    """Return `input` where the condition holds, else `other`; alone: the indices where it holds.

    All three broadcast; the result has the dtype that the two promote to.
    """
    if input is other is ...:
        return nonzero(condition, as_tuple=True)
    kind = condition._array.dtype
    if kind == np.uint8:
        warn_once(
            "where received a uint8 condition tensor. This behavior is deprecated and will be "
            "removed in a future version of PyTorch. Use a boolean condition instead.",
        )
    elif kind.kind != "b":
        raise RuntimeError(
            "where expected condition to be a boolean tensor, but got a tensor with dtype "
            f"{condition.dtype.title}"
        )
    if not (isinstance(input, Tensor) and isinstance(other, Tensor)):
        input, other = operand(input), operand(other)
        common = dtypes.result_type(data_of(input), data_of(other)).numpy
        input, other = _as_tensor(input, common), _as_tensor(other, common)
    return Where.apply(input, (condition,), other)


def _as_tensor(value: Any, common: np.dtype) -> Tensor:
    """Return a tensor, or a number that fits: in an integer dtype, or in the one it implies."""
    if isinstance(value, Tensor):
        return value
    kind = common if common.kind in "iu" else dtypes.of_scalar(value).numpy
    return wrap(quiet_context().run(kind.type(fitting(value, kind)).astype, common))


def masked_fill(input: Tensor, mask: Tensor, value: Any) -> Tensor:
    """Return `input` with `value`, a number or a tensor of one, where `mask` holds.

    `mask`, of bools, broadcasts. RuntimeError for other dtypes and shapes that do not fit.
    """
    broadcast_shape(mask._array.shape, input._array.shape)
    if mask._array.dtype.kind != "b":
        raise RuntimeError(
            f"masked_fill_ only supports boolean masks, but got mask with dtype {mask.dtype.in_c}"
        )
    refuse_dims("masked_fill", value)
    return filled(MaskedFill, MaskedFillTensor, input, ((mask,),), value)


def refuse_dims(name: str, value: Any) -> None:
    """Raise PyTorch's RuntimeError if more than one number would be put everywhere."""
    if isinstance(value, Tensor) and value.dim():
        raise RuntimeError(
            f"{name}_ only supports a 0-dimensional value tensor, but got tensor with "
            f"{value.dim()} dimension(s)."
        )


def filled(with_number: Any, with_tensor: Any, input: Tensor, where: Any, value: Any) -> Tensor:
    """Return `input` with a number, or that of a 0-d tensor, put `where` an operator puts it.

    RuntimeError if the number does not fit, or is to have a gradient that integers cannot have.
    """
    kind = input._array.dtype
    if not isinstance(value, Tensor):
        return with_number.apply(input, *where, fitting(value, kind))
    fitting(value.item(), kind)
    if value.requires_grad and mode.enabled and not input.is_floating_point():
        raise dtypes.no_gradient(input.dtype)
    return with_tensor.apply(input, *where, value)


def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """Return the elements where `mask`, broadcast, holds, as one dimension."""
    if mask._array.dtype.kind != "b":
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    return MaskedSelect.apply(input, (mask,))


def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """Return the indices of the elements that are not zero: one row each, or one tensor a dim."""
    if as_tuple:
        return (nonzero(input) if input.dim() else nonzero(input.reshape(1))).unbind(1)
    return wrap_indices(np.argwhere(input.memory()))
