"""Which lesson a file belongs to: by its name, its cells' marks, or what the cells define."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable, Mapping

from graders.exercise import all_exercises
from graders.reading.cells import bound_names
from graders.reading.written import Written

LONGEST_NAME = 255  # of a file on a disk; in an archive it may be longer


@functools.cache
def exercise_ids() -> frozenset[str]:
    """The ids of all exercises."""
    return frozenset(each.id for each in all_exercises())


@functools.cache
def _symbols() -> dict[str, str]:
    """The symbol of each exercise."""
    return {each.id: each.symbol for each in all_exercises()}


class Lessons:
    """The lessons that are graded, each with its exercises' ids."""

    def __init__(self, known: Mapping[str, Iterable[str]] | None = None) -> None:
        """`known` maps lessons to ids of exercises; by default it has all lessons."""
        if known is None:
            found: dict[str, list[str]] = {}
            for each in all_exercises():
                found.setdefault(each.lesson, []).append(each.id)
            known = found
        self._ids = {name: frozenset(ids) for name, ids in known.items()}
        self._patterns = {name: _pattern(name) for name in self._ids}

    @property
    def names(self) -> list[str]:
        """The lessons' names, in order."""
        return sorted(self._ids)

    def named(self, stem: str) -> str:
        """The lesson that a file is named after, also with what downloads add to a name; or ""."""
        plain = unicodedata.normalize("NFKC", stem[:LONGEST_NAME]).lower()
        plain = re.sub(r"[^0-9a-z]+", "_", plain)
        fitting = [name for name, pattern in self._patterns.items() if pattern.search(plain)]
        return fitting[0] if len(fitting) == 1 else ""

    def inside(self, cells: Iterable[Written]) -> str:
        """The lesson that most of the exercises in `cells` belong to; empty if that is unclear."""
        cells = list(cells)
        marked = {cell.exercise for cell in cells} - {None}
        counts = {name: len(ids & marked) for name, ids in self._ids.items()}
        if not any(counts.values()):
            counts = self._weights_of_symbols(cells)
        most = max(counts.values(), default=0)
        best = [name for name, count in counts.items() if count == most]
        return best[0] if most and len(best) == 1 else ""

    def _weights_of_symbols(self, cells: Iterable[Written]) -> dict[str, int]:
        """How strongly the names that `cells` bind point to each lesson.

        A class such as `LogSin` is enough; a lower-case name such as `slope` may be any variable,
        and counts only together with another.
        """
        bound: set[str] = set()
        for cell in cells:
            bound |= bound_names(cell.source)
        weights = dict.fromkeys(self._ids, 0)
        for name, ids in self._ids.items():
            for symbol in (_symbols().get(id, "") for id in ids):
                if symbol in bound:
                    weights[name] += 1 if symbol.islower() else 2
        return {name: weight if weight > 1 else 0 for name, weight in weights.items()}


def _pattern(lesson: str) -> re.Pattern[str]:
    named = re.escape(lesson.lower())
    return re.compile(rf"(?<!\d){named}(?=_|v?\d|final|$)")
