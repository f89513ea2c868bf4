"""The gradebook: what was graded, when, on which inputs, kept so that a killed run loses nothing.

One SQLite file in WAL mode. The *roster* names the submissions that the last run found; a *grading*
is one submission's verdicts, written in one transaction and keyed by the submission's content and
the version of the exercise set. Gradings of earlier contents and versions stay. Every report is
made from here alone.
"""

from __future__ import annotations

import errno
import json
import os
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Self

from graders.verdict import Verdict

FORMAT = 1

SCHEMA = """
CREATE TABLE IF NOT EXISTS fact (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS roster (
    student TEXT NOT NULL,
    lesson TEXT NOT NULL,
    path TEXT NOT NULL,
    digest TEXT NOT NULL,
    problem TEXT NOT NULL,
    exercise_set TEXT NOT NULL,
    PRIMARY KEY (student, lesson, path)
);
CREATE TABLE IF NOT EXISTS grading (
    student TEXT NOT NULL,
    lesson TEXT NOT NULL,
    path TEXT NOT NULL,
    digest TEXT NOT NULL,
    exercise_set TEXT NOT NULL,
    verdicts TEXT NOT NULL,
    seed INTEGER NOT NULL,
    seconds REAL NOT NULL,
    isolation TEXT NOT NULL,
    limits TEXT NOT NULL,
    graded_at TEXT NOT NULL,
    PRIMARY KEY (student, lesson, path, digest, exercise_set)
);
"""

LIMIT_STATUSES = frozenset({"timeout", "memory_limit"})


class GradebookError(Exception):
    """The gradebook cannot be used; the message says why and what to do."""


@dataclass(frozen=True, order=True)
class Entry:
    """One line of the roster: a file that somebody handed in."""

    student: str
    lesson: str
    path: str
    digest: str
    exercise_set: str
    problem: str = ""

    @property
    def key(self) -> tuple[str, str, str, str, str]:
        """What a grading of this entry is filed under."""
        return self.student, self.lesson, self.path, self.digest, self.exercise_set


@dataclass(frozen=True)
class Grading:
    """The verdicts on one entry and the circumstances in which they were reached.

    No `isolation` means that nothing of the submission ran: it is unreadable, or the grader failed.
    """

    entry: Entry
    verdicts: tuple[Verdict, ...]
    seed: int
    seconds: float
    isolation: str
    limits: Mapping[str, float] = field(default_factory=dict)

    @property
    def hit_a_limit(self) -> bool:
        """Whether other limits could have led to other verdicts."""
        return any(verdict.status in LIMIT_STATUSES for verdict in self.verdicts)


