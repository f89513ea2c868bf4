"""Saved-tensor hooks: what a node saves is packed by one function and unpacked by another.

A node has a `PackedTensor` instead of a `SavedTensor` for what it saves inside
`saved_tensors_hooks`, and for saved tensors on which hooks were registered.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from autograd_core.creation.options import NO_GRAD_FOR_INTEGERS
from autograd_core.forward_mode import levels, tangents
from autograd_core.messages import type_name
from autograd_core.modes.grad_mode import no_grad
from autograd_core.saved_tensor import SavedTensor, without_history
from autograd_core.tensor import Tensor

if TYPE_CHECKING:
    from autograd_core.node import Node

Pair = tuple[Callable[[Tensor], Any], Callable[[Any], Tensor]]

_PACK_CHANGES_INPUT = (
    "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack "
    "hook cannot be modified by in-place operations as this can lead to unexpected side-effects. "
    "Please open an issue if you need to perform in-place operations on the input to a pack hook."
)
_FREED = (
    "Calling register_hooks on a saved tensor after it has been freed. Saved intermediate values "
    "of the graph are freed when you call .backward() or autograd.grad(). Specify "
    "retain_graph=True if you need to backward through the graph a second time or if you need to "
    "access saved variables after calling backward."
)
_ONCE = (
    "Calling register_hooks on a saved tensor whose hooks have already been set. Hint: only one "
    "pair of hooks is allowed at a time."
)
_NONE = "Calling register_hooks on a saved tensor with value None is forbidden"
_KIND = "torch._C._autograd.SavedTensor"
# The names of slots that hold outputs, which are packed last.
_RESULTS = "result", "result0", "result1", "result2", "indices", "buffer", "total_weight"


class _Entered(threading.local):
    pairs: tuple[Pair, ...] = ()
    refusal: str | None = None


entered: _Entered = _Entered()
# How many `saved_tensors_hooks` are entered in all threads: while it is 0, nothing is packed.
entered_anywhere = 0


def replace(pairs: tuple[Pair, ...]) -> None:
    """From now on, pack what this thread saves with the last of `pairs`, if there is one."""
    global entered_anywhere
    entered_anywhere += len(pairs) - len(entered.pairs)
    entered.pairs = pairs


def enter(pair: Pair) -> None:
    """Pack with `pair` until `leave` is called."""
    replace((*entered.pairs, pair))


def leave() -> None:
    """Undo this thread's last `enter`, if there is one."""
    replace(entered.pairs[:-1])


class PackedTensor(SavedTensor):
    """What a pack hook has returned for a saved tensor, and what is needed to restore the tensor.

    The tensor's place in the graph is kept. Its version is not checked: what a hook does with the
    values cannot be followed.
    """

    tensor: Tensor | None = None
    version = 0

    def __init__(
        self, tensor: Tensor, pair: Pair, output_of: Node | None, detach: bool = False
    ) -> None:
        pack, self.unpack_hook = pair
        self._requires_grad = tensor.requires_grad
        self._was_leaf = tensor._grad_fn is None
        self._output_nr = tensor._output_nr
        # Not held: node and output would keep each other alive, and so would leaf and accumulator.
        self._grad_fn = None if output_of is not None or self._was_leaf else tensor.grad_fn
        self._maker = None if output_of is None else weakref.ref(output_of)
        self._accumulator = tensor._accumulator
        if levels.entered and (tangent := tangents.tangent_of(tensor)) is not None:
            tangents.remember(self, 0, tangent)
        if detach:
            tensor = tensor.detach()
        version = tensor._storage.version
        with no_grad():
            self.packed = pack(tensor)
        if tensor._storage.version != version:
            raise RuntimeError(_PACK_CHANGES_INPUT)

    def read(self, node: Node) -> Tensor:
        """Return what the unpack hook returns, in the saved tensor's place in the graph.

        Raises TypeError if that is no tensor.
        """
        data = self.unpack_hook(self.packed)
        if not isinstance(data, Tensor):
            raise TypeError(
                "Output of saved tensor unpack_hook expected to be a Tensor but got result of "
                f"type {type_name(data)}"
            )
        tangent = getattr(self, "_tangents", {}).get(0)
        if not (self._requires_grad or data.requires_grad or tangent is not None):
            return data
        if self._was_leaf and self._requires_grad and data._array.dtype.kind != "f":
            raise RuntimeError(NO_GRAD_FOR_INTEGERS)
        # As in PyTorch, it shares the version counter of what the hook has returned.
        tensor = without_history(data)
        tensor._requires_grad = self._requires_grad
        if tangent is not None:
            tangents.attach(tensor, tangent)
        if self._was_leaf:
            tensor._accumulator = self._accumulator
        else:
            maker = self._maker() if self._maker is not None else self._grad_fn
            tensor._grad_fn, tensor._output_nr = maker or node, self._output_nr
        return tensor


