"""Views in place: `x.t_()`, `x.resize_(...)` and their like change how a tensor sees its memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from autograd_core.forward_mode import levels, pushforward, tangents
from autograd_core.function import Function
from autograd_core.modes.grad_mode import mode
from autograd_core.modes.inference import AssignedStorage
from autograd_core.ops import dimensions, shape, strided
from autograd_core.ops.making import called, named
from autograd_core.ops.resizing import resized
from autograd_core.storage import UntypedStorage, new_storage
from autograd_core.tensor import Tensor
from autograd_core.views import check_in_place

# PyTorch's names for the nodes, by the names of the nodes that do not work in place.
_NODE_NAMES = {
    "TBackward0": "TBackward1",
    "TransposeBackward0": "TransposeBackward1",
    "UnsqueezeBackward0": "UnsqueezeBackward1",
    "SqueezeBackward0": "SqueezeBackward3",
    "SqueezeBackward1": "SqueezeBackward4",
    "SqueezeBackward2": "SqueezeBackward5",
    "AsStridedBackward0": "AsStridedBackward1",
}
_NO_TANGENT = (
    "Trying to use forward AD with set_ that does not support it because it has not been "
    "implemented yet.\nPlease file an issue to PyTorch at "
    "https://github.com/pytorch/pytorch/issues/new?template=feature-request.yml so that we can "
    "prioritize its implementation."
)


class Set_(Function):  # noqa: N801 - PyTorch marks in-place operators so
    """x = another tensor's memory;  PyTorch gives it no derivative."""

    node_name = "torch::autograd::NotImplemented"

    @staticmethod
    def forward(ctx, x, source, window, storage):
        x._array, x._storage = window, AssignedStorage(storage, x._storage)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, g):
        raise RuntimeError("derivative for set_ is not implemented")


@cache
def _renamed(operator: type[Function]) -> Any:
    return named(operator.__name__ + "_", operator, _NODE_NAMES[operator.node_name])


def _seen_by(view: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Return the method that makes a tensor look at its memory as `view(tensor)` would."""

    def change(self: Tensor, *args: Any, **options: Any) -> Tensor:
        check_in_place(self)
        if view is dimensions.t:
            dimensions.matrix("t_", self)
        seen = view(self, *args, **options)
        node: Any = seen._grad_fn
        tangent = tangents.tangent_of(self) if levels.active() else None
        self._array = seen._array
        self._storage.version += 1
        if node is not None:
            node.__class__ = _renamed(node._function)._node_class
            # As in PyTorch, hooks and a retained gradient stay with the former node.
            self._grad_fn, self._output_nr = node, seen._output_nr
            self._history_version = self._storage.version
        if tangent is not None:
            change(tangent, *args, **options)
            tangents.attach(self, tangent)
        return self

    doc = f"Look at this tensor's memory as `{view.__name__}` does from now on; return self."
    return called(f"{view.__name__}_", doc, change)


def resize_(self: Tensor, *sizes: Any, memory_format: Any = None) -> Tensor:
    """Take another shape, contiguous, from where this tensor begins; the storage grows as needed.

    New elements have arbitrary values (here: zeros). RuntimeError if the tensor requires grad.
    """
    if self.requires_grad and not mode.inference:
        raise RuntimeError("cannot resize variables that require grad")
    if levels.entered and tangents.tangent_of(self) is not None:
        raise RuntimeError("cannot resize variables that has a forward grad")
    lengths = shape.sizes_of(sizes)
    if min(lengths, default=0) < 0 or math.prod(lengths) >= 2**63:
        raise RuntimeError("numel: integer multiplication overflow")
    before = self._array
    if resized(self, lengths)._array is not before:
        self._storage.version += 1
    return self


def resize_as_(self: Tensor, the_template: Tensor, *, memory_format: Any = None) -> Tensor:
    """Take the shape of another tensor."""
    return resize_(self, the_template._array.shape)


def set_(
    self: Tensor,
    source: Any = ...,
    storage_offset: Any = None,
    size: Sequence[int] | None = None,
    stride: Sequence[int] | None = None,
) -> Tensor:
    """Look from now on at the memory of `source`, a tensor or a storage, or without it at none.

    With a `size`, look at the storage of `source` in this geometry, by default contiguous.
    """
    if (
        not (source is ... or isinstance(source, Tensor | UntypedStorage))
        or (size is None) != (storage_offset is None)
        or not isinstance(storage_offset, int | None)
    ):
        raise TypeError
    if storage_offset is not None and isinstance(source, Tensor):
        if not source.is_contiguous():
            raise RuntimeError("passed in tensor to be used as storage must be contiguous")
        storage_offset += source.storage_offset()
        source = source.untyped_storage()
    check_in_place(self, source)
    if levels.entered and pushforward.reaches(Set_, (self, source)):
        raise NotImplementedError(_NO_TANGENT)
    if isinstance(source, UntypedStorage):
        # One dimension of the same bytes, read in this tensor's dtype.
        data, kind = source.data, self._array.dtype
        alike = data.ndim == 1 and data.dtype == kind
        storage = source if alike else new_storage(data.ravel(order="K").view(kind))
        window, source = storage.data, None
        if size is not None:
            window = strided.window(window, size, stride, storage_offset)
    elif source is ...:
        source = None
        window = np.empty(0, self._array.dtype)
        storage = new_storage(window)
    elif source.dtype is self.dtype:
        window, storage = source.memory(), source.untyped_storage()
    else:
        raise RuntimeError(
            f"Could not set tensor of type {source.dtype.in_c} to a tensor of type "
            f"{self.dtype.in_c}"
        )
    Set_.apply(self, source, window, storage)
    # Older graphs still hold the old accumulator; new ones need another.
    self._accumulator = None
    return self


METHODS: dict[str, Callable[..., Tensor]] = {
    f"{view.__name__}_": _seen_by(view)
    for view in (
        dimensions.t,
        dimensions.transpose,
        dimensions.swapaxes,
        dimensions.squeeze,
        dimensions.unsqueeze,
        strided.as_strided,
    )
} | {each.__name__: each for each in (resize_, resize_as_, set_)}
