"""`matmul`: which product it is of two tensors, by their ranks, and how stacks are cut."""

from __future__ import annotations

from typing import Any

from autograd_core.ops.dimensions import Squeeze
from autograd_core.ops.elementwise import broadcast_shape
from autograd_core.ops.matrix_products import bmm, dot, mm, mv
from autograd_core.ops.shape import UnsafeView
from autograd_core.tensor import Size, Tensor, wrap


class SqueezeProduct(Squeeze):
    """As `Squeeze`, but of a product that nothing else refers to: the result is no view."""

    node_name = "SqueezeBackward4"

    @staticmethod
    def forward(x, dims):
        squeezed = wrap(x.memory().squeeze(dims))
        # Version 1, because PyTorch squeezes it in place.
        squeezed._storage.version += 1
        return squeezed


def matmul(input: Tensor, other: Tensor) -> Tensor:
    """Return the product, by the ranks of the two: dot, mv, mm, or stacks of matrices.

    Dimensions in front of the last two broadcast; a vector counts as a row on the left and as a
    column on the right, which the result lacks. RuntimeError for lengths that do not fit.
    """
    ranks = input._array.ndim, other._array.ndim
    if ranks == (2, 2):
        return mm(input, other)
    if 0 in ranks:
        raise RuntimeError(
            "both arguments to matmul need to be at least 1D, but they are "
            f"{ranks[0]}D and {ranks[1]}D"
        )
    if ranks == (1, 1):
        return dot(input, other)
    if ranks == (2, 1):
        return mv(input, other)
    if ranks == (1, 2):
        return SqueezeProduct.apply(mm(input.unsqueeze(0), other), (0,))
    return (_folded if _folds(input, other) else _batched)(input, other)


def of_tensors(input: Tensor, other: Any) -> Any:
    """Return the product as Python's operator: NotImplemented unless `other` is a tensor."""
    return matmul(input, other) if isinstance(other, Tensor) else NotImplemented


def reflected_of_tensors(self: Tensor, other: Any) -> Any:
    """Return the product with this tensor on the right."""
    return of_tensors(other, self) if isinstance(other, Tensor) else NotImplemented


def _folds(x: Tensor, y: Tensor) -> bool:
    """Return whether PyTorch folds the larger operand into one matrix, to save copies."""
    first = x.dim() >= y.dim()
    large, small = (x, y) if first else (y.mT, x)
    if large.dim() < 3 or small.dim() > 2:
        return False
    if small.requires_grad:
        return True
    if x.dim() == 2:
        return False
    lengths, steps = large.shape, large.stride()
    return not large.numel() or all(
        steps[dim] == steps[dim + 1] * lengths[dim + 1] for dim in range(large.dim() - 2)
    )


def _folded(x: Tensor, y: Tensor) -> Tensor:
    turned = y.dim() > x.dim()
    large, small = (y.mT, x.t() if x.dim() == 2 else x) if turned else (x, y)
    shape = tuple(large.shape[:-1])
    rows = large.reshape(Size(shape).numel(), large.shape[-1])
    if small.dim() == 1:
        return UnsafeView.apply(mv(rows, small), shape)
    product = UnsafeView.apply(mm(rows, small), (*shape, small.shape[1]))
    return product.mT.contiguous() if turned else product


def _batched(x: Tensor, y: Tensor) -> Tensor:
    if x.dim() == y.dim() == 3 and x.shape[0] != y.shape[0]:
        if x.shape[0] == 1 and x.requires_grad:
            return matmul(x.squeeze(0), y)
        if y.shape[0] == 1 and y.requires_grad:
            return matmul(x, y.squeeze(0))
    of_x = tuple(x.shape[-2:]) if x.dim() > 1 else (1, x.shape[0])
    of_y = tuple(y.shape[-2:]) if y.dim() > 1 else (y.shape[0],)
    batch = tuple(broadcast_shape(tuple(x.shape[:-2]), tuple(y.shape[:-2])))
    count = Size(batch).numel()
    left = x.expand(*batch, *of_x).reshape(count, *of_x)
    right = y.expand(*batch, *of_y).reshape(count, *of_y)
    rows = of_x[:1] if x.dim() > 1 else ()
    if y.dim() == 1:
        return UnsafeView.apply(bmm(left, right.unsqueeze(2)).squeeze(-1), (*batch, *rows))
    return UnsafeView.apply(bmm(left, right), (*batch, *rows, of_y[1]))