class Gradebook:
    """The open gradebook of one run; a context manager.

    Only one process holds it at a time: the lock is SQLite's own, so it ends with the process,
    however that ends.
    """

    def __init__(self, path: Path, wait: float = 5.0) -> None:
        """Open or create `path`, waiting up to `wait` seconds for another run to end.

        Raises GradebookError when the folder cannot be written, the file is damaged or of a newer
        format, or another run still holds it.
        """
        self.path = path
        with self._explained():
            path.parent.mkdir(parents=True, exist_ok=True)
            for needed in (path.parent, path):
                if needed.exists() and not os.access(needed, os.W_OK):
                    raise PermissionError(errno.EACCES, f"{needed.name} is read-only")
            self._database = sqlite3.connect(path, timeout=wait, isolation_level=None)
        try:
            with self._explained():
                self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
                self._database.execute("PRAGMA journal_mode = WAL")
                self._database.execute("PRAGMA synchronous = NORMAL")
                with self._transaction():
                    for statement in SCHEMA.split(";"):
                        self._database.execute(statement)
                self._check_format()
        except BaseException:
            self._database.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release the file. Everything recorded is already on disk."""
        self._database.close()

    def seed(self, wanted: int | None = None) -> int:
        """The seed of this gradebook's runs: `wanted`, else the last one used, else a fresh one.

        Kept, so that the same command after an interruption draws the same inputs.
        """
        kept = self._fact("seed")
        if wanted is None:
            wanted = int(kept) if kept is not None else secrets.randbelow(2**31)
        self._set_fact("seed", str(wanted))
        return wanted

    def enroll(self, entries: Iterable[Entry]) -> None:
        """Make `entries` the roster, in one transaction. Gradings are untouched."""
        rows = [(e.student, e.lesson, e.path, e.digest, e.problem, e.exercise_set) for e in entries]
        with self._explained(), self._transaction():
            self._database.execute("DELETE FROM roster")
            self._database.executemany("INSERT INTO roster VALUES (?, ?, ?, ?, ?, ?)", rows)

    def record(self, grading: Grading) -> None:
        """Keep one submission's verdicts, all or none of them.

        Raises GradebookError when they cannot be written; what was recorded before stays.
        """
        verdicts = json.dumps([verdict.to_json() for verdict in grading.verdicts])
        limits = json.dumps(dict(grading.limits), sort_keys=True)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        row = (
            *grading.entry.key,
            verdicts,
            grading.seed,
            grading.seconds,
            grading.isolation,
            limits,
            now,
        )
        with self._explained(), self._transaction():
            self._database.execute(
                "INSERT OR REPLACE INTO grading VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row
            )

    def grading(self, entry: Entry) -> Grading | None:
        """What is kept for `entry`, as handed in and asked now; None when it must be graded.

        A row that cannot be read counts as absent: the submission is then graded again.
        """
        with self._explained():
            row = self._database.execute(
                "SELECT verdicts, seed, seconds, isolation, limits FROM grading WHERE student = ?"
                " AND lesson = ? AND path = ? AND digest = ? AND exercise_set = ?",
                entry.key,
            ).fetchone()
        if row is None:
            return None
        try:
            verdicts = tuple(Verdict.from_json(item) for item in json.loads(row[0]))
            limits = json.loads(row[4])
        except (ValueError, TypeError, KeyError, AttributeError):
            return None
        return Grading(entry, verdicts, row[1], row[2], row[3], limits)

    def is_current(self, entry: Entry, seed: int, limits: Mapping[str, float]) -> bool:
        """Whether grading `entry` with this seed and these limits could only say the same."""
        kept = self.grading(entry)
        if kept is None or kept.seed != seed or not kept.isolation:
            return False
        return not kept.hit_a_limit or dict(kept.limits) == dict(limits)

    def roster(self) -> list[Entry]:
        """The submissions that the last run found, in order of student, lesson and path."""
        with self._explained():
            rows = self._database.execute(
                "SELECT student, lesson, path, digest, exercise_set, problem FROM roster"
            ).fetchall()
        return sorted(Entry(*row) for row in rows)

    def results(self) -> list[Grading]:
        """The gradings of the roster, in its order; entries not yet graded are left out."""
        gradings = (self.grading(entry) for entry in self.roster())
        return [grading for grading in gradings if grading is not None]

    def _check_format(self) -> None:
        kept = self._fact("format")
        if kept is None:
            self._set_fact("format", str(FORMAT))
        elif kept != str(FORMAT):
            raise GradebookError(
                f"{self.path} was written by another version of autograd-lessons (format {kept};"
                f" this one writes {FORMAT}). Choose another --out folder; the old one stays."
            )

    def _fact(self, name: str) -> str | None:
        with self._explained():
            row = self._database.execute(
                "SELECT value FROM fact WHERE name = ?", (name,)
            ).fetchone()
        return None if row is None else str(row[0])

    def _set_fact(self, name: str, value: str) -> None:
        with self._explained(), self._transaction():
            self._database.execute("INSERT OR REPLACE INTO fact VALUES (?, ?)", (name, value))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._database.execute("COMMIT")
        except BaseException:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            raise

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise GradebookError(
                f"Cannot write to {self.path.parent}: {error.strerror or error}."
                " Choose a folder that you may write to with --out."
            ) from error
        except sqlite3.DatabaseError as error:
            raise GradebookError(_explanation(self.path, error)) from error


def derived_seed(seed: int, student: str, lesson: str, digest: str) -> int:
    """A submission's own seed, decided by the run's `seed` and the submission alone.

    Inputs differ between submissions, so nobody gains by copying another's recorded answers; and
    they do not depend on whether a run was interrupted or in which order it went.
    """
    text = json.dumps([seed, student, lesson, digest])
    return int.from_bytes(sha256(text.encode()).digest()[:6])


def _explanation(path: Path, error: sqlite3.DatabaseError) -> str:
    text = str(error)
    if "locked" in text:
        return (
            f"Another run is writing to {path}. Wait until it has ended,"
            " or choose another --out folder."
        )
    if "readonly" in text or "unable to open" in text:
        return (
            f"Cannot write {path}: the file or its folder is read-only."
            " Choose a folder that you may write to with --out."
        )
    if "full" in text or "disk I/O" in text:
        return (
            f"Cannot write {path}: {text}. What was graded before is kept;"
            " make room and run the same command again."
        )
    return (
        f"{path} is damaged or not a gradebook ({text})."
        " Move it away and run the same command again: everything is then graded anew."
    )
