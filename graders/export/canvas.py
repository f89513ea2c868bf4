"""Grades for the import of Canvas: a row for each student, a column for each lesson."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from graders.export.roster import Roster
from graders.export.scores import scores
from graders.export.spreadsheet import number, table
from graders.gradebook import Grading

ABOUT_STUDENTS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
WORTH = "    Points Possible"
"""What the second row begins with; Canvas knows the row by it, and writes it with these spaces."""

WITH_ID = re.compile(r"(.*)\((\d+)\)\s*")


def canvas_csv(
    gradings: Iterable[Grading],
    roster: Roster | None = None,
    ids: Mapping[str, str] | None = None,
) -> str:
    """The table for Canvas: lessons that a student has not handed in stay as they are there.

    A lesson's column is headed as Canvas does it, `07_custom_functions (4711)`, with the id of the
    assignment: from `ids`, by lesson, or from a column of the `roster` for an assignment of that
    name. Without either Canvas asks whether it is a new one. With a roster, students whom it does
    not know are left out; without, their folders' names stand for names and logins.
    """
    known = scores(gradings)
    headings = [_heading(lesson, roster, ids or {}) for lesson in known.lessons]
    rows: list[Sequence[str]] = [
        (WORTH, *[""] * (len(ABOUT_STUDENTS) - 1), *map(number, known.worth.values()))
    ]
    owners = roster.owners(known.students) if roster is not None else None
    for student in known.students:
        own = _about(student, owners)
        if own is not None:
            points = known.points[student]
            cells = [number(points[name]) if name in points else "" for name in known.lessons]
            rows.append((*own, *cells))
    return table((*ABOUT_STUDENTS, *headings), rows)


def _about(student: str, owners: Mapping[str, Mapping[str, str]] | None) -> Sequence[str] | None:
    if owners is None:
        return student, "", "", student, ""
    person = owners.get(student)
    if person is None:
        return None
    own = [person.get(name.lower(), "") for name in ABOUT_STUDENTS]
    own[0] = own[0] or f"{person.get('first_name', '')} {person.get('last_name', '')}".strip()
    own[0] = own[0] or student
    return own


def _heading(lesson: str, roster: Roster | None, ids: Mapping[str, str]) -> str:
    if lesson in ids:
        return f"{lesson} ({ids[lesson]})"
    fitting = [
        column
        for column in (roster.columns if roster else ())
        if (match := WITH_ID.fullmatch(column)) and _plain(match[1]) == _plain(lesson)
    ]
    return fitting[0] if len(fitting) == 1 else lesson


def _plain(title: str) -> str:
    return re.sub(r"[\W_]+", "_", title.lower()).strip("_")
