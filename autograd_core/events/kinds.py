"""The kinds of events, each with its data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from autograd_core.node import Node
from autograd_core.saved_tensor import SavedTensor
from autograd_core.storage import Storage
from autograd_core.tensor import Tensor


class Create(NamedTuple):
    """An operation has run forward; `node` is None if it was not recorded.

    `name` is the node's, or what it would have been; "detach" or "detach_" if that was called.
    `inputs` are all arguments, `outputs` the tensors that were returned.
    """

    name: str
    node: Node | None
    inputs: tuple[Any, ...]
    outputs: tuple[Tensor, ...]


class Save(NamedTuple):
    """A new node has saved tensors for backward, each with the version that it has now."""

    node: Node
    slots: tuple[SavedTensor, ...]


class Mutate(NamedTuple):
    """The memory of a tensor that was used before has been changed in place, to a new version.

    It comes right after the operation; for a change that is no operation, such as an optimizer's
    step, before the next event.
    """

    storage: Storage
    version: int


class Begin(NamedTuple):
    """Backward starts: `grads` go to the `roots`, pairs of a node and the output's number.

    Without `accumulate` the gradients of `targets` are returned instead.
    """

    roots: tuple[Any, ...]
    grads: tuple[Tensor, ...]
    retain_graph: bool
    create_graph: bool
    accumulate: bool
    targets: tuple[Any, ...] | None


class Visit(NamedTuple):
    """Backward has come to a node: `grads` is what has arrived there, one for each output."""

    node: Node
    grads: tuple[Tensor | None, ...]


class Send(NamedTuple):
    """A node has run: `grads` go along its edges, each in the shape and dtype of that input."""

    node: Node
    grads: tuple[Tensor | None, ...]


class Accumulate(NamedTuple):
    """What arrived at a leaf has been added to its `.grad`."""

    leaf: Tensor


class Free(NamedTuple):
    """A node has freed its saved tensors."""

    node: Node


class End(NamedTuple):
    """Backward is over; `error` is what it raised, if it did."""

    error: BaseException | None


# Something that has just happened, or for `Begin` and `Visit` is about to. A listener may look at
# the tensors, but not keep those that backward sends: the engine may reuse their memory.
Event = Create | Save | Mutate | Begin | Visit | Send | Accumulate | Free | End
Listener = Callable[[Event], object]
