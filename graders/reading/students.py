"""Which file belongs to which student: in folders, archives, and exports of learning platforms."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
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

OUTSIDE = "It lies outside of any student's folder: put it into one, named as the student."

Owned = tuple[str, HandedIn | None]
"""A student and a file of theirs; None in place of the file says only that the student exists."""

Parts = tuple[str, ...]


def owned_files(
    top: Path,
    ignore: Callable[[Path], None],
    leave_out: Collection[Path] = (),
    complete: Callable[[str], None] | None = None,
) -> Iterator[Owned]:
    """Every file in `top`, a folder or a zip archive, and its owner.

    Read each before asking for the next. `complete` is called with a student after the last of
    their files, if that is known before all other files have come. Raises OSError when `top` cannot
    be listed, Unreadable when it is a file but not an archive.
    """
    if not top.is_dir():
        yield from _of_class_archive(file_at(top, top.parent), ignore, complete)
        return
    entries = _handed_in(top, ignore, leave_out)
    # Only if nothing else is there: otherwise a student's folder could pass for an export.
    if entries and all(_holds_a_class(entry) for entry in entries):
        # With several exports, the same student may be in another one, too.
        told = complete if len(entries) == 1 else None
        for entry in entries:
            yield from owned_files(Path(entry.path), ignore, leave_out, told)
        return
    owners = [_owner(entry) for entry in entries]
    last = _last_places(owners)
    for place, (entry, owner) in enumerate(zip(entries, owners, strict=True)):
        yield from _of_entry(entry, owner, top, ignore)
        if complete is not None and place == last.get(owner):
            complete(owner)


def _handed_in(
    folder: Path, ignore: Callable[[Path], None], leave_out: Collection[Path]
) -> list[os.DirEntry[str]]:
    """What is in `folder`, except what `leave_out` names and what programs leave behind."""
    left_out = {found for path in leave_out if (found := _identity(path))}
    entries = []
    for entry in sorted(os.scandir(folder), key=lambda each: each.name):
        if is_machine_made(entry.name) or (left_out and _identity(entry) in left_out):
            ignore(Path(entry.path))
        else:
            entries.append(entry)
    return entries


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # of a link that leads to itself
        return False


def _identity(path: os.PathLike[str]) -> tuple[int, int] | None:
    """What identifies the file or folder that `path` leads to; None when it leads nowhere."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _owner(entry: os.DirEntry[str]) -> str:
    """The student who owns `entry`; empty if unknown."""
    if not _is_folder(entry):
        return _owner_of_loose(Path(entry.name))
    if Path(entry.name).suffix.lower() == NOTEBOOK_SUFFIX:
        return ""
    return entry.name if entry.is_symlink() else owner_of_folder(entry.name) or entry.name


def _last_places(owners: Iterable[str]) -> dict[str, int]:
    """The last place of each student among `owners`; entries without an owner do not count."""
    return {owner: place for place, owner in enumerate(owners) if owner}


def _of_entry(
    entry: os.DirEntry[str], student: str, top: Path, ignore: Callable[[Path], None]
) -> Iterator[Owned]:
    path = Path(entry.path)
    if not _is_folder(entry):
        yield from _loose(file_at(path, top), ignore, Budget())
    elif not student:
        yield "", unreadable(path, OUTSIDE)
    elif entry.is_symlink():
        yield student, unreadable(path, LINK)
    else:
        budget = Budget()
        yield student, None
        for handed in files_in(path, ignore):
            for each in _unpacked(handed, budget):
                yield student, each


def _owner_of_loose(path: Path) -> str:
    """The student named by a file that is in no student's folder; empty if it names none."""
    return owner_of_file(path.name) or (path.stem if is_archive(path.name) else "")


def _loose(handed: HandedIn, ignore: Callable[[Path], None], budget: Budget) -> Iterator[Owned]:
    """A file that is in no student's folder: the platform has put the owner in its name."""
    name = handed.path.name
    student = _owner_of_loose(handed.path)
    if student:
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
    """Whether this is a folder or archive with a platform's export of a whole class."""
    if entry.is_symlink() or owner_of_folder(entry.name) or owner_of_file(entry.name):
        return False
    try:
        names = _names_at_the_top(entry)
    except (OSError, Unreadable):
        return False
    return is_export({name for name in names if not is_machine_made(name)})


def _names_at_the_top(entry: os.DirEntry[str]) -> set[str]:
    """The names in a folder, of which a few will do, or in an archive; none in another file."""
    path = Path(entry.path)
    if _is_folder(entry):
        with os.scandir(path) as inside:
            return {each.name for each in islice(inside, 20)}
    if not is_archive(entry.name):
        return set()
    with opened(file_at(path, path.parent), MAX_CLASS_DIRECTORY) as content:
        return {parts[0] for parts, _ in _without_wrapper(_listing(content), path.stem)}


def _of_class_archive(
    archive: HandedIn,
    ignore: Callable[[Path], None],
    complete: Callable[[str], None] | None = None,
) -> Iterator[Owned]:
    """The files of a whole class in one archive."""
    budgets: dict[str, Budget] = defaultdict(Budget)
    with opened(archive, MAX_CLASS_DIRECTORY) as content:
        listing = _without_wrapper(_listing(content), archive.path.stem)
        owners = [_owner_in_archive(parts, info) for parts, info in listing]
        last = _last_places(owners)
        for place, (parts, info) in enumerate(listing):
            if complete is not None and place and last.get(owners[place - 1]) == place - 1:
                complete(owners[place - 1])
            path = archive.path.joinpath(*parts)
            if any(is_machine_made(part) for part in parts):
                ignore(path)
                continue
            student = owner_of_folder(parts[0]) or parts[0]
            budget = budgets[student]
            handed = member_of(content, info, path, budget)
            if len(parts) == 1 and not is_folder(info):
                yield from _loose(handed, ignore, budget)
            else:
                yield student, None
                for each in () if is_folder(info) else _unpacked(handed, budget):
                    yield student, each


def _owner_in_archive(parts: Parts, info: ZipInfo) -> str:
    if len(parts) == 1 and not is_folder(info):
        return _owner_of_loose(Path(parts[0]))
    return owner_of_folder(parts[0]) or parts[0]


def _listing(content: ZipFile) -> list[tuple[Parts, ZipInfo]]:
    named = [(parts_of(info), info) for info in content.infolist()]
    return sorted(((parts, info) for parts, info in named if parts), key=lambda each: each[0])


def _without_wrapper(
    listing: list[tuple[Parts, ZipInfo]], archive: str
) -> list[tuple[Parts, ZipInfo]]:
    """`listing` without the one folder that contains everything, unless that is a student's."""
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
