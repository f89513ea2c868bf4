"""What is kept of progress: the best verdicts, in one small file which every kernel adds to."""

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
"""Seconds to wait for another kernel; a lost try is better than a learner who waits."""

_watchers: dict[str, Callable[[], None]] = {}


@dataclass(frozen=True)
class Best:
    """The best verdict on one exercise so far, how many tries it took and when the last one was.

    Once an exercise is passed no further try is counted.
    """

    status: str
    points: float
    max_points: float
    tries: int
    date: str

    @property
    def share(self) -> float:
        """The part of the points that was earned, 0 to 1, whatever they are worth today."""
        return self.points / self.max_points if self.max_points else 0.0

    @classmethod
    def from_json(cls, data: object) -> Self | None:
        """Return what `data` describes, None where it describes nothing of the kind."""
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
    # A check is about the solution; a full disk or a strange home must not become its news.
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
    """Call `renew` when the progress in `lesson` has changed, in the place of who watched before.

    What it raises is lost.
    """
    _watchers[lesson] = renew


def forget(chosen: set[str] | None) -> int:
    """Forget the progress in the `chosen` exercises, or in all; return in how many there was some.

    Raises OSError where the file cannot be changed.
    """
    forgotten = _forget(chosen)
    for renew in list(_watchers.values()):
        with contextlib.suppress(Exception):
            renew()
    return forgotten


def bests() -> dict[str, Best]:
    """Return the best verdicts by exercise; none where nothing can be read."""
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
    """Return the file's entries as they are, those of other editions included."""
    try:
        content = json.loads((folder / FILE).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError, RecursionError):
        return {}
    exercises = content.get("exercises") if isinstance(content, dict) else None
    return exercises if isinstance(exercises, dict) else {}


def _write(folder: Path, exercises: Mapping[str, Any]) -> None:
    """Replace the file at once: whoever reads it sees the old one or the new one."""
    content = json.dumps({"exercises": exercises}, indent=1, sort_keys=True) + "\n"
    scratch = folder / f".{FILE}.{os.urandom(4).hex()}"
    try:
        scratch.write_text(content, encoding="utf-8")
        scratch.replace(folder / FILE)
    finally:
        scratch.unlink(missing_ok=True)


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep other kernels from writing meanwhile, as far as the file system can and time allows."""
    with open(folder / LOCK, "ab") as file:
        deadline = time.monotonic() + PATIENCE
        while not _locked(file.fileno()) and time.monotonic() < deadline:
            time.sleep(0.002)
        yield


def _locked(descriptor: int) -> bool:
    """Try to lock an open file until it is closed."""
    if sys.platform == "emscripten":
        # In a browser there are no locks, and other kernels write to the same file rarely.
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
