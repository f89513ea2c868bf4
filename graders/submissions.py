"""What students hand in: found in their folders, read whatever its state, nothing left out.

A submission that cannot be read is still a submission, with a `problem` in words for its student.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from graders.cells import Cell, runnable
from graders.exercise import all_exercises

MAX_BYTES = 128 * 1024 * 1024
MAX_CELLS = 5_000
MAX_CODE = 1024 * 1024
SUFFIXES = (".ipynb", ".py")
MACHINE_MADE = frozenset({"__MACOSX", "__pycache__"})


@dataclass(frozen=True)
class Submission:
    """One file that one student handed in.

    `cells` are its code cells in order; `digest` is made from them, so that new outputs alone make
    no new submission. `problem` says why the file could not be read; then there are no cells, and
    `lesson` may be empty when it could not be told either.
    """

    student: str
    lesson: str
    path: Path
    cells: tuple[Cell, ...] = ()
    digest: str = ""
    problem: str = ""


class Unreadable(Exception):  # noqa: N818  (a state of somebody's file, not a failure of ours)
    """The file cannot be read as a submission; the message is for its student."""


def find_submissions(
    top: Path, lessons: Mapping[str, Iterable[str]] | None = None
) -> list[Submission]:
    """Every submission below `top`: `top/<student>/…/<lesson>.ipynb` or `.py`, in order of path.

    `lessons` maps each lesson's name to its exercises' ids, by default all there are. Notebooks
    that are no lesson's, folders and links in a notebook's place, and students' folders without
    anything become submissions with a problem. Other files are no submissions. Raises OSError when
    `top` itself cannot be listed.
    """
    reader = _Reader(top, _known(lessons))
    found: list[Submission] = []
    for entry in sorted(os.scandir(top), key=lambda each: each.name):
        place = Path(entry.path)
        if _is_machine_made(entry.name):
            continue
        if entry.is_dir(follow_symlinks=False) and not reader.is_lesson_file(place):
            found += reader.of_student(place)
        elif reader.is_lesson_file(place):
            found.append(reader.with_problem("", place, "It lies outside of any student's folder."))
        elif entry.is_symlink() and entry.is_dir():
            found.append(reader.with_problem(entry.name, place, LINK))
    return found


LINK = "It is a link that leads out of the student's folder."


def _known(lessons: Mapping[str, Iterable[str]] | None) -> dict[str, frozenset[str]]:
    if lessons is not None:
        return {name: frozenset(ids) for name, ids in lessons.items()}
    known: dict[str, set[str]] = {}
    for exercise in all_exercises():
        known.setdefault(exercise.lesson, set()).add(exercise.id)
    return {name: frozenset(ids) for name, ids in known.items()}


def _is_machine_made(name: str) -> bool:
    return name.startswith(".") or name in MACHINE_MADE


class _Reader:
    """Reads the submissions of one run."""

    def __init__(self, top: Path, lessons: Mapping[str, frozenset[str]]) -> None:
        self.top = top
        self.lessons = lessons

    def is_lesson_file(self, path: Path) -> bool:
        """Whether a submission is to be expected at `path`, by its name."""
        suffix = path.suffix.lower()
        return suffix == ".ipynb" or (suffix == ".py" and self._lesson_in(path.stem) != "")

    def of_student(self, folder: Path) -> list[Submission]:
        """Every submission in a student's folder, at any depth; at least one."""
        closed: list[OSError] = []
        found = [self.read(folder, path) for path in self._files(folder, closed.append)]
        for error in closed:
            path = Path(error.filename)
            found.append(self.with_problem(folder.name, path, "This folder cannot be opened."))
        if not found:
            found.append(self.with_problem(folder.name, folder, "It has no notebook in it."))
        return found

    def read(self, folder: Path, path: Path) -> Submission:
        """The submission at `path`, readable or not. Never raises."""
        student = folder.name
        try:
            raw = _bytes_of(folder, path)
        except Unreadable as error:
            return self.with_problem(student, path, str(error))
        except OSError as error:
            why = f"It cannot be opened: {error.strerror or error}."
            return self.with_problem(student, path, why)
        digest = sha256(raw).hexdigest()
        try:
            text = _text_of(raw)
            cells = _script_cells(text) if path.suffix.lower() == ".py" else _notebook_cells(text)
        except Unreadable as error:
            return self.with_problem(student, path, str(error), digest)
        lesson = self._lesson_in(path.stem) or self._lesson_of(cells)
        if not lesson:
            expected = ", ".join(sorted(self.lessons))
            why = f"Its name is no lesson's ({expected}), and it has none of their exercises."
            return self.with_problem(student, path, why, digest)
        return Submission(student, lesson, path, cells, _digest(cells))

    def with_problem(self, student: str, path: Path, why: str, digest: str = "") -> Submission:
        """The submission at `path` that cannot be read, because of `why`."""
        lesson = self._lesson_in(path.stem)
        return Submission(student or path.stem, lesson, path, (), digest, why)

    def _files(self, folder: Path, closed: Callable[[OSError], None]) -> Iterator[Path]:
        """Where submissions are to be expected below `folder`, whatever is there instead."""
        for parent, folders, files in os.walk(folder, onerror=closed, followlinks=False):
            folders[:] = sorted(name for name in folders if not _is_machine_made(name))
            for name in list(folders):
                path = Path(parent, name)
                if self.is_lesson_file(path) or (path.is_symlink() and not _within(folder, path)):
                    folders.remove(name)
                    yield path
            for name in sorted(files):
                path = Path(parent, name)
                if not _is_machine_made(name) and self.is_lesson_file(path):
                    yield path

    def _lesson_in(self, stem: str) -> str:
        """The lesson that a file's name stands for: as it is, or with what downloads add to it."""
        plain = re.sub(r"[^0-9a-z]+", "_", stem.lower())
        fitting = [
            name
            for name in self.lessons
            if re.search(rf"(?:^|_){re.escape(name.lower())}(?:_|$)", plain)
        ]
        return fitting[0] if len(fitting) == 1 else ""

    def _lesson_of(self, cells: Iterable[Cell]) -> str:
        """The lesson whose exercises `cells` are marked with, if there is just one."""
        marked = {cell.exercise for cell in cells} - {None}
        fitting = [name for name, ids in self.lessons.items() if ids & marked]
        return fitting[0] if len(fitting) == 1 else ""


