"""One lesson handed in more than once: which file counts.

One that can be read before one that cannot, one with work in it before an untouched copy, a whole
one before a damaged one, a notebook before a script; then the newest. Files saved within a minute
count as equally new, for copying a folder leaves such differences; of those the last in the natural
order of names counts.
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
    """What is known of one file when it is to be compared with another."""

    name: str
    cells: Sequence[Cell]
    readable: bool
    modified: float
    damaged: bool = False


def chosen(lesson: str, candidates: Sequence[Candidate]) -> int:
    """The place in `candidates`, files of one student and `lesson`, of the one that counts."""
    ranks = [_rank(lesson, each) for each in candidates]
    best = [place for place, rank in enumerate(ranks) if rank == max(ranks)]
    newest = max(candidates[place].modified for place in best)
    recent = [place for place in best if candidates[place].modified > newest - SAME_TIME]
    return max(recent, key=lambda place: _natural(candidates[place].name))


def note(kept: str, others: Sequence[str]) -> str:
    """What to tell student and instructor of `others`, files that do not count."""
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
    """Whether some exercise of `lesson` is more than its starter."""
    sources = [cell.code for cell in cells]
    return any(
        defines(code, each.symbol) and code.split() != each.starter.split()
        for each in exercises_of(lesson)
        for code in sources
    )


def _natural(name: str) -> list[tuple[int, str]]:
    """A key that sorts `(2)` after no number, and `(10)` after that."""
    stem = re.sub(r"\.\w+$", "", name.casefold())
    parts = re.split(r"(\d+)", stem)
    return [(int(part), "") if place % 2 else (-1, part) for place, part in enumerate(parts)]
