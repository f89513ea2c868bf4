"""The memory lane: which names share which storage, and what the graph has kept of it.

Storages are lettered ids in the order in which they are met. A storage belongs to the story when a
name or a saved slot points to it.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from autograd_core import Tensor
from autograd_core.graph import looking
from autograd_core.saved_tensor import without_history
from lessons.widgets.stepper.acts import Act, Changed, Freed, Kept, Named, Retold, Spot
from lessons.widgets.stepper.frames import Names
from lessons.widgets.stepper.local import name_of
from lessons.widgets.stepper.looking import array, version_of


class Memory:
    """Notes what happens in memory; learns the names when the story is told."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._ids: dict[int, str] = {}
        self._slots = 0
        self._held: list[Any] = []
        self._seen: set[int] = set()
        self._told: list[tuple[Tensor, Named, str]] = []
        self._whole: dict[int, Tensor] = {}

    def storage(self, tensor: Tensor) -> str:
        """Return the id of the memory of a tensor."""
        return self._id(looking.storage_of(tensor), tensor)

    def _id(self, storage: Any, tensor: Tensor | None = None) -> str:
        if id(storage) not in self._ids:
            self._ids[id(storage)] = f"s{len(self._ids)}"
            self._held.append(storage)
        if tensor is not None:
            known = self._whole.get(id(storage))
            if known is None or tensor.numel() > known.numel():
                self._whole[id(storage)] = without_history(tensor)
        return self._ids[id(storage)]

    def seen(self, tensor: Tensor) -> list[Act]:
        """A tensor is there: if it ever gets a name, the name points to its memory from now on."""
        version = version_of(tensor)
        if id(tensor) in self._seen or version is None:
            return []
        self._seen.add(id(tensor))
        self._held.append(tensor)
        storage, says = self.storage(tensor), _says(tensor)
        name = partial(self._names.of, tensor)
        named = Named(name, storage, says, array(tensor), version)
        self._told.append((tensor, named, says))
        return [named]

    def kept(self, node: Any, owner: Spot) -> list[Act]:
        """A node keeps tensors for backward."""
        acts: list[Act] = []
        for slot in node.saved_slots:
            if slot.tensor is None:
                continue
            name = slot.name
            acts.append(
                Kept(
                    f"k{self._slots}",
                    owner,
                    name,
                    self.storage(slot.tensor),
                    slot.version,
                    array(slot.tensor),
                )
            )
            self._slots += 1
            if slot.is_stale:
                acts.append(Changed(self.storage(slot.tensor), None, slot.tensor._version))
        return acts

    def changed(self, storage: Any, version: int) -> list[Act]:
        """Memory was changed in place; its tensors may have other makers by that."""
        if id(storage) not in self._ids:
            return []
        whole = self._whole.get(id(storage))
        numbers = None if whole is None else array(without_history(whole))
        acts: list[Act] = [Changed(self._ids[id(storage)], numbers, version)]
        for place, (tensor, named, before) in enumerate(self._told):
            if named.storage == self._ids[id(storage)] and (says := _says(tensor)) != before:
                self._told[place] = (tensor, named, says)
                acts.append(Retold(named, says))
        return acts

    def freed(self, owner: Spot) -> list[Act]:
        """A node has let go of what it kept."""
        return [Freed(owner)]


def _says(tensor: Tensor) -> str:
    parts = []
    if tensor._is_view():
        parts.append("view")
    try:
        maker: Any = looking.maker_of(tensor)
    except RuntimeError:
        return ", ".join([*parts, "grad_fn raises"])
    if maker is None:
        parts.append("leaf, requires grad" if tensor.requires_grad else "no history")
    else:
        parts.append(f"made by {name_of(maker)}")
    return ", ".join(parts)
