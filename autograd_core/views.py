"""Views and in-place changes: how a change through one name reaches the history of all others.

A view remembers its `_base`, the tensor whose memory it looks into. When a view is changed in
place, the base's history gets a `CopySlices` node, and every other view of the base finds out by
the version counter that its own `grad_fn` is out of date and makes a new one from the base.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograd_core import anomaly, saved_mutation
from autograd_core.context import record
from autograd_core.creation import empty_strided
from autograd_core.grad_mode import mode
from autograd_core.inference import storage_of_views
from autograd_core.messages import warn
from autograd_core.node import UNNEEDED, Node, gradient_edge, metadata_of, order
from autograd_core.saved_tensor import FREED, operation
from autograd_core.tensor import Tensor, new

if TYPE_CHECKING:
    from autograd_core.function import Function

NO_GRAD = "no_grad"
INFERENCE = "inference"
IN_CUSTOM_FUNCTION = "in custom Function"
ONE_OF_SEVERAL = "one of several"

_LEAF = "a leaf Variable that requires grad is being used in an in-place operation."
_VIEW_OF_LEAF = (
    "a view of a leaf Variable that requires grad is being used in an in-place operation."
)
_OVERLAP = (
    "unsupported operation: more than one element of the written-to tensor refers to a single "
    "memory location. Please clone() the tensor before performing the operation."
)
_PARTIAL_OVERLAP = (
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to "
    "a single memory location. Please clone() the tensor before performing the operation."
)
_EXPANDED = (
    "Use of {} on expanded tensors is deprecated. Please clone() the tensor before performing this "
    "operation. This also applies to advanced indexing e.g. tensor[{}"
)
_HERE = {NO_GRAD: "with grad mode enabled", INFERENCE: "in normal mode"}
_REASONS = {
    ONE_OF_SEVERAL: (
        "This view is the output of a function that returns multiple views. Such functions do not "
        "allow the output views to be modified inplace. You should replace the inplace operation "
        "by an out-of-place one."
    ),
    IN_CUSTOM_FUNCTION: (
        "This view was created inside a custom Function (or because an input was returned as-is) "
        "and the autograd logic to handle view+inplace would override the custom backward "
        "associated with the custom Function, leading to incorrect gradients. This behavior is "
        "forbidden. You can fix this by cloning the output of the custom Function."
    ),
} | {
    each: (
        "Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify "
        f"your code by moving both the view and the inplace either both inside the {block} block "
        "(if you don't want the inplace to be tracked) or both outside (if you want the inplace "
        "to be tracked)."
    )
    for each, block in ((NO_GRAD, "no_grad"), (INFERENCE, "inference_mode"))
}


def view_of(tensor: Tensor, window: np.ndarray) -> Tensor:
    """Return a tensor that looks at `tensor`'s memory through `window`, an array into it."""
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
    return view


def alias(tensor: Tensor) -> Tensor:
    """Return a view of the whole of `tensor`."""
    return view_of(tensor, tensor.memory())


def mark_creation(view: Tensor, function: type[Function]) -> None:
    """Note where a view was made, for the errors that in-place changes of it raise."""
    if not function.makes_views:
        view._creation = IN_CUSTOM_FUNCTION
    elif not mode.enabled and view._creation != INFERENCE:
        view._creation = INFERENCE if mode.inference else NO_GRAD


def mark_several(outputs: list[Any], node: Node) -> None:
    """Note of views among several outputs of a Function that they must not be changed in place."""
    tensors = [each for each in outputs if isinstance(each, Tensor)]
    if sum([each._grad_fn is node for each in tensors]) > 1:
        for each in tensors:
            if each._base is not None:
                each._creation = ONE_OF_SEVERAL


def check_in_place(tensor: Tensor, *others: Any) -> None:
    """Raise PyTorch's RuntimeError if `tensor` must not be changed in place here and now."""
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
        _check_creation(tensor, "is being")
        if tensor.requires_grad and base._grad_fn is None:
            raise RuntimeError(_VIEW_OF_LEAF)
    # Like PyTorch, without asking whether a view gets a history from its base by now.
    if tensor.requires_grad and tensor._grad_fn is None:
        raise RuntimeError(_LEAF)


def repeats(tensor: Tensor) -> bool:
    """Return whether several elements of `tensor` share one place, as those of expanded ones do."""
    window = tensor._array
    # Without elements, NumPy's strides say nothing.
    return (
        tensor._shared is not None
        and 0 in window.strides
        and bool(window.size)
        and any(
            step == 0 and length > 1
            for step, length in zip(window.strides, window.shape, strict=True)
        )
    )


def warn_of_repeats(name: str, example: str = "mask] = scalar") -> None:
    """Give PyTorch's UserWarning that an expanded tensor is written by the operator `name`."""
    warn(_EXPANDED.format(name, example))


def check_overlap(tensor: Tensor, *others: Any, moving: bool = False) -> bool:
    """Raise RuntimeError if writing `tensor` element by element would change what is still read.

    Not even the very elements that are written may be read if they are `moving` to other places.
    Return whether something would change all the same, because PyTorch does not see it.
    """
    if repeats(tensor):
        raise RuntimeError(_OVERLAP)
    return check_shared(tensor, *others, moving=moving)


def check_shared(tensor: Tensor, *others: Any, moving: bool) -> bool:
    """As `check_overlap`, where elements of `tensor` may share memory with each other."""
    shared = False
    for other in others:
        if isinstance(other, Tensor) and other._storage.data is tensor._storage.data:
            shared |= _check_partial_overlap(tensor.memory(), other.memory(), moving)
    return shared