def _within(folder: Path, path: Path) -> bool:
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):
        return False


def _bytes_of(folder: Path, path: Path) -> bytes:
    if not _within(folder, path):
        raise Unreadable(LINK)
    # Not to be kept waiting by a pipe, nor to be led astray by a link made just now.
    descriptor = os.open(path.resolve(), os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise Unreadable("There is a folder in the notebook's place.")
        if not stat.S_ISREG(mode):
            raise Unreadable("It is no file.")
        with open(descriptor, "rb", closefd=False) as stream:
            raw = stream.read(MAX_BYTES + 1)
    finally:
        os.close(descriptor)
    if len(raw) > MAX_BYTES:
        raise Unreadable(f"It is larger than {MAX_BYTES // 2**20} MiB.")
    return raw


def _text_of(raw: bytes) -> str:
    if not raw.strip():
        raise Unreadable("It is empty.")
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return raw.decode("utf-16", "replace")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        # Old editors' encoding; what matters to Python is the same in all of its kin.
        return raw.decode("cp1252", "replace")


def _script_cells(text: str) -> tuple[Cell, ...]:
    """The cells of a script, where editors and exporters have marked them, else a single one."""
    parts = re.split(r"(?m)^(?=# %%|# In\[)", text)
    return _cells((index, part, None) for index, part in enumerate(parts))


def _notebook_cells(text: str) -> tuple[Cell, ...]:
    try:
        notebook = json.loads(text)
    except RecursionError:
        raise Unreadable("It is no notebook: its JSON is nested too deeply.") from None
    except ValueError as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise Unreadable(f"It is no notebook: its JSON is broken{where}.") from None
    raw_cells = _listed_cells(notebook)
    if raw_cells is None:
        raise Unreadable("It is no notebook: it has no list of cells.")
    if len(raw_cells) > MAX_CELLS:
        raise Unreadable(f"It has more than {MAX_CELLS} cells.")
    return _cells(
        (index, _source_of(raw), _exercise_of(raw))
        for index, raw in enumerate(raw_cells)
        if isinstance(raw, dict) and raw.get("cell_type") == "code"
    )


def _listed_cells(notebook: Any) -> list[Any] | None:
    """The cells of a notebook of format 4, or those of all worksheets of format 3."""
    if not isinstance(notebook, dict):
        return None
    if isinstance(notebook.get("cells"), list):
        return notebook["cells"]
    sheets = notebook.get("worksheets")
    if not isinstance(sheets, list):
        return None
    lists = [sheet.get("cells") for sheet in sheets if isinstance(sheet, dict)]
    return [cell for cells in lists if isinstance(cells, list) for cell in cells]


def _source_of(raw: Mapping[str, Any]) -> str:
    source = raw.get("source", raw.get("input", ""))
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    return source if isinstance(source, str) else ""


def _exercise_of(raw: Mapping[str, Any]) -> str | None:
    metadata = raw.get("metadata")
    marked = metadata.get("exercise") if isinstance(metadata, dict) else None
    return marked[:100] if isinstance(marked, str) else None


def _cells(read: Iterable[tuple[int, str, str | None]]) -> tuple[Cell, ...]:
    cells = []
    left = MAX_CODE
    for index, source, exercise in read:
        # Halves of characters, which JSON allows, have no place in a source file.
        clean = source.encode("utf-8", "replace").decode()
        left -= len(clean)
        if left < 0:
            raise Unreadable(f"It has more than {MAX_CODE // 2**20} MiB of code.")
        cells.append(Cell(index, clean, runnable(clean), exercise))
    return tuple(cells)


def _digest(cells: Iterable[Cell]) -> str:
    content = [[cell.index, cell.source, cell.exercise] for cell in cells]
    return sha256(json.dumps(content).encode()).hexdigest()
