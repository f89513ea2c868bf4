"""Views with the dimensions in another order, or with those of length 1 put in or left out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_core.messages import warn_once
from autograd_core.ops.dims import dim_among, dim_from_front, dims_of, several, shown_as
from autograd_core.ops.making import named
from autograd_core.ops.order_in_memory import restrided
from autograd_core.ops.reusing import is_plain_value
from autograd_core.ops.shape import Alias, ViewOperator, sizes_of
from autograd_core.tensor import Tensor, wrap
from autograd_core.views import view_of

_ONLY_MATRICES = (
    "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated "
    "and it will throw an error in a future release. Consider `x.mT` to transpose batches of "
    "matrices or `x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the dimensions of a "
    "tensor."
)
_CONJUGATE = "Consider using x.conj()."
_IDENTITY = "This function is the identity in these cases."


class Permute(ViewOperator):
    """z = x with its dimensions in another order;  dL/dx = g with the order undone."""

    @staticmethod
    def forward(x, order):
        return view_of(x, x.memory().transpose(order))

    @staticmethod
    def backward(ctx, g):
        (order,) = ctx.arguments
        return g.permute(tuple(np.argsort(order).tolist())), None


class Transpose(ViewOperator):
    """z = x with two dimensions exchanged;  dL/dx = g with them exchanged back."""

    @staticmethod
    def forward(x, first, second):
        memory = x.memory()
        return view_of(x, memory.swapaxes(first, second) if memory.ndim else memory)

    @staticmethod
    def backward(ctx, g):
        return g.transpose(*ctx.arguments), None, None


class T(ViewOperator):
    """z = x^T;  dL/dx = g^T."""

    @staticmethod
    def forward(x):
        return view_of(x, x.memory().T)

    @staticmethod
    def backward(ctx, g):
        return wrap(g._array.T) if g._shared is None and is_plain_value() else T.apply(g)


class Unsqueeze(ViewOperator):
    """z = x with a dimension of length 1 put in;  dL/dx = g without it."""

    @staticmethod
    def forward(x, dim):
        memory = x.memory()
        shape, steps = memory.shape, memory.strides
        step = shape[dim] * steps[dim] if dim < memory.ndim else memory.itemsize
        lengths, steps = (*shape[:dim], 1, *shape[dim:]), (*steps[:dim], step, *steps[dim:])
        return view_of(x, restrided(memory, lengths, steps))

    @staticmethod
    def backward(ctx, g):
        return g.squeeze(*ctx.arguments), None


class Squeeze(ViewOperator):
    """z = x without its dimensions of length 1;  dL/dx = g with them put back."""

    @staticmethod
    def forward(x, dims):
        memory = x.memory()
        alone = tuple([dim for dim in dims if memory.shape[dim] == 1])
        return view_of(x, memory.squeeze(alone))

    @staticmethod
    def backward(ctx, g):
        for dim, length in enumerate(ctx.shape):
            if length == 1 and dim in ctx.arguments[0]:
                g = g.unsqueeze(dim)
        return g, None


# For one dimension, and for several.
SqueezeDim = named("SqueezeDim", Squeeze, "SqueezeBackward1")
SqueezeDims = named("SqueezeDims", Squeeze, "SqueezeBackward2")


def permute(input: Tensor, *order: Any, dims: Any = None) -> Tensor:
    """Return a view with the dimensions in the given order.

    RuntimeError unless each is named once.
    """
    wanted = sizes_of(order, dims)
    if len(wanted) != input.dim():
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the "
            f"length of the desired ordering of dimensions i.e. input.dim() = {input.dim()} is not "
            f"equal to len(dims) = {len(wanted)}"
        )
    from_front = tuple([dim_from_front(input, dim) for dim in wanted])
    if len(set(from_front)) < len(from_front):
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return Permute.apply(input, from_front)


def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Return a view with two dimensions exchanged."""
    return Transpose.apply(input, dim_from_front(input, dim0), dim_from_front(input, dim1))


def t(input: Tensor) -> Tensor:
    """Return the transposed view of a tensor of at most two dimensions."""
    return T.apply(matrix("t", input))


def matrix(name: str, input: Tensor) -> Tensor:
    """Return what the function `name` is to transpose; RuntimeError if it is more than a matrix."""
    if input._array.ndim > 2:
        raise RuntimeError(
            f"{name}() expects a tensor with <= 2 dimensions, but self is {input.dim()}D"
        )
    return input