def slots(
    node: Any, to_save: Sequence[Any], keep: Callable[[Any], Any], names: Sequence[str]
) -> list[Any]:
    """Return a node's slots for `to_save`, packed by the innermost hooks of this thread.

    `keep` makes the slot that a value has without hooks.
    """
    node.is_packed = True
    pair = entered.pairs[-1] if entered.pairs else None

    def slot(value: Any) -> Any:
        kept = keep(value)
        if pair is None or not isinstance(value, Tensor):
            return kept
        return PackedTensor(value, pair, None if kept._maker is None else kept._maker())

    return in_order(to_save, names, slot)


def unpacked(node: Any) -> tuple[Any, ...]:
    """Return the values of a node's slots, unpacked in the order in which they were packed."""

    def value(slot: Any) -> Any:
        return slot.read(node) if isinstance(slot, SavedTensor) else slot

    kept = [node._slot(position) for position in range(len(node._slots))]
    return tuple(in_order(kept, node._function.saved_names, value))


def in_order(values: Sequence[Any], names: Sequence[str], change: Callable[[Any], Any]) -> Any:
    """Return `change(value)` for each value, called for inputs by their names, then for outputs.

    This is the order in which PyTorch's operators pack what they save.
    """
    changed = list(values)
    for position in sorted(range(len(changed)), key=lambda at: _rank(at, names)):
        changed[position] = change(changed[position])
    return changed


def _rank(position: int, names: Sequence[str]) -> tuple[bool, str]:
    name = names[position] if position < len(names) else ""
    return name in _RESULTS, name


class RawSavedTensor:
    """One slot of a node, as PyTorch's `_raw_saved_…` attributes give it."""

    __module__, __qualname__ = "torch._C._autograd", "SavedTensor"

    _node: Any
    _position: int

    def __init__(self) -> None:
        raise RuntimeError("Trying to create a SavedTensor object from Python is forbidden.")

    @classmethod
    def of(cls, node: Any, position: int) -> RawSavedTensor:
        """Return the one that shows the slot of `node` at `position`."""
        raw = cls.__new__(cls)
        raw._node, raw._position = node, position
        return raw

    @property
    def _slot(self) -> Any:
        slot = self._node._slot(self._position)
        return slot if isinstance(slot, SavedTensor) else None

    @property
    def data(self) -> Any:
        """What is saved: the tensor, an output without its history, or what the pack hook gave."""
        slot = self._slot
        return slot.packed if isinstance(slot, PackedTensor) else getattr(slot, "tensor", None)

    @property
    def unpack_hook(self) -> Any:
        """The unpack hook; None without hooks."""
        return getattr(self._slot, "unpack_hook", None)

    def unpack(self) -> Any:
        """Return the tensor as backward will read it; None if none was saved."""
        slot = self._slot
        return None if slot is None else slot.read(self._node)

    def register_hooks(
        self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]
    ) -> None:
        """Pack this saved tensor now, and unpack it whenever it is read.

        Raises RuntimeError when it has hooks already, holds None, or has been freed.
        """
        check_callable(pack_hook, unpack_hook, "register_hooks", self)
        slot = self._slot
        if isinstance(slot, PackedTensor):
            raise RuntimeError(_ONCE)
        if slot is None or slot.tensor is None:
            raise RuntimeError(_NONE if slot is None else _FREED)
        # Changes in place so far are accepted, as those of packed tensors are.
        slot.version = slot.tensor._storage.version
        maker = slot._maker() if slot._maker is not None else None
        tensor = slot.tensor if maker is None else slot.read(self._node)
        packed = PackedTensor(tensor, (pack_hook, unpack_hook), maker, detach=True)
        self._node._links[len(self._node._output_nrs) + self._position] = packed
        self._node.is_packed = True


RawSavedTensor.__name__ = "SavedTensor"


def check_callable(
    pack_hook: Any, unpack_hook: Any, function: str, owner: RawSavedTensor | None = None
) -> None:
    """Raise TypeError unless both hooks can be called."""
    if not (callable(pack_hook) and callable(unpack_hook)):
        kind, shown = ("", "") if owner is None else (f"self: {_KIND}, ", f"{owner!r}, ")
        raise TypeError(
            f"{function}(): incompatible function arguments. The following argument types are "
            f"supported:\n    1. ({kind}arg0: collections.abc.Callable, arg1: "
            f"collections.abc.Callable) -> None\n\nInvoked with: {shown}{pack_hook!r}, "
            f"{unpack_hook!r}"
        )
