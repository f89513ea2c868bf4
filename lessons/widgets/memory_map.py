"""Which tensors share which memory, with their version counters, and what graphs have saved.

Reading this leaves no trace in the tensors.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograd_core import Tensor
from autograd_core.drawing.traced_graph import NOTHING_SAVED, in_data_order
from autograd_core.graph import looking
from lessons.widgets.stepper.looking import maker_of, version_of

VALUES_SHOWN = 6
SLOTS_SHOWN = 8
MEMORIES_SHOWN = 12


@dataclass(frozen=True)
class Name:
    """The name that the learner gave a tensor, and a description of the tensor."""

    name: str
    says: str


@dataclass(frozen=True)
class Slot:
    """What one function has saved of one memory, and the version it was saved at."""

    function: str
    parts: tuple[str, ...]
    version: int
    stale: bool

    @property
    def says(self) -> str:
        """What was saved, and when."""
        parts = ", ".join(part for part in self.parts if part)
        return f"saved {parts} at version {self.version}".replace("  ", " ")


@dataclass
class Counter:
    """A version counter, the names of its tensors, and the saved slots that are compared with it.

    `version` is None for inference tensors, which have no version counter.
    """

    version: int | None
    names: list[Name] = field(default_factory=list)
    slots: list[Slot] = field(default_factory=list)


@dataclass
class Memory:
    """A piece of memory. It has several counters when `.data` gave it a second one."""

    label: str
    values: list[str]
    hidden: int
    kind: str
    counters: list[Counter]


@dataclass
class MemoryMap:
    """All memories, those with names first, and notes about what is not drawn."""

    memories: list[Memory]
    notes: list[str]


def read_memory(tensors: Mapping[str, Any]) -> MemoryMap:
    """Read which storages the tensors and their recorded graphs use.

    Raises TypeError when a value is not a tensor.
    """
    for name, tensor in tensors.items():
        if not isinstance(tensor, Tensor):
            raise TypeError(f"memory() shows tensors, but {name} is a {type(tensor).__name__}")
    users = _Users()
    for name, tensor in tensors.items():
        users.counter(tensor).names.append(Name(name, _says(tensor, tensors)))
    makers = [maker_of(tensor) for tensor in tensors.values()]
    roots = [maker for maker in makers if maker is not None]
    freed: list[str] = []
    packed: list[str] = []
    for node in in_data_order(roots):
        kept = [slot for slot in node.saved_slots if slot.tensor is not None]
        for slot in node.saved_slots:
            if slot.tensor is None:
                (freed if slot.freed else packed).append(_called(node))
        for slot, parts in _merged(kept):
            users.counter(slot.tensor).slots.append(
                Slot(_called(node), parts, slot.version, slot.is_stale)
            )
    memories = users.memories()
    notes = []
    if freed:
        notes.append(f"Freed by backward: what {_listed(freed)} had saved.")
    if packed:
        notes.append(f"Packed by hooks, and not shown: what {_listed(packed)} has saved.")
    if (
        not (freed or packed)
        and roots
        and not any(c.slots for memory in memories for c in memory.counters)
    ):
        notes.append(NOTHING_SAVED)
    if len(memories) > MEMORIES_SHOWN:
        notes.append(f"{len(memories) - MEMORIES_SHOWN} more memories are not shown.")
    for memory in memories[:MEMORIES_SHOWN]:
        for counter in memory.counters:
            if len(counter.slots) > SLOTS_SHOWN:
                more = len(counter.slots) - SLOTS_SHOWN
                notes.append(f"{more} more slots hold memory {memory.label}.")
                stale_first = sorted(counter.slots, key=lambda slot: not slot.stale)
                counter.slots = stale_first[:SLOTS_SHOWN]
    return MemoryMap(memories[:MEMORIES_SHOWN], notes)


def _says(tensor: Any, tensors: Mapping[str, Any]) -> str:
    parts = []
    if tensor._base is not None:
        bases = [name for name, other in tensors.items() if other is tensor._base]
        parts.append(f"view of {bases[0]}" if bases else "view")
    try:
        maker = looking.maker_of(tensor)
    except RuntimeError:
        parts.append("grad_fn raises")
    else:
        parts.append("leaf" if maker is None else f"made by {_called(maker)}")
        if maker is None and tensor.requires_grad:
            parts.append("requires grad")
    return ", ".join([*parts, f"shape {tuple(tensor.shape)}"])


def _listed(names: list[str]) -> str:
    return ", ".join(dict.fromkeys(names))


def _called(node: Any) -> str:
    """A node's name without its C++ namespace."""
    return str(node.name()).rpartition("::")[2]


def _merged(slots: list[Any]) -> list[tuple[Any, tuple[str, ...]]]:
    """One entry for each storage and version that a function has saved, with all its names."""
    entries: dict[tuple[int, int], tuple[Any, tuple[str, ...]]] = {}
    for slot in slots:
        key = id(looking.storage_of(slot.tensor)), slot.version
        first, names = entries.get(key, (slot, ()))
        entries[key] = first, (*names, slot.name)
    return list(entries.values())


class _Users:
    """Collects storages in the order in which they are met, each with its largest known tensor."""

    def __init__(self) -> None:
        self._storages: dict[int, tuple[Any, Counter]] = {}
        self._widest: dict[int, Any] = {}

    def counter(self, tensor: Any) -> Counter:
        storage = looking.storage_of(tensor)
        key = id(storage)
        if key not in self._storages:
            self._storages[key] = storage, Counter(version_of(tensor))
        for candidate in (tensor._base, tensor):
            known = self._widest.get(key)
            if candidate is not None and (known is None or _size(candidate) > _size(known)):
                self._widest[key] = candidate
        return self._storages[key][1]

    def memories(self) -> list[Memory]:
        shared: dict[object, list[int]] = {}
        for key, (storage, _) in self._storages.items():
            # Empty storages and single numbers are never shared, whatever their address.
            is_array = isinstance(storage.data, np.ndarray) and storage.nbytes()
            place = storage.data_ptr() if is_array else ("apart", key)
            shared.setdefault(place, []).append(key)
        return [self._memory(_letters(number), keys) for number, keys in enumerate(shared.values())]

    def _memory(self, label: str, keys: list[int]) -> Memory:
        storage, _ = self._storages[keys[0]]
        tensor = max((self._widest[key] for key in keys), key=_size)
        values = [_number(value) for value in _flat(tensor.tolist())]
        shown = len(values) if len(values) <= VALUES_SHOWN + 1 else VALUES_SHOWN
        dtype = str(tensor.dtype).rpartition(".")[2]
        kind = f"{dtype}, {storage.nbytes()} bytes"
        counters = [self._storages[key][1] for key in keys]
        return Memory(label, values[:shown], len(values) - shown, kind, counters)


def _size(tensor: Any) -> int:
    return math.prod(tensor.shape)


def _flat(values: Any) -> list[Any]:
    """The numbers of nested lists in the order of memory."""
    level = values if isinstance(values, list) else [values]
    while level and isinstance(level[0], list):
        level = [value for inner in level for value in inner]
    return level


def _number(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _letters(number: int) -> str:
    """A, B, …, Z, AA, AB, … as spreadsheets count."""
    text = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, 26)
        text = chr(ord("A") + digit) + text
    return text
