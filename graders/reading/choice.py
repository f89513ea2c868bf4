"""Which file counts when a student has handed in a lesson more than once.

Readable files come before unreadable ones, files with work in them before untouched copies, whole
files before damaged ones, notebooks before scripts; then the newest counts. Files saved within a
minute are equally new, because copying a folder makes such differences. Of these the last in the
natural order of names counts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graders.exercise import exercises_of
from graders.reading.cells import Cell, defines

SAME_TIME = 60.0
MOST_NAMED = 5


@dataclass(frozen=True)
class Candidate:
    """What is compared of one file."""

    name: str
    cells: Sequence[Cell]
    readable: bool
    modified: float
    damaged: bool = False


def chosen(lesson: str, candidates: Sequence[Candidate]) -> int:
    """The index in `candidates`, files of one student and `lesson`, of the one that counts."""
    ranks = [_rank(lesson, each) for each in candidates]
    best = [place for place, rank in enumerate(ranks) if rank == max(ranks)]
    newest = max(candidates[place].modified for place in best)
    recent = [place for place in best if candidates[place].modified > newest - SAME_TIME]
    return max(recent, key=lambda place: _natural(candidates[place].name))


def note(kept: str, others: Sequence[str]) -> str:
    """What to tell student and instructor about `others`, the files that do not count."""
    named = ", ".join(others[:MOST_NAMED])
    if len(others) > MOST_NAMED:
        named += f" and {len(others) - MOST_NAMED} more"
    return f"This lesson was handed in {len(others) + 1} times. {kept} counts; not graded: {named}."


def _rank(lesson: str, candidate: Candidate) -> tuple[bool, bool, bool, bool, bool]:
    name = candidate.name.lower()
    return (
        candidate.readable,
        candidate.readable and _has_work(lesson, candidate.cells),
        not candidate.damaged,
        ".ipynb" in name,
        "checkpoint" not in name,
    )


def _has_work(lesson: str, cells: Sequence[Cell]) -> bool:
    """Whether some exercise of `lesson` differs from its starter."""
    sources = [cell.code for cell in cells]
    return any(
        defines(code, each.symbol) and code.split() != each.starter.split()
        for each in exercises_of(lesson)
        for code in sources
    )


def _natural(name: str) -> list[tuple[int, str]]:
    """A sort key by which a name comes before its copy `(2)`, and that before `(10)`."""
    stem = re.sub(r"\.\w+$", "", name.casefold())
    parts = re.split(r"(\d+)", stem)
    return [(int(part), "") if place % 2 else (-1, part) for place, part in enumerate(parts)]
