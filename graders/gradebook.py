"""The gradebook: what was graded, when, on which inputs, kept so that a killed run loses nothing.

One SQLite file in WAL mode. The *roster* names the submissions that runs have found; a *grading* is
one submission's verdicts, written in one transaction and keyed by the submission's content and the
edition of its exercises; an *override* is what an instructor set by hand. Gradings of earlier
contents and editions stay, and so do those of students who are gone. Every report is made from here
alone.
"""

from __future__ import annotations

import errno
import json
import os
import sqlite3
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from graders.overrides import Override, Overrides, overridden
from graders.verdict import Verdict

FORMAT = 2

FACTS = "CREATE TABLE IF NOT EXISTS fact (name TEXT PRIMARY KEY, value TEXT NOT NULL)"

SCHEMA = """
CREATE TABLE IF NOT EXISTS roster (
    student TEXT NOT NULL,
    lesson TEXT NOT NULL,
    path TEXT NOT NULL,
    digest TEXT NOT NULL,
    problem TEXT NOT NULL,
    exercise_set TEXT NOT NULL,
    wording TEXT NOT NULL,
    seen INTEGER NOT NULL,
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
    wording TEXT NOT NULL,
    run INTEGER NOT NULL,
    PRIMARY KEY (student, lesson, path, digest, exercise_set)
);
CREATE TABLE IF NOT EXISTS override (
    student TEXT NOT NULL,
    exercise TEXT NOT NULL,
    points REAL NOT NULL,
    reason TEXT NOT NULL,
    made_at TEXT NOT NULL,
    PRIMARY KEY (student, exercise)
);
"""

SINCE_FORMAT_1 = """
ALTER TABLE roster ADD COLUMN wording TEXT NOT NULL DEFAULT '';
ALTER TABLE roster ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;
ALTER TABLE grading ADD COLUMN wording TEXT NOT NULL DEFAULT '';
ALTER TABLE grading ADD COLUMN run INTEGER NOT NULL DEFAULT 0;
"""

WAIT = 5.0
LIMIT_STATUSES = frozenset({"timeout", "memory_limit"})


class GradebookError(Exception):
    """The gradebook cannot be used; the message says why and what to do."""


@dataclass(frozen=True, order=True)
class Entry:
    """One line of the roster: a file that somebody handed in, and what was asked of it.

    `exercise_set` and `wording` are the editions of `graders.edition`; `problem` says why the file
    could not be read, `note` what else there is to know of it.
    """

    student: str
    lesson: str
    path: str
    digest: str
    exercise_set: str
    problem: str = ""
    wording: str = ""
    note: str = field(default="", compare=False)

    @property
    def key(self) -> tuple[str, str, str, str, str]:
        """What a grading of this entry is filed under."""
        return self.student, self.lesson, self.path, self.digest, self.exercise_set


@dataclass(frozen=True)
class Grading:
    """The verdicts on one entry and the circumstances in which they were reached.

    No `isolation` means that nothing of the submission ran: it is unreadable, or the grader failed.
    `run` is the number of the run that reached them, filled in by the gradebook.
    """

    entry: Entry
    verdicts: tuple[Verdict, ...]
    seed: int
    seconds: float
    isolation: str
    limits: Mapping[str, float] = field(default_factory=dict)
    run: int = field(default=0, compare=False)

    @property
    def hit_a_limit(self) -> bool:
        """Whether other limits could have led to other verdicts."""
        return any(verdict.status in LIMIT_STATUSES for verdict in self.verdicts)


