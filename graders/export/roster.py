"""The roster: which student each folder belongs to, read from an instructor's CSV."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = "folder"
NAMES = (FOLDER, "sis login id", "sis user id", "id", "student", "student_id", "email")
"""The columns in which the name of a student's folder is looked for, in this order."""


class RosterError(Exception):
    """The roster cannot be used; the message says why and what to do."""


@dataclass(frozen=True)
class Roster:
    """`people`: the file's lines, by column in lower case; `columns`: the columns as written."""

    columns: Sequence[str] = ()
    people: Sequence[Mapping[str, str]] = ()
    _known: Mapping[str, Sequence[Mapping[str, str]]] = field(default_factory=dict)

    def person(self, folder: str) -> Mapping[str, str] | None:
        """The line of the student who owns `folder`; None unless there is exactly one."""
        found = self._known.get(_plain(folder), ())
        return found[0] if len(found) == 1 else None

    def owners(self, folders: Iterable[str]) -> dict[str, Mapping[str, str]]:
        """The lines of the students who own `folders`, by folder; one folder for each student.

        If several folders match one student, the one counts whose name is exactly as in the line.
        If none or several are, the owner is unknown and all are left out.
        """
        claims: dict[int, list[str]] = defaultdict(list)
        found = {folder: self.person(folder) for folder in folders}
        for folder, person in found.items():
            if person is not None:
                claims[id(person)].append(folder)
        own = {}
        for folder, person in found.items():
            if person is None:
                continue
            rivals = claims[id(person)]
            exact = [each for each in rivals if each in map(person.get, NAMES)]
            if rivals == [folder] or exact == [folder]:
                own[folder] = person
        return own

    def unknown(self, folders: Iterable[str]) -> list[str]:
        """The `folders` without a known owner."""
        asked = list(folders)
        own = self.owners(asked)
        return [folder for folder in asked if folder not in own]


def read_roster(path: Path) -> Roster:
    """The roster in `path`: a gradebook as Canvas exports it, or any CSV with such columns.

    A column `folder` names the students' folders; without it, or where it is empty, a folder is
    found by login, id, e-mail address or name. Raises RosterError.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise RosterError(f"Cannot read {path}: {error.strerror or error}.") from error
    except UnicodeDecodeError:
        raise RosterError(f"{path} is not UTF-8 text. Save it as CSV in UTF-8.") from None
    first = next(iter(text.splitlines()), "")
    delimiter = ";" if first.count(";") > first.count(",") else ","
    try:
        rows = list(csv.reader(io.StringIO(text, newline=None), delimiter=delimiter))
    except csv.Error as error:
        raise RosterError(f"{path} is not a CSV file: {error}.") from error
    header = [cell.strip() for cell in rows[0]] if rows else []
    keys = [cell.lower() for cell in header]
    if not set(keys) & set(NAMES):
        raise RosterError(
            f"{path} has no column that could name a student's folder. Expected one of: folder,"
            " SIS Login ID, SIS User ID, ID, Student, email."
        )
    lines = [dict(zip(keys, map(str.strip, row), strict=False)) for row in rows[1:]]
    people = [line for line in lines if _is_person(line)]
    return Roster(header, people, _by_name(people))


def _is_person(line: Mapping[str, str]) -> bool:
    named = any(line.get(name) for name in NAMES)
    return named and "points possible" not in line.get("student", "").lower()


def _by_name(people: Iterable[Mapping[str, str]]) -> dict[str, list[Mapping[str, str]]]:
    known: dict[str, list[Mapping[str, str]]] = {}
    for person in people:
        own = {_plain(person.get(FOLDER, ""))}
        if own == {""}:
            own = {_plain(person.get(name, "")) for name in NAMES}
            own |= {_plain(turned) for turned in _turned(person)}
        for name in own - {""}:
            known.setdefault(name, []).append(person)
    return known


def _turned(person: Mapping[str, str]) -> list[str]:
    """The name in its other order: Ada Lovelace for `Lovelace, Ada`."""
    last, comma, first = person.get("student", "").partition(",")
    given = f"{person.get('first_name', '')} {person.get('last_name', '')}"
    return [f"{first} {last}" if comma else "", given]


def _plain(name: str) -> str:
    """`name` in the form that is compared: case and the characters between words do not count."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return re.sub(r"[\W_]+", " ", folded).strip()
