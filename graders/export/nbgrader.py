"""Grades as nbgrader exports them, for programs that read nbgrader's grades.csv."""

from __future__ import annotations

from collections.abc import Iterable

from graders.export.roster import Roster
from graders.export.scores import scores
from graders.export.spreadsheet import table
from graders.gradebook import Grading

COLUMNS = (
    "assignment",
    "duedate",
    "timestamp",
    "student_id",
    "last_name",
    "first_name",
    "email",
    "raw_score",
    "late_submission_penalty",
    "score",
    "max_score",
)


def nbgrader_csv(gradings: Iterable[Grading], roster: Roster | None = None) -> str:
    """A row for each lesson and student; as in nbgrader, a lesson not handed in has 0 points.

    Each lesson is an assignment. Dates are unknown, and so are names without a `roster`.
    """
    known = scores(gradings)
    owners = roster.owners(known.students) if roster is not None else {}
    rows = []
    for lesson in known.lessons:
        for student in known.students:
            person = owners.get(student, {})
            points = str(round(float(known.points[student].get(lesson, 0.0)), 4))
            rows.append(
                (
                    *(lesson, "", "", student),
                    *(person.get(name, "") for name in ("last_name", "first_name", "email")),
                    *(points, "0.0", points, str(round(float(known.worth[lesson]), 4))),
                )
            )
    return table(COLUMNS, rows)
