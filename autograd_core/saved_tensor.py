"""What a node keeps for backward: a tensor, and the version at which it was kept."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from numpy import ndarray

from autograd_core.modes import anomaly
from autograd_core.modes.inference import check_saved
from autograd_core.tensor import Tensor, new
from autograd_core.tensors import dtypes

if TYPE_CHECKING:
    from autograd_core.context import Context
    from autograd_core.node import Node

FREED = (
    "Trying to backward through the graph a second time (or directly access saved tensors after "
    "they have already been freed). Saved intermediate values of the graph are freed when you call "
    ".backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the "
    "graph a second time or if you need to access saved tensors after calling backward."
)
DETACHED = (
    "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_()."
    "This is not supported, please use out-of-place `.detach()` instead"
)


class SavedTensor:
    """A tensor kept for backward, checked when it is read.

    `version` is the storage's when the tensor was saved. A node's own output is saved without its
    `grad_fn`, because node and output would otherwise keep each other alive. `freed` says that
    backward has freed the tensor.
    """

    name = ""
    freed = False
    _was_leaf = False
    _maker: weakref.ref[Node] | None = None
    _origin: weakref.ref[Tensor] | None = None
    _output_nr = 0

    def __init__(self, tensor: Tensor, node: Context | None, outputs: tuple[Any, ...] = ()) -> None:
        self.tensor: Tensor | None = tensor
        self.version = tensor._storage.version
        if type(self.version) is not int:
            check_saved(tensor)
        # Not `grad_fn`: a view that lost its history to a change in place is refused when read.
        maker = tensor._grad_fn
        if maker is None:
            self._was_leaf = True
        elif maker is node or (
            outputs and tensor._base is not None and any(tensor is each for each in outputs)
        ):
            # An output. Its maker is the node or, if it is a view changed in place, a node above.
            # Custom Functions read such a view as their own output. They may change what they read:
            # `detach` makes a scalar an array, so that the output's owner sees the change.
            if node is None or node._function.node_name:
                self.tensor = without_history(tensor)
            else:
                self.tensor, maker = tensor.detach(), node
            self._maker, self._output_nr = weakref.ref(maker), tensor._output_nr

    @classmethod
    def of(cls, tensor: Tensor | None, version: int, was_leaf: bool) -> SavedTensor:
        """Return the SavedTensor of a tensor that a node keeps as it is; of None, a freed one."""
        saved = cls.__new__(cls)
        saved.tensor, saved.version, saved.freed = tensor, version, tensor is None
        saved._was_leaf = was_leaf
        return saved

    @classmethod
    def output(cls, tensor: Tensor, node: Node) -> SavedTensor:
        """Save `tensor` as it is now, before `node` changes it in place and becomes its maker."""
        saved = cls(without_history(tensor), None)
        saved._maker, saved._origin = weakref.ref(node), weakref.ref(tensor)
        return saved

    @property
    def is_stale(self) -> bool:
        """Whether the memory has been changed since the tensor was kept."""
        return self.tensor is not None and self.tensor._storage.version != self.version

    def read(self, node: Node) -> Tensor:
        """Return the tensor as it was saved; RuntimeError if it was changed since, or freed."""
        tensor = self.tensor
        if tensor is None:
            raise RuntimeError(FREED)
        maker = self._maker
        if maker is None and node.is_built_in and not self._was_leaf and tensor._grad_fn is None:
            raise RuntimeError(DETACHED)
        if tensor._storage.version != self.version:
            raise RuntimeError(self._modified(node, tensor))
        if maker is None:
            tensor.grad_fn  # noqa: B018 - it raises
            return tensor
        output = without_history(tensor)
        output._requires_grad = True
        output._grad_fn, output._output_nr = maker() or node, self._output_nr
        return output

    def _modified(self, node: Node, tensor: Any) -> str:
        changed = self._origin() if self._origin is not None else None
        if changed is not None:
            maker, output_nr = changed.grad_fn, changed._output_nr
        elif self._maker is not None:
            maker, output_nr = self._maker() or node, self._output_nr
        else:
            # As in PyTorch, which saves the output number only for a node's own outputs.
            maker, output_nr = tensor.grad_fn, 0
        origin = ""
        if maker is not None:
            origin = f", which is output {output_nr} of {operation(maker.name())},"
        legacy = dtypes.of(tensor._array).legacy
        kind = "CPUBoolType" if legacy == "BoolTensor" else f"torch.{legacy}"
        return (
            "one of the variables needed for gradient computation has been modified by an inplace "
            f"operation: [{kind} {list(tensor.shape)}]{origin} is at version "
            f"{tensor._version}; expected version {self.version} instead."
            + (anomaly.HINT_IN_ANOMALY_MODE if anomaly.mode.enabled else anomaly.HINT)
        )


# Takes the place of a tensor that a node has freed.
FREED_SLOT = SavedTensor.of(None, 0, True)


def without_history(tensor: Tensor) -> Tensor:
    """Return a tensor without history on the same memory; unlike `detach`, keep a scalar one."""
    alias, storage = new(Tensor), tensor._storage
    # `tensor` may still hold the scalar that its storage has made an array of.
    alias._array = tensor._array if isinstance(tensor._array, ndarray) else storage.data
    alias._shared = storage
    return alias


def operation(name: str) -> str:
    """Return the operation's name in PyTorch's error: `Mul` for MulBackward0."""
    operation, found, overload = name.rpartition("Backward")
    if found and (overload.isdigit() or not overload):
        return operation + overload.removeprefix("0")
    return name
