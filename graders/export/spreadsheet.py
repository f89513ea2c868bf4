"""The table of grades for spreadsheets, and how cells and numbers are written in any table."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

from graders.gradebook import Grading

COLUMNS = ("student", "exercise", "points", "max_points", "status", "findings")
NEGATIVE = re.compile(r"-\d+(\.\d+)?")
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def number(points: float) -> str:
    """`points` as people write them: 2 and 1.5, never 2.0 or 1.3333333333333333."""
    return f"{points:.2f}".rstrip("0").rstrip(".")


def for_spreadsheet(text: str) -> str:
    """`text` with an apostrophe before what a spreadsheet would run as a formula, else as it is."""
    runs = text.lstrip(" ").startswith(FORMULA_STARTS) and not NEGATIVE.fullmatch(text)
    return "'" + text if runs else text


def grades_csv(gradings: Iterable[Grading]) -> str:
    """The table of grades: one row for each submission and exercise."""
    return table(
        COLUMNS,
        (
            (
                grading.entry.student,
                verdict.exercise,
                number(verdict.points),
                number(verdict.max_points),
                verdict.status,
                ";".join(verdict.findings),
            )
            for grading in gradings
            for verdict in grading.verdicts
        ),
    )


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A CSV of `rows` below `header`, in which a spreadsheet finds nothing to run."""
    sheet = io.StringIO()
    writer = csv.writer(sheet, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([for_spreadsheet(cell) for cell in row] for row in rows)
    return sheet.getvalue()