def same_elements(a: np.ndarray, b: np.ndarray) -> bool:
    """Return whether two arrays are the same elements of memory, in the same places."""
    same_start = a.__array_interface__["data"] == b.__array_interface__["data"]
    return same_start and a.shape == b.shape and a.strides == b.strides


def _check_partial_overlap(written: np.ndarray, read: np.ndarray, moving: bool) -> bool:
    if same_elements(written, read) and not moving:
        return False
    # As in PyTorch: gaps between the elements make it too hard to tell.
    dense = all(
        each.transpose(outermost_first(each)).flags.c_contiguous for each in (written, read)
    )
    if dense and np.may_share_memory(written, read):
        raise RuntimeError(_PARTIAL_OVERLAP)
    return np.shares_memory(written, read)


def outermost_first(data: np.ndarray) -> Any:
    """Return the dimensions of NumPy data, that of the largest steps in memory first."""
    return np.argsort(np.negative(data.strides), kind="stable")


def _check_creation(view: Tensor, verb: str) -> None:
    creation, maker = view._creation, view._grad_fn
    if not creation:
        return
    output = maker and f"Output {view._output_nr} of {operation(maker.name())} is a view"
    if maker is None or creation in _HERE:
        where = INFERENCE if creation == INFERENCE else NO_GRAD
        what = f"{output} of a view which was" if output else "A view was"
        said = f"{what} created in {where} mode and {verb} modified inplace {_HERE[where]}."
    else:
        said = f"{output} and {verb} modified inplace."
    raise RuntimeError(f"{said} {_REASONS[creation]}")


def rebase_history(tensor: Tensor, node: Node, output_nr: int) -> None:
    """Make `node` the maker of `tensor`, whose memory it has just changed in place."""
    base = tensor._base
    if base is None:
        _set_history(tensor, node, output_nr)
        return
    _check_creation(tensor, "is being")
    if tensor.requires_grad and base.is_leaf:
        raise RuntimeError(_VIEW_OF_LEAF)
    _set_history(base, CopySlices(base, tensor, node), 0)
    refresh_history(tensor)


def refresh_history(view: Tensor) -> None:
    """Renew a view's `grad_fn` after its base's memory was changed through another name."""
    base = view._base
    assert base is not None
    if view._grad_fn is None and not base.requires_grad:
        return
    _check_creation(view, "its base or another view of its base has been")
    source = base if base.requires_grad else base.detach().requires_grad_()
    from autograd_core.ops.strided import AsStrided

    seen = source, tuple(view.shape), view.stride(), view.storage_offset()
    node = record(AsStrided, seen)
    assert node is not None
    AsStrided.setup_context(node, seen, view)
    node.output_metadata = (metadata_of(view._array),)
    if source is not base:
        # The base has lost its history; the view still has one, but it leads nowhere.
        node._edges = [(None, UNNEEDED), *node._edges[1:]]
    _set_history(view, node, 0)
    view._history_version = view._storage.version


def refuse_stale(args: Iterable[Any]) -> None:
    """Raise RuntimeError if one of `args` is a view that has lost its history to a change in place.

    PyTorch asks for the makers of what goes in before anything else, whatever may be wrong then.
    """
    if mode.enabled:
        for each in args:
            if isinstance(each, Tensor) and each._base is not None:
                each.grad_fn  # noqa: B018 - it raises


def move_history(view: Tensor, node: Node, output_nr: int) -> None:
    """Make `node` the maker of a tensor that sees its memory, unchanged, in another way now."""
    # As in PyTorch hooks and a retained gradient stay with what the tensor was.
    view._grad_fn, view._output_nr = node, output_nr
    view._history_version = view._storage.version


def _set_history(tensor: Tensor, node: Any, output_nr: int) -> None:
    before, tensor._grad_fn = tensor._grad_fn, node
    # Hooks stay with what the tensor was when they were registered.
    tensor._backward_hooks = None
    if tensor._retains and before is not None:
        (before._retainers or {}).pop(tensor._output_nr, None)
        node.retain(output_nr, tensor)
    tensor._output_nr, tensor._requires_grad = output_nr, True


class CopySlices(Node):
    """A base whose part, seen through a view, was replaced by the output of `operation`.

    The gradient of the base as it was before: that of the base after, with the view's part sent
    back through `operation`. Its edges lead to the base's former maker, and to those of the
    operation's other arguments.
    """

    # Whether backward has used the operation.
    _freed = False

    def __init__(self, base: Tensor, view: Tensor, node: Node) -> None:
        self.operation = node
        # PyTorch, too, takes the first tensor that went in for the view.
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
        return self.operation.saved_slots

    def _run(self, grads: list[Tensor | None], retain_graph: bool) -> Sequence[Tensor | None]:
        """Replace the view's part of the gradient by what `operation` makes of it."""
        (grad,) = grads
        if grad is None:
            return (None,) * len(self._makers)
        if self._freed:
            raise RuntimeError(FREED)
        # Laid out in memory as the base is, because the view's part is given by strides.
        before = empty_strided(*self._layout, dtype=grad.dtype).copy_(grad)
        part = before.as_strided(*self._part)
        grads = list(self.operation._run([part.clone()], retain_graph))
        of_part = grads[self._at]
        # As in PyTorch, without one not even what lies beside the view gets a gradient.
        if isinstance(of_part, Tensor) and self._makers[self._at] is not None:
            part.copy_(of_part)
            grads[self._at] = before
        return grads

    def release(self) -> None:
        """Forget what the operation on the view kept, and refuse to use it again."""
        self.operation.release()
        self._freed = True
