"""The table of grades as CSV, and how cells and numbers are written in any table."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

from graders.gradebook import Grading

COLUMNS = ("student", "exercise", "points", "max_points", "status", "findings")
NEGATIVE = re.compile(r"-\d+(\.\d+)?")
FORMULA = re.compile(
    # A formula's first character, after what spreadsheets skip, at the beginning of a cell or after
    # a character at which some spreadsheets split it.
    r"(?:^|(?<=[;|])|(?<=\S\t))(?=[\s\u200b-\u200f\u2060\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n])"
)


def number(points: float) -> str:
    """`points` with at most two decimals: 2 and 1.5, not 2.0 or 1.3333333333333333."""
    return f"{points:.2f}".rstrip("0").rstrip(".")


def for_spreadsheet(text: str) -> str:
    """`text` with an apostrophe before everything that a spreadsheet would run as a formula.

    A formula may also begin after a semicolon or tab, at which some spreadsheets split cells.
    """
    return text if NEGATIVE.fullmatch(text) else FORMULA.sub("'", text)


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
    """A CSV of `rows` below `header`, in which a spreadsheet finds no formula to run."""
    sheet = io.StringIO()
    writer = csv.writer(sheet, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([for_spreadsheet(cell) for cell in row] for row in rows)
    return sheet.getvalue()
