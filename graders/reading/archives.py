"""Reads zip archives from strangers, without unpacking anything onto the disk."""

from __future__ import annotations

import io
import stat
import struct
import time
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, cast

from graders.reading import Unreadable
from graders.reading.files import LINK, MAX_BYTES, HandedIn, is_machine_made, unreadable

SUFFIX = ".zip"
OTHER_SUFFIXES = frozenset({".rar", ".7z", ".tar", ".tgz", ".gz", ".bz2", ".xz", ".zst"})
MAX_DEPTH = 3
MAX_UNPACKED = 512 * 1024 * 1024  # of one student
MAX_LISTED = 20_000  # files in one student's archives
MAX_DIRECTORY = 2 * 1024 * 1024
MAX_CLASS_DIRECTORY = 64 * 1024 * 1024
MAX_NAME = 1000
MAX_PARTS = 80
READ = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others cannot be unpacked in bounded memory

DAMAGED = "It is a damaged zip archive."
TOO_MANY = "It is an archive of too many files."
FAILURES = (
    OSError,  # when the list of files refers to a place before the archive's beginning
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    struct.error,
    EOFError,
    ValueError,
    NotImplementedError,
    RuntimeError,
    OverflowError,
)

Clipped = TypeVar("Clipped", str, tuple[str, ...])


class Budget:
    """How many bytes of one student's archives may still be unpacked, and how many files listed."""

    def __init__(self, size: int = MAX_UNPACKED, files: int = MAX_LISTED) -> None:
        self.left = size
        self.files = files

    def spend(self, size: int) -> None:
        """Take `size` bytes. Raises Unreadable when fewer are left."""
        self.left -= size
        if self.left < 0:
            raise Unreadable("The archive would be too large when unpacked.")

    def look_at(self, files: int) -> None:
        """Take so many `files`. Raises Unreadable when fewer are left."""
        self.files -= files
        if self.files < 0:
            raise Unreadable(TOO_MANY)


def is_archive(name: str) -> bool:
    """Whether a file of that name is a zip archive."""
    return name.lower().endswith(SUFFIX)


def members(archive: HandedIn, budget: Budget | None = None, depth: int = 1) -> Iterator[HandedIn]:
    """The files in a student's `archive` and in archives inside it.

    Open each before asking for the next. For what cannot be opened there is a file that says why.
    """
    budget = budget or Budget()
    try:
        budget.look_at(0)
        with opened(archive) as content:
            budget.look_at(len(content.infolist()))
            for member in listed(content, archive.path, budget):
                if not is_archive(member.path.name):
                    yield member
                elif depth < MAX_DEPTH:
                    yield from members(member, budget, depth + 1)
                else:
                    yield unreadable(member.path, f"It is an archive inside of {MAX_DEPTH} others.")
    except Unreadable as error:
        yield unreadable(archive.path, str(error))


@contextmanager
def opened(archive: HandedIn, longest_directory: int = MAX_DIRECTORY) -> Iterator[zipfile.ZipFile]:
    """Open the zip archive. Raises Unreadable when it is not one, or lists too many files."""
    with closing(_seekable(archive)) as stream:
        guarded = _Guarded(stream, longest_directory)
        try:
            content = zipfile.ZipFile(cast(BinaryIO, guarded))
        except FAILURES:
            raise Unreadable(DAMAGED) from None
        guarded.most = None
        with content:
            yield content


def listed(content: zipfile.ZipFile, shown: Path, budget: Budget) -> Iterator[HandedIn]:
    """The files in the open archive, in order of their names."""
    for info in sorted(content.infolist(), key=lambda each: each.filename):
        parts = parts_of(info)
        if is_folder(info) or not parts or any(is_machine_made(part) for part in parts):
            continue
        yield member_of(content, info, shown.joinpath(*parts), budget)


def member_of(
    content: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path, budget: Budget
) -> HandedIn:
    """The file `info` of the open archive, called `path`."""
    name = _name(info)
    if name.startswith("/") or ".." in name.split("/"):
        return unreadable(path, "Its name leads out of the archive.")
    if stat.S_ISLNK(info.external_attr >> 16):
        return unreadable(path, LINK)
    return HandedIn(path, lambda: _member(content, info, budget), _modified(info))


def parts_of(info: zipfile.ZipInfo) -> tuple[str, ...]:
    """The folders that `info` is in, and its name, without parts such as `..`.

    What is too long or too deep loses its middle: its beginning may say whose it is.
    """
    name = _without_middle(_name(info), MAX_NAME)
    parts = tuple(part for part in name.split("/") if part.strip() not in ("", ".", ".."))
    return _without_middle(parts, MAX_PARTS)


def is_folder(info: zipfile.ZipInfo) -> bool:
    """Whether `info` is a folder. Unlike `ZipInfo.is_dir`, works if it has no name at all."""
    return _name(info).endswith("/")


def _without_middle(whole: Clipped, most: int) -> Clipped:
    half = most // 2
    return whole if len(whole) <= most else whole[:half] + whole[-half:]


def _name(info: zipfile.ZipInfo) -> str:
    name = info.filename
    if not info.flag_bits & 0x800:
        # Many programs write UTF-8 without setting this flag; `zipfile` then decodes as cp437.
        try:
            name = name.encode("cp437").decode("utf-8")
        except UnicodeError:
            name = info.filename
    return name.replace("\\", "/")


def _modified(info: zipfile.ZipInfo) -> float:
    try:
        return time.mktime((*info.date_time, 0, 0, -1))
    except (ValueError, OverflowError):
        return 0.0


def _member(content: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget) -> BinaryIO:
    if info.flag_bits & 0x1:
        raise Unreadable("It is in an encrypted archive: pack it again without a password.")
    if info.compress_type not in READ:
        raise Unreadable("It is packed in an unusual way: pack it again as an ordinary zip.")
    # The declared size can be trusted, because no more than that is ever unpacked.
    if info.file_size > MAX_BYTES:
        raise Unreadable(f"It is larger than {MAX_BYTES // 2**20} MiB.")
    budget.spend(info.file_size)
    try:
        with content.open(info) as stream:
            raw = stream.read(info.file_size)
    except FAILURES:
        raise Unreadable("It is damaged inside of the archive.") from None
    return io.BytesIO(raw)


def _seekable(archive: HandedIn) -> BinaryIO:
    try:
        return archive.opened()
    except OSError as error:
        raise Unreadable(f"It cannot be opened: {error.strerror or error}.") from None


class _Guarded:
    """A file that refuses to read more than `most` bytes at once.

    `zipfile` reads the list of an archive's files at once, so this bounds how many there can be.
    """

    def __init__(self, stream: BinaryIO, most: int | None) -> None:
        self._stream = stream
        self.most = most

    def read(self, size: int = -1) -> bytes:
        if self.most is not None and size > self.most:
            raise Unreadable(TOO_MANY)
        return self._stream.read(size)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