class Gradebook:
    """The open gradebook of one run; a context manager.

    Only one process holds it at a time: the lock is SQLite's own, so it ends with the process,
    however that ends.
    """

    def __init__(self, path: Path, wait: float | None = None) -> None:
        """Open or create `path`, waiting up to `wait` seconds (WAIT) for another run to end.

        Raises GradebookError when the folder cannot be written, the file is damaged or of a newer
        format, or another run still holds it.
        """
        self.path = path
        with self._explained():
            path.parent.mkdir(parents=True, exist_ok=True)
            for needed in (path.parent, path):
                if needed.exists() and not os.access(needed, os.W_OK):
                    raise PermissionError(errno.EACCES, f"{needed.name} is read-only")
            self._database = sqlite3.connect(
                path, timeout=WAIT if wait is None else wait, isolation_level=None
            )
        try:
            with self._explained():
                self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
                self._database.execute("PRAGMA journal_mode = WAL")
                self._database.execute("PRAGMA synchronous = NORMAL")
                self._prepare()
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

    def used_seeds(self) -> set[int]:
        """The seeds on whose inputs anything in here was found."""
        with self._explained():
            rows = self._database.execute("SELECT DISTINCT seed FROM grading").fetchall()
        return {row[0] for row in rows}

    def note(self, name: str, value: str) -> None:
        """Keep `value` under `name` until another is."""
        self._set_fact(name, value)

    def noted(self, name: str) -> str:
        """What `note` kept under `name`; empty when it kept nothing."""
        return self._fact(name) or ""

    def begin(self, request: str) -> int:
        """Begin a run that is asked for `request`, or go on with one; the number to count from.

        Whatever runs of that number and later have found was found for this request.
        """
        run = int(self._fact("runs") or 0) + 1
        since, _, unfinished = (self._fact("unfinished") or "").partition(" ")
        if since and unfinished == request:
            return int(since)
        self._set_fact("unfinished", f"{run} {request}")
        return run

    def finish(self) -> None:
        """Note that everything that was asked for is done."""
        self._set_fact("unfinished", "")

    def enroll(self, entries: Iterable[Entry]) -> None:
        """Make `entries` the roster, in one transaction. What was there is kept as absent."""
        run, entries = int(self._fact("runs") or 0) + 1, list(entries)
        rows = [
            (e.student, e.lesson, e.path, e.digest, e.problem, e.exercise_set, e.wording, run)
            for e in entries
        ]
        notes = json.dumps({entry.path: entry.note for entry in entries if entry.note})
        with self._explained(), self._transaction():
            self._database.execute("INSERT OR REPLACE INTO fact VALUES ('runs', ?)", (str(run),))
            self._database.execute("INSERT OR REPLACE INTO fact VALUES ('notes', ?)", (notes,))
            self._database.executemany(
                "INSERT OR REPLACE INTO roster (student, lesson, path, digest, problem,"
                " exercise_set, wording, seen) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                rows,
            )

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
            grading.entry.wording,
            int(self._fact("runs") or 0),
        )
        with self._explained(), self._transaction():
            self._database.execute(
                "INSERT OR REPLACE INTO grading (student, lesson, path, digest, exercise_set,"
                " verdicts, seed, seconds, isolation, limits, graded_at, wording, run)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                row,
            )

    def reword(self, entry: Entry, verdicts: Iterable[Verdict]) -> None:
        """Put `verdicts`, in the wording of `entry`, in the place of those kept for it."""
        written = json.dumps([verdict.to_json() for verdict in verdicts])
        with self._explained(), self._transaction():
            self._database.execute(
                "UPDATE grading SET verdicts = ?, wording = ? WHERE student = ? AND lesson = ?"
                " AND path = ? AND digest = ? AND exercise_set = ?",
                (written, entry.wording, *entry.key),
            )

    def grading(self, entry: Entry) -> Grading | None:
        """What is kept for `entry`, as handed in and asked now; None when it must be graded.

        Its own entry has the wording that its verdicts have. A row that cannot be read counts as
        absent: the submission is then graded again.
        """
        with self._explained():
            row = self._database.execute(
                "SELECT verdicts, seed, seconds, isolation, limits, wording, run FROM grading"
                " WHERE student = ? AND lesson = ? AND path = ? AND digest = ?"
                " AND exercise_set = ?",
                entry.key,
            ).fetchone()
        if row is None:
            return None
        try:
            verdicts = tuple(Verdict.from_json(item) for item in json.loads(row[0]))
            limits = json.loads(row[4])
        except (ValueError, TypeError, KeyError, AttributeError):
            return None
        entry = replace(entry, wording=row[5])
        return Grading(entry, verdicts, row[1], row[2], row[3], limits, row[6])

    def roster(self, with_absent: bool = False) -> list[Entry]:
        """The submissions that the last run found, in order of student, lesson and path.

        `with_absent` adds the last ones of students of whom it found nothing.
        """
        runs = int(self._fact("runs") or 0)
        with self._explained():
            rows = self._database.execute(
                "SELECT student, lesson, path, digest, exercise_set, problem, wording FROM roster"
                " WHERE seen = CASE ? WHEN 0 THEN ? ELSE"
                " (SELECT MAX(seen) FROM roster AS own WHERE own.student = roster.student) END",
                (with_absent, runs),
            ).fetchall()
        notes = json.loads(self._fact("notes") or "{}")
        return sorted(replace(Entry(*row), note=notes.get(row[2], "")) for row in rows)

    def absent_students(self) -> list[str]:
        """Those of whom earlier runs found something, and the last one nothing."""
        present = {entry.student for entry in self.roster()}
        return sorted({entry.student for entry in self.roster(with_absent=True)} - present)

    def results(self, with_absent: bool = False) -> list[Grading]:
        """The gradings of the roster, in its order, with the overrides.

        Entries not yet graded are left out. The verdicts are without what they rest on, and equal
        ones are one object: a class has many.
        """
        overrides = self.overrides()
        known: dict[Hashable, Any] = {}
        return [
            _with_overrides(_slim(grading, known), overrides)
            for entry in self.roster(with_absent)
            if (grading := self.grading(entry)) is not None
        ]

    def overrides(self) -> Overrides:
        """What was set by hand, by student and exercise, in their order."""
        with self._explained():
            rows = self._database.execute(
                "SELECT student, exercise, points, reason, made_at FROM override"
                " ORDER BY student, exercise"
            ).fetchall()
        return {(row[0], row[1]): Override(*row) for row in rows}

    def override(self, override: Override) -> None:
        """Set points by hand, in the place of what was set before."""
        now = override.made_at or datetime.now(UTC).isoformat(timespec="seconds")
        row = (override.student, override.exercise, override.points, override.reason, now)
        with self._explained(), self._transaction():
            self._database.execute("INSERT OR REPLACE INTO override VALUES (?, ?, ?, ?, ?)", row)

    def remove_override(self, student: str, exercise: str) -> None:
        """Forget what was set by hand, if anything was: what was found counts again."""
        with self._explained(), self._transaction():
            self._database.execute(
                "DELETE FROM override WHERE student = ? AND exercise = ?", (student, exercise)
            )

    def _prepare(self) -> None:
        """Make the tables, or bring those of an earlier format up to date."""
        with self._transaction():
            self._database.execute(FACTS)
            kept = self._fact("format")
            if kept not in (None, "1", str(FORMAT)):
                raise GradebookError(
                    f"{self.path} was written by another version of autograd-lessons (format"
                    f" {kept}; this one writes {FORMAT}). Choose another --out folder; the old one"
                    " stays."
                )
            for statement in (SCHEMA + SINCE_FORMAT_1 * (kept == "1")).split(";"):
                self._database.execute(statement)
            self._database.execute(
                "INSERT OR REPLACE INTO fact VALUES ('format', ?)", (str(FORMAT),)
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


def _slim(grading: Grading, known: dict[Hashable, Any]) -> Grading:
    verdicts = []
    for verdict in grading.verdicts:
        checks = tuple(known.setdefault(check, check) for check in verdict.checks)
        slim = replace(verdict, checks=checks, basis=None)
        verdicts.append(known.setdefault(slim, slim))
    return replace(grading, verdicts=tuple(verdicts))


def _with_overrides(grading: Grading, overrides: Overrides) -> Grading:
    student = grading.entry.student
    if not any((student, verdict.exercise) in overrides for verdict in grading.verdicts):
        return grading
    verdicts = tuple(
        overridden(verdict, overrides.get((student, verdict.exercise)))
        for verdict in grading.verdicts
    )
    return replace(grading, verdicts=verdicts)


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
