"""The gradebook's file: SQLite in WAL mode, locked by one run at a time, consistent after any kill.

Its errors become messages that say what to do.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

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


class GradebookError(Exception):
    """The gradebook cannot be used; the message says why and what to do."""


class GradebookFile:
    """The open file of one run, with its tables and facts; a context manager.

    Only one process can open it at a time. The lock is SQLite's own, so it is released when the
    process ends, however that happens.
    """

    def __init__(self, path: Path, wait: float | None = None, written: bool = False) -> None:
        """Open `path`; create it if missing, unless it must have been `written` before.

        Waits up to `wait` seconds (WAIT) for another run to end. Raises GradebookError when the
        folder cannot be written, when the file is damaged, of another program or of a newer format,
        or when another run still holds it. A file that is refused is not changed.
        """
        self.path = path
        with self._explained():
            path.parent.mkdir(parents=True, exist_ok=True)
            for needed in (path.parent, path):
                if needed.exists() and not os.access(needed, os.W_OK):
                    raise PermissionError(errno.EACCES, f"{needed.name} is read-only")
            if path.is_dir():
                raise IsADirectoryError(errno.EISDIR, f"{path.name} is a folder")
            self._database = sqlite3.connect(
                path, timeout=WAIT if wait is None else wait, isolation_level=None
            )
        try:
            with self._explained():
                self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
                self._check_format(written)
                self._database.execute("PRAGMA journal_mode = WAL")
                self._database.execute("PRAGMA synchronous = NORMAL")
                self._prepare()
        except BaseException:
            self._database.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. Everything recorded is in it already."""
        self._database.close()

    def note(self, name: str, value: str) -> None:
        """Store `value` under `name`, replacing an earlier one."""
        with self._explained(), self._transaction():
            self._set_fact(name, value)

    def noted(self, name: str) -> str:
        """What `note` stored under `name`; empty if nothing."""
        return self._fact(name) or ""

    def _check_format(self, written: bool) -> None:
        """Raise GradebookError for a file that this version cannot use. Changes nothing."""
        tables = self._database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        names = {row[0] for row in tables}
        if not names:
            if written:
                raise GradebookError(f"{self.path} is empty: nothing was ever graded into it.")
            return
        kept = self._fact("format") if "fact" in names else None
        if kept is None:
            raise GradebookError(
                f"{self.path} is not a gradebook but another program's database. It was not"
                " changed; choose another --out folder."
            )
        if kept not in ("1", str(FORMAT)):
            raise GradebookError(
                f"{self.path} was written by another version of autograd-lessons (format"
                f" {kept}; this one writes {FORMAT}). Choose another --out folder; the old one"
                " stays."
            )

    def _prepare(self) -> None:
        """Create the tables, or migrate those of an earlier format."""
        with self._transaction():
            self._database.execute(FACTS)
            kept = self._fact("format")
            for statement in (SCHEMA + SINCE_FORMAT_1 * (kept == "1")).split(";"):
                self._database.execute(statement)
            self._set_fact("format", str(FORMAT))

    def _set_fact(self, name: str, value: str) -> None:
        self._database.execute("INSERT OR REPLACE INTO fact VALUES (?, ?)", (name, value))

    def _fact(self, name: str) -> str | None:
        with self._explained():
            row = self._database.execute(
                "SELECT value FROM fact WHERE name = ?", (name,)
            ).fetchone()
        return None if row is None else str(row[0])

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
        " Move it away and grade again: everything is then graded anew."
    )
