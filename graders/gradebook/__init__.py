"""The gradebook: what was graded, when and on which inputs; a killed run loses nothing.

The *roster* names the submissions that runs have found. A *grading* holds the verdicts on one
submission; it is written in one transaction, and its key includes the digest of the submission's
content and the edition of its exercises. An *override* holds points that an instructor set by hand.
Gradings of earlier contents and editions stay, and so do those of students who are gone. Every
report is made from the gradebook alone.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from graders.gradebook.file import GradebookError, GradebookFile
from graders.gradebook.overrides import Override, Overrides, overridden
from graders.verdict import Verdict

__all__ = ["Entry", "Gradebook", "GradebookError", "Grading"]

LIMIT_STATUSES = frozenset({"timeout", "memory_limit"})


@dataclass(frozen=True, order=True)
class Entry:
    """One line of the roster: a file that a student handed in, and the edition of its exercises.

    `exercise_set` and `wording` are `edition` and `wording` of `graders.gradebook.edition`.
    `problem` says why the file could not be read, `note` what else to tell about it.
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
        """The key of this entry's grading."""
        return self.student, self.lesson, self.path, self.digest, self.exercise_set


@dataclass(frozen=True)
class Grading:
    """The verdicts on one entry, and how they were reached.

    An empty `isolation` means that the submission did not run: it is unreadable, or the grader
    failed. `run` is the number of the run that graded it, filled in by the gradebook.
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


class Gradebook(GradebookFile):
    """The open gradebook of one run; a context manager."""

    _run = 0
    """The number of the current run; 0 before `begin`."""

    def used_seeds(self) -> set[int]:
        """The seeds of all gradings."""
        with self._explained():
            rows = self._database.execute("SELECT DISTINCT seed FROM grading").fetchall()
        return {row[0] for row in rows}

    def begin(self, request: str) -> int:
        """Begin a run for `request`, or go on with an unfinished one; return its first number.

        A run that goes on gets a new number; whatever runs of the returned number and later have
        recorded belongs to this request. From now on `record` uses the new number.
        """
        self._run = 1 + max(int(self._fact(name) or 0) for name in ("runs", "begun"))
        since, _, unfinished = (self._fact("unfinished") or "").partition(" ")
        going_on = since and unfinished == request
        with self._explained(), self._transaction():
            self._set_fact("begun", str(self._run))
            if not going_on:
                self._set_fact("unfinished", f"{self._run} {request}")
        return int(since) if going_on else self._run

    def finish(self) -> None:
        """Note that the request is done."""
        self.note("unfinished", "")

    def enroll(self, entries: Iterable[Entry]) -> None:
        """Make `entries` the roster, in one transaction. Earlier lines are kept, as absent."""
        run, entries = self._run or int(self._fact("runs") or 0) + 1, list(entries)
        rows = [
            (e.student, e.lesson, e.path, e.digest, e.problem, e.exercise_set, e.wording, run)
            for e in entries
        ]
        notes = json.dumps({entry.path: entry.note for entry in entries if entry.note})
        with self._explained(), self._transaction():
            self._set_fact("runs", str(run))
            self._set_fact("notes", notes)
            self._database.executemany(
                "INSERT OR REPLACE INTO roster (student, lesson, path, digest, problem,"
                " exercise_set, wording, seen) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                rows,
            )

    def record(self, grading: Grading) -> None:
        """Store one submission's verdicts, all or none of them.

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
            self._run or int(self._fact("runs") or 0),
        )
        with self._explained(), self._transaction():
            self._database.execute(
                "INSERT OR REPLACE INTO grading (student, lesson, path, digest, exercise_set,"
                " verdicts, seed, seconds, isolation, limits, graded_at, wording, run)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                row,
            )

    def reword(self, entry: Entry, verdicts: Iterable[Verdict]) -> None:
        """Replace the verdicts stored for `entry` by `verdicts`, which have its wording."""
        written = json.dumps([verdict.to_json() for verdict in verdicts])
        with self._explained(), self._transaction():
            self._database.execute(
                "UPDATE grading SET verdicts = ?, wording = ? WHERE student = ? AND lesson = ?"
                " AND path = ? AND digest = ? AND exercise_set = ?",
                (written, entry.wording, *entry.key),
            )

    def grading(self, entry: Entry) -> Grading | None:
        """The grading stored for `entry`, with its content and edition; None when there is none.

        The grading's own entry has the wording of its verdicts. A row that cannot be decoded counts
        as absent, so that the submission is graded again.
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

        `with_absent` adds the latest submissions of students of whom it found none.
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
        """The students of whom earlier runs found submissions, and the last run none."""
        present = {entry.student for entry in self.roster()}
        return sorted({entry.student for entry in self.roster(with_absent=True)} - present)

    def results(self, with_absent: bool = False) -> list[Grading]:
        """The gradings of the roster, in its order, with the overrides.

        Entries not yet graded are left out. To save memory, the verdicts have no `basis`, and equal
        verdicts are one object.
        """
        overrides = self.overrides()
        known: dict[Hashable, Any] = {}
        return [
            _with_overrides(_slim(grading, known), overrides)
            for entry in self.roster(with_absent)
            if (grading := self.grading(entry)) is not None
        ]

    def overrides(self) -> Overrides:
        """The overrides by student and exercise, in that order."""
        with self._explained():
            rows = self._database.execute(
                "SELECT student, exercise, points, reason, made_at FROM override"
                " ORDER BY student, exercise"
            ).fetchall()
        return {(row[0], row[1]): Override(*row) for row in rows}

    def override(self, override: Override) -> None:
        """Set points by hand, replacing an earlier override."""
        now = override.made_at or datetime.now(UTC).isoformat(timespec="seconds")
        row = (override.student, override.exercise, override.points, override.reason, now)
        with self._explained(), self._transaction():
            self._database.execute("INSERT OR REPLACE INTO override VALUES (?, ?, ?, ?, ?)", row)

    def remove_override(self, student: str, exercise: str) -> None:
        """Remove the override, if there is one: the graded points count again."""
        with self._explained(), self._transaction():
            self._database.execute(
                "DELETE FROM override WHERE student = ? AND exercise = ?", (student, exercise)
            )


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
