"""Grades for import into Canvas: a row for each student, a column for each lesson."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from graders.export.roster import Roster
from graders.export.scores import scores
from graders.export.spreadsheet import number, table
from graders.gradebook import Grading

ABOUT_STUDENTS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
WORTH = "    Points Possible"
"""The first cell of the second row, by which Canvas recognises it; the spaces are Canvas's own."""

WITH_ID = re.compile(r"(.*)\((\d+)\)\s*")


def canvas_csv(
    gradings: Iterable[Grading],
    roster: Roster | None = None,
    ids: Mapping[str, str] | None = None,
) -> str:
    """The table for Canvas; empty cells, of lessons not handed in, leave Canvas's points unchanged.

    A lesson's column has a heading as in Canvas, such as `07_custom_functions (4711)`, with the id
    of the assignment. The id comes from `ids`, by lesson, or from the `roster`'s column for an
    assignment of that name; without an id, Canvas asks whether the assignment is new. With a
    roster, students who are not in it are left out; without one, the names of folders serve as
    names and logins.
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
