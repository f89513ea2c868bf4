"""Stores a learner's progress: the best verdicts, in one small file that all kernels share."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from graders.verdict import STATUSES, Verdict

VARIABLE = "AUTOGRAD_LESSONS_DATA"
"""The environment variable that names another folder for the file."""

FILE = "progress.json"
LOCK = "progress.lock"
PATIENCE = 0.2
"""Seconds to wait for another kernel's lock; losing a try is better than making learners wait."""

_watchers: dict[str, Callable[[], None]] = {}


@dataclass(frozen=True)
class Best:
    """The best verdict on one exercise so far, the number of tries, and the date of the last.

    Tries after an exercise is passed are not counted.
    """

    status: str
    points: float
    max_points: float
    tries: int
    date: str

    @property
    def share(self) -> float:
        """The fraction of the points earned; it holds even if the exercise is worth more today."""
        return self.points / self.max_points if self.max_points else 0.0

    @classmethod
    def from_json(cls, data: object) -> Self | None:
        """Return what `data` describes, None if it is not valid."""
        if not isinstance(data, Mapping) or data.get("status") not in STATUSES:
            return None
        try:
            points, most = float(data["points"]), float(data["max_points"])
            tries, date = int(data["tries"]), datetime.fromisoformat(data["date"])
        except (KeyError, TypeError, ValueError, OverflowError):
            return None
        if not 0 <= points <= most or tries < 1:
            return None
        return cls(data["status"], points, most, tries, date.astimezone(UTC).isoformat())


def record(verdict: Verdict) -> None:
    """Count a try, and keep `verdict` if it is the best on its exercise so far. Never raises."""
    if verdict.status == "not_attempted" or not verdict.max_points:
        return
    # A check is about the solution: it must not fail because of a full disk.
    with contextlib.suppress(Exception):
        folder = data_folder()
        folder.mkdir(parents=True, exist_ok=True)
        with _alone(folder):
            exercises = _read(folder)
            before = Best.from_json(exercises.get(verdict.exercise))
            if before is None or before.status != "passed":
                exercises[verdict.exercise] = asdict(_better(before, verdict))
                _write(folder, exercises)
        if verdict.lesson in _watchers:
            _watchers[verdict.lesson]()


def watch(lesson: str, renew: Callable[[], None]) -> None:
    """Call `renew` whenever the progress in `lesson` changes; it replaces an earlier watcher.

    Its exceptions are ignored.
    """
    _watchers[lesson] = renew


def forget(chosen: set[str] | None) -> int:
    """Delete the progress in the `chosen` exercises, or in all; return in how many there was any.

    Raises OSError where the file cannot be changed.
    """
    forgotten = _forget(chosen)
    for renew in list(_watchers.values()):
        with contextlib.suppress(Exception):
            renew()
    return forgotten


def bests() -> dict[str, Best]:
    """Return the best verdicts by exercise; none if the file cannot be read."""
    with contextlib.suppress(Exception):
        found = {id: Best.from_json(data) for id, data in _read(data_folder()).items()}
        return {id: best for id, best in found.items() if best is not None}
    return {}


def data_folder() -> Path:
    """Return the folder that the progress is kept in; it need not exist yet."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return Path(chosen)
    # Imported on first use: `from graders import check` has to be quick.
    import platformdirs

    return Path(platformdirs.user_data_dir("autograd-lessons", appauthor=False))


def _better(before: Best | None, verdict: Verdict) -> Best:
    now = datetime.now(UTC).isoformat()
    new = Best(verdict.status, verdict.points, verdict.max_points, 1, now)
    if before is None:
        return new
    best = max(new, before, key=lambda each: (each.share, each.status == "passed"))
    return replace(best, tries=before.tries + 1, date=now)


def _forget(chosen: set[str] | None) -> int:
    folder = data_folder()
    if not (folder / FILE).exists():
        return 0
    with _alone(folder):
        exercises = _read(folder)
        kept = {} if chosen is None else {k: v for k, v in exercises.items() if k not in chosen}
        _write(folder, kept)
    return len(exercises) - len(kept)


def _read(folder: Path) -> dict[str, Any]:
    """Return all entries of the file, even those that this version does not understand."""
    try:
        content = json.loads((folder / FILE).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError, RecursionError):
        return {}
    exercises = content.get("exercises") if isinstance(content, dict) else None
    return exercises if isinstance(exercises, dict) else {}


def _write(folder: Path, exercises: Mapping[str, Any]) -> None:
    """Replace the file atomically, so that other kernels read either the old or the new one."""
    content = json.dumps({"exercises": exercises}, indent=1, sort_keys=True) + "\n"
    scratch = folder / f".{FILE}.{os.urandom(4).hex()}"
    try:
        scratch.write_text(content, encoding="utf-8")
        scratch.replace(folder / FILE)
    finally:
        scratch.unlink(missing_ok=True)


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Lock other kernels out, if the file system supports it and the lock is free in time."""
    with open(folder / LOCK, "ab") as file:
        deadline = time.monotonic() + PATIENCE
        while not _locked(file.fileno()) and time.monotonic() < deadline:
            time.sleep(0.002)
        yield


def _locked(descriptor: int) -> bool:
    """Try to lock an open file until it is closed."""
    if sys.platform == "emscripten":
        # Browsers have no file locks, and there other kernels rarely write to the same file.
        return True
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
