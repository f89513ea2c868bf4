"""Finds the student in the names that learning platforms give to folders and files.

The number that a platform adds stays part of the student's name, because two students may share the
rest.
"""

from __future__ import annotations

import re
from collections.abc import Collection

MOODLE = re.compile(r"(?P<name>.+_\d+)_assignsubmission_(?:file|onlinetext)_?", re.DOTALL)
BRIGHTSPACE = re.compile(r"(?P<id>\d+)-\d+ - (?P<name>.+?) - .*\d{3,4} [AP]M", re.DOTALL)
FLAT = (
    re.compile(r"(?P<name>.+_\d+)_assignsubmission_(?:file|onlinetext)_(?P<file>[^/]+)", re.DOTALL),
    re.compile(r"(?P<name>[^_/]+)_(?:LATE_)?(?P<id>\d+)_\d+_(?P<file>[^/]+)", re.DOTALL),
    re.compile(r".+_(?P<name>[^_/]+)_attempt_\d{4}(?:-\d\d){2,5}(?P<file>_[^/]+|\.txt)", re.DOTALL),
)
"""Moodle, Canvas and Blackboard, where all files are in one folder."""


def owner_of_folder(name: str) -> str:
    """The student whose folder has that name in a platform's export; else empty."""
    for pattern in (MOODLE, BRIGHTSPACE):
        if found := pattern.fullmatch(name):
            return _student(found)
    return ""


def owner_of_file(name: str) -> str:
    """The student whose file has that name in a platform's export; else empty."""
    for pattern in FLAT:
        if found := pattern.fullmatch(name):
            return _student(found)
    return ""


def is_export(names: Collection[str]) -> bool:
    """Whether a folder that contains just these names is a platform's export of a whole class."""
    names = set(names) - {"index.html"}
    return bool(names) and all(owner_of_folder(name) or owner_of_file(name) for name in names)


def _student(found: re.Match[str]) -> str:
    parts = found.groupdict()
    return f"{parts['name']}_{parts['id']}" if "id" in parts else parts["name"]