def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """Return a view with a dimension of length 1 put in at `dim`.

    `dim` counts the new dimension as well: -1 appends one. IndexError if it is out of range.
    """
    return Unsqueeze.apply(input, dim_among(input._array.ndim + 1, dim))


def squeeze(input: Tensor, dim: Any = ...) -> Tensor:
    """Return a view without dimensions of length 1: all of them, or those of `dim` that are."""
    shape = input._array.shape
    if dim is None:
        raise TypeError
    if dim is ...:
        return Squeeze.apply(input, tuple([i for i, size in enumerate(shape) if size == 1]))
    if isinstance(dim, int):
        dim = dim_from_front(input, dim)
        return SqueezeDim.apply(input, (dim,) if shape else shown_as((dim,)))
    return SqueezeDims.apply(input, dims_of(input, dim) if dim else ())


def method_squeeze(input: Tensor, dim: Any = ..., *size: Any) -> Tensor:
    """As `squeeze`; several dimensions may come one after the other."""
    return squeeze(input, (dim, *size) if size else dim)


def transposed(self: Tensor) -> Tensor:
    """The view with all dimensions in reverse order."""
    if not self.dim():
        warn_once(f"Tensor.T is deprecated on 0-D tensors. {_IDENTITY}")
    elif self.dim() != 2:
        warn_once(_ONLY_MATRICES)
    return permute(self, tuple(reversed(range(self.dim()))))


def conjugate_transposed(self: Tensor) -> Tensor:
    """The transposed view of a matrix; without complex numbers nothing is conjugated."""
    if self.dim() not in (0, 2):
        raise RuntimeError(
            f"tensor.H is only supported on matrices (2-D tensors). Got {self.dim()}-D tensor."
            + (" For batches of matrices, consider using tensor.mH" if self.dim() > 2 else "")
        )
    return _of_matrices(self, "H", _CONJUGATE)


def _exchanging(name: str, advice: str) -> Callable[[Tensor], Tensor]:
    def exchanged(self: Tensor) -> Tensor:
        """The view with the last two dimensions exchanged."""
        return _of_matrices(self, name, advice)

    return exchanged


def adjoint(input: Tensor) -> Tensor:
    """Return the view with the last two dimensions exchanged."""
    if not input.dim():
        warn_once(f"adjoint() is deprecated on 0-D tensors. {_CONJUGATE}")
        return input
    return _of_matrices(input, "adjoint()", _CONJUGATE)


PROPERTIES: dict[str, Callable[[Tensor], Tensor]] = {
    "T": transposed,
    "mT": _exchanging("mT", _IDENTITY),
    "H": conjugate_transposed,
    "mH": _exchanging("mH", _CONJUGATE),
}


def _of_matrices(tensor: Tensor, name: str, advice: str) -> Tensor:
    if tensor.dim() == 1:
        raise RuntimeError(
            f"tensor.{name} is only supported on matrices or batches of matrices. Got 1-D tensor."
        )
    if not tensor.dim():
        warn_once(f"Tensor.{name} is deprecated on 0-D tensors. {advice}")
        return tensor
    return transpose(tensor, -2, -1)


def movedim(input: Tensor, source: Any, destination: Any) -> Tensor:
    """Return a view with dimensions moved to other places, the others in their order."""
    moved = [list(several(each)) for each in (source, destination)]
    if len(moved[0]) != len(moved[1]):
        raise RuntimeError(
            f"movedim: Invalid source or destination dims: source ({moved[0]} dims) should contain "
            f"the same number of dims as destination ({moved[1]} dims)"
        )
    for name, given in zip(("source", "destination"), moved, strict=True):
        if len({dim_from_front(input, dim) for dim in given}) < len(given):
            raise RuntimeError(f"movedim: repeated dim in `{name}` ({given})")
    sources, targets = [[dim_from_front(input, dim) for dim in given] for given in moved]
    if not input.dim():
        return Alias.apply(input)
    order = [dim for dim in range(input.dim()) if dim not in sources]
    for target, dim in sorted(zip(targets, sources, strict=True)):
        order.insert(target, dim)
    return permute(input, order)


def swapaxes(input: Tensor, axis0: int, axis1: int) -> Tensor:
    """Return a view with two dimensions exchanged, by NumPy's name."""
    return transpose(input, axis0, axis1)
