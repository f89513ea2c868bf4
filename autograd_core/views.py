"""Views and in-place changes: how a change through one name reaches the history of all others.

A view remembers its `_base`, the tensor whose memory it looks into. When a view is changed in
place, a `CopySlices` node becomes the base's `grad_fn`. Every other view of the base finds out by
the version counter that its own `grad_fn` is stale, and makes a new one from the base. Here, the
`grad_fn` of `base`, of `view` and of another view before and after `view.mul_(5)`:

    base:    Mul                   base:    CopySlices (with a Mul for the view's part) ──> Mul
    view:    Select ──> Mul        view:    AsStrided ──> CopySlices
    other:   Select ──> Mul        other:   AsStrided ──> CopySlices
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograd_core.context import record
from autograd_core.creation import empty_strided
from autograd_core.hooks import saved_mutation
from autograd_core.modes import anomaly
from autograd_core.modes.grad_mode import mode
from autograd_core.modes.inference import storage_of_views
from autograd_core.node import UNNEEDED, Node, gradient_edge, metadata_of, order
from autograd_core.rules.view_creation import check_creation
from autograd_core.saved_tensor import FREED, without_history
from autograd_core.tensor import Tensor, new
from autograd_core.tensors.device import contiguous_format

_LEAF = "a leaf Variable that requires grad is being used in an in-place operation."
_VIEW_OF_LEAF = (
    "a view of a leaf Variable that requires grad is being used in an in-place operation."
)


def view_of(tensor: Tensor, window: np.ndarray) -> Tensor:
    """Return a view of `tensor`; `window` is the part of its array that the view shows."""
    view = new(Tensor)
    storage = tensor._shared
    if storage is None:
        storage = tensor._storage
    view._array, view._shared = window, storage
    if type(storage.version) is not int:
        view._shared = storage_of_views(storage)
        return view
    view._base = tensor if tensor._base is None else tensor._base
    view._history_version = storage.version
    if tensor._creation:
        view._creation = tensor._creation
    if tensor._offset_if_empty:
        view._offset_if_empty = tensor._offset_if_empty
    return view


def alias(tensor: Tensor) -> Tensor:
    """Return a view of the whole of `tensor`."""
    return view_of(tensor, tensor.memory())


def check_in_place(tensor: Tensor, *others: Any) -> None:
    """Raise PyTorch's RuntimeError if `tensor` must not be changed in place in this grad mode."""
    if saved_mutation.current is not None:
        saved_mutation.current.about_to_change(tensor)
    if not mode.enabled:
        return
    if not tensor.requires_grad:
        for other in others:
            if isinstance(other, Tensor) and other.requires_grad:
                break
        else:
            return
    base = tensor._base
    if base is not None:
        check_creation(tensor, "is being")
        if tensor.requires_grad and base._grad_fn is None:
            raise RuntimeError(_VIEW_OF_LEAF)
    # As in PyTorch, not `grad_fn`: a view that would only now get a history counts as a leaf.
    if tensor.requires_grad and tensor._grad_fn is None:
        raise RuntimeError(_LEAF)


def rebase_history(tensor: Tensor, node: Node, output_nr: int) -> None:
    """Make `node` the maker of `tensor`, whose memory it has just changed in place."""
    base = tensor._base
    if base is None:
        _set_history(tensor, node, output_nr)
        return
    check_creation(tensor, "is being")
    if tensor.requires_grad and base.is_leaf:
        raise RuntimeError(_VIEW_OF_LEAF)
    _set_history(base, CopySlices(base, tensor, node), 0)
    refresh_history(tensor)


def refresh_history(view: Tensor) -> None:
    """Renew a view's `grad_fn` after its base's memory was changed through another name."""
    node = renewed_maker(view)
    if node is not None:
        _set_history(view, node, 0)
        view._history_version = view._storage.version


def renewed_maker(view: Tensor) -> Node | None:
    """Return a new maker for a stale view: the node that makes it of its base as it is now."""
    base = view._base
    assert base is not None
    if view._grad_fn is None and not base.requires_grad:
        return None
    check_creation(view, "its base or another view of its base has been")
    source = base
    if not base.requires_grad:
        source = without_history(base)
        source._requires_grad = True
    # Here, because operators are built on this file.
    from autograd_core.ops.strided import AsStrided

    seen = source, tuple(view.shape), view.stride(), view.storage_offset()
    node = record(AsStrided, seen)
    assert node is not None
    AsStrided.setup_context(node, seen, view)
    node.output_metadata = (metadata_of(view._array),)
    if source is not base:
        # The base has lost its history; the view keeps one, which leads nowhere.
        node._edges = [(None, UNNEEDED), *node._edges[1:]]
    return node


def _set_history(tensor: Tensor, node: Any, output_nr: int) -> None:
    before, tensor._grad_fn = tensor._grad_fn, node
    # Hooks stay with the node that was the tensor's maker when they were registered.
    tensor._backward_hooks = None
    if tensor._retains and before is not None:
        (before._retainers or {}).pop(tensor._output_nr, None)
        node._retain(output_nr, tensor)
    tensor._output_nr, tensor._requires_grad = output_nr, True


class CopySlices(Node):
    """The maker of a base after `operation` has changed a view of it in place.

    It turns the gradient of the base after the change into that of the base before: the part that
    the view shows is sent back through `operation`, the rest stays as it is. Its edges lead to the
    base's former maker, and to the makers of the operation's other arguments.
    """

    # Whether backward has freed the operation.
    _freed = False

    def __init__(self, base: Tensor, view: Tensor, node: Node) -> None:
        self.operation = node
        # As in PyTorch, the first argument that is a tensor is taken for the view.
        self._at = node.arguments_that_are_tensors().index(True)
        edges = node._edges
        edges[self._at] = gradient_edge(base)
        self._edges = edges
        self.output_metadata = (metadata_of(base._array),)
        self._order = next(order)
        if anomaly.mode.enabled:
            anomaly.remember(self)
        self._layout = base.shape, base.stride()
        self._part = view.shape, view.stride(), view.storage_offset() - base.storage_offset()

    @property
    def saved_slots(self) -> tuple[Any, ...]:  # type: ignore[override]  # read only
        """The slots of the operation on the view."""
        return () if self._freed else self.operation.saved_slots

    def _run(self, grads: list[Tensor | None], retain_graph: bool) -> Sequence[Tensor | None]:
        """Replace the view's part of the gradient by what `operation` returns for it."""
        (grad,) = grads
        if grad is None:
            return (None,) * len(self._makers)
        if self._freed:
            raise RuntimeError(FREED)
        # Laid out in memory as the base is, because the view's part is given by strides.
        before = empty_strided(*self._layout, dtype=grad.dtype).copy_(grad)
        part = before.as_strided(*self._part)
        # True: do not free what it saved, because it may be a node of the graph by itself, too.
        grads = list(self.operation._run([part.clone(memory_format=contiguous_format)], True))
        of_part = grads[self._at]
        # As in PyTorch, if it returns none, the rest of the base gets no gradient either.
        if isinstance(of_part, Tensor) and self._makers[self._at] is not None:
            part.copy_(of_part)
            grads[self._at] = before
        return grads

    def _release(self) -> None:
        """Free the operation on the view; from now on `_run` raises."""
        self.operation, self._freed = Node(), True
