"""The memory lane in a story: storages with their versions, names that point there, saved slots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lessons.widgets.stepper import values
from lessons.widgets.stepper.acts import Act, Changed, Freed, Kept, Named, Retold, Spot


class Lane:
    """The memory lane of one story: what is in it, and the changes that steps make to it."""

    SHOWN = 10

    def __init__(self, acts: Sequence[Act], start: Mapping[Spot, tuple[Any, Any, Any]]) -> None:
        self._start = start
        named = [act for act in acts if isinstance(act, Named) and act.name()]
        kept = [act for act in acts if isinstance(act, Kept)]
        used = {act.storage for act in named} | {act.storage for act in kept}
        met = [act.storage for act in acts if isinstance(act, Named | Kept)]
        wanted = [each for each in dict.fromkeys(met) if each in used]
        self.left_out = max(len(wanted) - self.SHOWN, 0)
        self._storages = set(wanted[: self.SHOWN])
        self._names: dict[int, str] = {}
        names = [act for act in named if act.storage in self._storages]
        self._names = {id(act): f"m{place}" for place, act in enumerate(names)}
        self._slots = {act.slot: act for act in kept if act.storage in self._storages}
        self.parts = {
            "names": [{"id": self._names[id(act)], "name": act.name()} for act in names],
            "storages": [{"id": each} for each in wanted[: self.SHOWN]],
            "slots": [
                {"id": each.slot, "owner": _owner(each.owner), "name": each.name}
                for each in self._slots.values()
            ],
        }
        self._there: set[str] = set()
        self._alive: dict[str, Kept] = {}
        self._stale: set[str] = set()

    def fresh(self) -> Lane:
        """Return the lane as it is before the first step."""
        self._there, self._alive, self._stale = set(), {}, set()
        return self

    def value_at(self, spot: Spot) -> tuple[Any, Any] | None:
        """Return value and version that a leaf or constant has when it appears."""
        known = self._start.get(spot)
        return None if known is None else known[:2]

    def grad_at(self, spot: Spot) -> Any:
        """Return the `.grad` that a leaf has when it appears."""
        known = self._start.get(spot)
        return None if known is None else known[2]

    def _show(self, storage: str, numbers: Any, version: int, change: Any) -> None:
        if storage in self._there:
            return
        self._there.add(storage)
        cells, hidden = values.cells(numbers)
        change("storages", storage, shown=True, values=cells, hidden=hidden, version=str(version))

    def tell_name(self, act: Named, change: Any) -> None:
        """A name points to memory."""
        key = self._names.get(id(act))
        if key is None:
            return
        self._show(act.storage, act.values, act.version, change)
        change("names", key, shown=True, storage=act.storage, says=act.says)

    def tell_name_again(self, act: Retold, change: Any) -> None:
        """What is said beside a name has become another."""
        key = self._names.get(id(act.named))
        if key is not None:
            change("names", key, says=act.says)

    def tell_slot(self, act: Kept, change: Any) -> None:
        """A slot holds memory at a version."""
        if act.slot not in self._slots:
            return
        self._show(act.storage, act.values, act.version, change)
        self._alive[act.slot] = act
        shown = {"shown": True, "storage": act.storage, "version": str(act.version)}
        change("slots", act.slot, **shown, stale=False, freed=False)

    def tell_change(self, act: Changed, change: Any) -> list[str]:
        """Memory has changed; return the owners of the slots that have become stale by it."""
        if act.storage not in self._there:
            return []
        news: dict[str, Any] = {"version": str(act.version)}
        if act.values is not None:
            news["values"], news["hidden"] = values.cells(act.values)
        change("storages", act.storage, **news)
        stale = []
        for key, kept in self._alive.items():
            if kept.storage == act.storage and kept.version != act.version:
                change("slots", key, stale=True)
                if key not in self._stale:
                    stale.append(_owner(kept.owner))
                self._stale.add(key)
        return list(dict.fromkeys(stale))

    def tell_freed(self, act: Freed, change: Any) -> None:
        """All slots of an operation are empty."""
        for key, kept in list(self._alive.items()):
            if kept.owner is act.owner:
                change("slots", key, freed=True, stale=False)
                del self._alive[key]


def _owner(spot: Spot) -> str:
    return spot.function or spot.name
