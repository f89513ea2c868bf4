"""Finds files in students' folders, opens them safely, and reads them up to a limit."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NoReturn

from graders.reading import Unreadable

MAX_BYTES = 128 * 1024 * 1024
MAX_DEPTH = 40
MAX_ENTRIES = 10_000  # in one student's folder

LINK = "It is a link that leads out of the student's folder."
FOLDER = "There is a folder in the notebook's place."
NOTEBOOK_SUFFIX = ".ipynb"
MACHINE_MADE = frozenset({"__macosx", "__pycache__", "thumbs.db", "desktop.ini"})


@dataclass(frozen=True)
class HandedIn:
    """A file in a folder or an archive: where it is, when it was changed, how to open it.

    `opened` may raise Unreadable or OSError; the stream it returns can be read once. A `problem` is
    known before the file is opened.
    """

    path: Path
    opened: Callable[[], BinaryIO]
    modified: float = 0.0
    problem: str = ""

    def read(self) -> bytes:
        """The whole content. Raises Unreadable, also when it is more than MAX_BYTES."""
        try:
            with closing(self.opened()) as stream:
                raw = stream.read(MAX_BYTES + 1)
        except OSError as error:
            raise Unreadable(f"It cannot be opened: {error.strerror or error}.") from None
        if len(raw) > MAX_BYTES:
            raise Unreadable(f"It is larger than {MAX_BYTES // 2**20} MiB.")
        return raw


def unreadable(path: Path, why: str) -> HandedIn:
    """A file at `path` that cannot be opened because of `why`."""

    def opened() -> NoReturn:
        raise Unreadable(why)

    return HandedIn(path, opened, problem=why)


def is_machine_made(name: str) -> bool:
    """Whether a file or folder of that name was made by a program and not by a student."""
    return name.startswith(".") or name.lower() in MACHINE_MADE


def files_in(folder: Path, ignore: Callable[[Path], None]) -> Iterator[HandedIn]:
    """Every file below `folder`, in order of depth and name.

    In place of what could hide a file, such as a closed folder, there is an unreadable file. Links
    are followed if they stay inside `folder`. `ignore` is called with what programs leave behind.
    """
    waiting = [(folder, 0)]
    seen = 0
    while waiting:
        place, depth = waiting.pop(0)
        try:
            entries = sorted(os.scandir(place), key=lambda each: each.name)
        except OSError:
            yield unreadable(place, "This folder cannot be opened.")
            continue
        for entry in entries:
            path = Path(entry.path)
            seen += 1
            if seen > MAX_ENTRIES:
                yield unreadable(folder, f"It has more than {MAX_ENTRIES} files and folders.")
                return
            if is_machine_made(entry.name):
                ignore(path)
            elif not os.path.isdir(path):
                yield file_at(path, folder)
            elif entry.is_symlink() and is_within(folder, path):
                ignore(path)
            elif entry.is_symlink():
                yield unreadable(path, LINK)
            else:
                if path.suffix.lower() in (NOTEBOOK_SUFFIX, ".py"):
                    yield unreadable(path, FOLDER)
                if depth < MAX_DEPTH:
                    waiting.append((path, depth + 1))
                else:
                    yield unreadable(path, f"It is a folder more than {MAX_DEPTH} levels down.")


def file_at(path: Path, folder: Path) -> HandedIn:
    """The file at `path`, which must not lead out of `folder`."""
    try:
        modified = path.lstat().st_mtime
    except OSError:
        modified = 0.0
    return HandedIn(path, lambda: _opened(path, folder), modified)


def is_within(folder: Path, path: Path) -> bool:
    """Whether `path` leads to something in `folder`."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):
        return False


def _opened(path: Path, folder: Path) -> BinaryIO:
    if not is_within(folder, path):
        raise Unreadable(LINK)
    real = path.resolve()
    if not stat.S_ISREG(real.stat().st_mode) and not real.is_dir():
        raise Unreadable("It is no file.")  # checked first, because opening a device may do harm
    # Without waiting for a pipe's writer, and without following a link that was made just now.
    descriptor = os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(mode):
            raise Unreadable("It is no file.")
        return open(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise
