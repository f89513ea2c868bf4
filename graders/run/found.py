"""What a run has found, in words: how much was graded, what was ignored, what does not count.

The ignored files are kept in the gradebook, so that every report made from it can name them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from graders.filenames import printable
from graders.gradebook import Entry
from graders.reading.submissions import MAX_IGNORED_NAMES, Ignored

FACT = "ignored"
MAX_NOTES = 10


@dataclass(frozen=True)
class IgnoredFiles:
    """How many files were ignored, and the first of their paths, relative to the folder graded."""

    count: int = 0
    names: tuple[str, ...] = ()

    @classmethod
    def of(cls, ignored: Ignored, top: Path) -> Self:
        """The files that were ignored below `top`."""
        shown = (
            path.relative_to(top) if path.is_relative_to(top) else path for path in ignored.paths
        )
        return cls(ignored.count, tuple(printable(path.as_posix()) for path in shown))

    @classmethod
    def joined(cls, by_folder: Mapping[str, Self]) -> Self:
        """The files that were ignored in several folders of submissions."""
        names = [name for each in by_folder.values() for name in each.names]
        count = sum(each.count for each in by_folder.values())
        return cls(count, tuple(names[:MAX_IGNORED_NAMES]))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """What `to_json` wrote; no files for any other text."""
        try:
            kept = json.loads(text)
            return cls(int(kept["count"]), tuple(str(name) for name in kept["names"]))
        except (ValueError, TypeError, KeyError):
            return cls()

    def to_json(self) -> str:
        """The files as text for the gradebook."""
        return json.dumps(asdict(self))

    def __str__(self) -> str:
        """A sentence about the files; empty when there are none."""
        if not self.count:
            return ""
        named = ", ".join(self.names)
        more = self.count - len(self.names)
        what = "1 file is" if self.count == 1 else f"{self.count} files are"
        return f"{what} no submission: {named}{f' and {more} more' if more else ''}."


def notes_of(entries: Iterable[Entry], failed: int = 0) -> list[str]:
    """What to print about the submissions found, of which the grader itself `failed` on some."""
    entries = list(entries)
    unreadable = sum(entry.problem != "" for entry in entries)
    graded = len(entries) - unreadable - failed
    notes = [f"Submissions found: {len(entries)}; graded: {graded}; unreadable: {unreadable}."]
    noted = [f"{each.student}: {each.note} ({each.lesson})" for each in entries if each.note]
    notes += noted[:MAX_NOTES]
    if len(noted) > MAX_NOTES:
        notes.append(f"… and {len(noted) - MAX_NOTES} more such notes, in the report.")
    return notes
