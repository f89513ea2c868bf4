"""Whose file is whose: students' folders, archives, and what learning platforms export."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from itertools import islice
from pathlib import Path
from zipfile import ZipFile, ZipInfo

from graders.reading import Unreadable
from graders.reading.archives import (
    MAX_CLASS_DIRECTORY,
    Budget,
    is_archive,
    is_folder,
    member_of,
    members,
    opened,
    parts_of,
)
from graders.reading.files import (
    LINK,
    NOTEBOOK_SUFFIX,
    HandedIn,
    file_at,
    files_in,
    is_machine_made,
    unreadable,
)
from graders.reading.platforms import is_export, owner_of_file, owner_of_folder

OUTSIDE = "It lies outside of any student's folder."

Owned = tuple[str, HandedIn | None]
"""A student and a file of theirs; without a file the student is there, but nothing is known yet."""

Parts = tuple[str, ...]


def owned_files(
    top: Path, ignore: Callable[[Path], None], leave_out: Collection[Path] = ()
) -> Iterator[Owned]:
    """Every file in `top`, a folder or a zip archive, and whose it is; read them as they come.

    Raises OSError when `top` cannot be listed, Unreadable when it is a file and no archive.
    """
    if not top.is_dir():
        yield from _of_class_archive(file_at(top, top.parent), ignore)
        return
    entries = []
    for entry in sorted(os.scandir(top), key=lambda each: each.name):
        if is_machine_made(entry.name) or Path(entry.path).resolve() in leave_out:
            ignore(Path(entry.path))
        else:
            entries.append(entry)
    # Only when nothing else is there: nobody's folder is to pass for somebody else's.
    if entries and all(_holds_a_class(entry) for entry in entries):
        for entry in entries:
            if os.path.isdir(entry):
                yield from owned_files(Path(entry.path), ignore, leave_out)
            else:
                yield from _of_class_archive(file_at(Path(entry.path), top), ignore)
        return
    for entry in entries:
        yield from _of_entry(entry, top, ignore)


def _of_entry(
    entry: os.DirEntry[str], top: Path, ignore: Callable[[Path], None]
) -> Iterator[Owned]:
    path = Path(entry.path)
    if not os.path.isdir(entry):
        yield from _loose(file_at(path, top), ignore, Budget())
    elif path.suffix.lower() == NOTEBOOK_SUFFIX:
        yield "", unreadable(path, OUTSIDE)
    elif entry.is_symlink():
        yield entry.name, unreadable(path, LINK)
    else:
        student, budget = owner_of_folder(entry.name) or entry.name, Budget()
        yield student, None
        for handed in files_in(path, ignore):
            for each in _unpacked(handed, budget):
                yield student, each


def _loose(
    handed: HandedIn, ignore: Callable[[Path], None], budget: Budget, shown: str = ""
) -> Iterator[Owned]:
    """A file in no folder of its own: the platform's name for it tells whose it is."""
    name = shown or handed.path.name
    owner = owner_of_file(name)
    if owner or is_archive(name):
        student = owner or handed.path.stem
        yield student, None
        for each in _unpacked(handed, budget):
            yield student, each
    elif NOTEBOOK_SUFFIX in name.lower():
        yield "", unreadable(handed.path, OUTSIDE)
    else:
        ignore(handed.path)


def _unpacked(handed: HandedIn, budget: Budget) -> Iterator[HandedIn]:
    if is_archive(handed.path.name):
        yield from members(handed, budget)
    else:
        yield handed


def _holds_a_class(entry: os.DirEntry[str]) -> bool:
    """Whether this is what a platform has exported, of a whole class, in a folder or an archive."""
    path = Path(entry.path)
    if entry.is_symlink() or owner_of_folder(entry.name) or owner_of_file(entry.name):
        return False
    try:
        if os.path.isdir(entry):
            with os.scandir(path) as inside:
                names = {each.name for each in islice(inside, 20)}
        elif is_archive(entry.name):
            with opened(file_at(path, path.parent), MAX_CLASS_DIRECTORY) as content:
                listing = _listing(content)
                names = {parts[0] for parts, _ in _without_wrapper(listing, path.stem)}
        else:
            return False
    except (OSError, Unreadable):
        return False
    return is_export({name for name in names if not is_machine_made(name)})


def _of_class_archive(archive: HandedIn, ignore: Callable[[Path], None]) -> Iterator[Owned]:
    """The files of a whole class in one archive."""
    budgets: dict[str, Budget] = defaultdict(Budget)
    with opened(archive, MAX_CLASS_DIRECTORY) as content:
        for parts, info in _without_wrapper(_listing(content), archive.path.stem):
            path = archive.path.joinpath(*parts)
            if any(is_machine_made(part) for part in parts):
                ignore(path)
                continue
            student = owner_of_folder(parts[0]) or parts[0]
            budget = budgets[student]
            handed = member_of(content, info, path, budget)
            if is_folder(info):
                yield student, None
            elif len(parts) == 1:
                yield from _loose(handed, ignore, budget)
            else:
                yield student, None
                for each in _unpacked(handed, budget):
                    yield student, each


def _listing(content: ZipFile) -> list[tuple[Parts, ZipInfo]]:
    named = [(parts_of(info), info) for info in content.infolist()]
    return sorted(((parts, info) for parts, info in named if parts), key=lambda each: each[0])


def _without_wrapper(
    listing: list[tuple[Parts, ZipInfo]], archive: str
) -> list[tuple[Parts, ZipInfo]]:
    """`listing` without the folder that it is all in, if that is no student's."""
    own = [(parts, info) for parts, info in listing if not is_machine_made(parts[0])]
    first = {parts[0] for parts, _ in own}
    inside = [(parts[1:], info) for parts, info in own if len(parts) > 1]
    if len(first) != 1 or not inside or any(len(p) == 1 and not is_folder(i) for p, i in own):
        return listing
    folders = {parts[0] for parts, info in inside if len(parts) > 1 or is_folder(info)}
    files = {parts[0] for parts, _ in inside} - folders
    wrapper = first.pop().casefold()
    named_alike = wrapper == re.sub(r" ?\(\d+\)$", "", archive).casefold()
    class_of_folders = len(folders) > 1 and not any(NOTEBOOK_SUFFIX in f.lower() for f in files)
    if (named_alike and folders) or class_of_folders or is_export(folders | files):
        return inside
    return listing
