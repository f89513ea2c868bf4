"""The gradebook for other programs: a CSV for spreadsheets, Gradescope's JSON for its upload."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from graders.discretion import for_student
from graders.gradebook import Grading
from graders.verdict import Verdict

COLUMNS = ("student", "exercise", "points", "max_points", "status", "findings")
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def number(points: float) -> str:
    """`points` as people write them: 2 and 1.5, never 2.0 or 1.3333333333333333."""
    return f"{points:.2f}".rstrip("0").rstrip(".")


def for_spreadsheet(text: str) -> str:
    """`text` with an apostrophe before what a spreadsheet would run as a formula, else as it is."""
    return "'" + text if text.lstrip(" ").startswith(FORMULA_STARTS) else text


def grades_csv(gradings: Iterable[Grading]) -> str:
    """The table of grades: one row for each submission and exercise."""
    sheet = io.StringIO()
    writer = csv.writer(sheet, lineterminator="\n")
    writer.writerow(COLUMNS)
    for grading in gradings:
        for verdict in grading.verdicts:
            row = (
                grading.entry.student,
                verdict.exercise,
                number(verdict.points),
                number(verdict.max_points),
                verdict.status,
                ";".join(verdict.findings),
            )
            writer.writerow([for_spreadsheet(cell) for cell in row])
    return sheet.getvalue()


def gradescope(gradings: Sequence[Grading]) -> dict[str, Any]:
    """One student's gradings as Gradescope's results.json: a test for each exercise."""
    verdicts = [verdict for grading in gradings for verdict in grading.verdicts]
    tests = [
        {
            "number": f"{place}",
            "name": f"{verdict.lesson or 'No lesson'} · {verdict.title}",
            "score": round(verdict.points, 4),
            "max_score": round(verdict.max_points, 4),
            "status": "passed" if _is_full(verdict) else "failed",
            "output": plain_text(verdict),
            "output_format": "text",
            "tags": [verdict.exercise, verdict.status, *verdict.findings],
            "visibility": "visible",
        }
        for place, verdict in enumerate(verdicts, start=1)
    ]
    problems = [f"{g.entry.path}: {g.entry.problem}" for g in gradings if g.entry.problem]
    return {
        "score": round(sum(verdict.points for verdict in verdicts), 4),
        "execution_time": round(sum(grading.seconds for grading in gradings), 3),
        "output": "\n".join(problems),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
    }


def plain_text(verdict: Verdict) -> str:
    """What a student may read of `verdict`, as text; no hidden inputs, no reference."""
    verdict = for_student(verdict)
    lines = [by_hand(verdict), verdict.summary]
    if verdict.error is not None:
        where = f" (line {verdict.error.line})" if verdict.error.line else ""
        lines.append(f"{verdict.error.type}: {verdict.error.message}{where}")
    lines += [f"{'✓' if check.passed else '✗'} {check.says}" for check in verdict.checks]
    lines += [f"Note: {remark}" for remark in verdict.remarks]
    return "\n".join(line for line in lines if line)


def by_hand(verdict: Verdict) -> str:
    """What a student is told of points set by hand; empty where none were."""
    if verdict.by_hand is None:
        return ""
    found, most = number(verdict.by_hand.found), number(verdict.max_points)
    return f"Points set by hand (the checks gave {found} of {most}): {verdict.by_hand.reason}"


def _is_full(verdict: Verdict) -> bool:
    if verdict.by_hand is not None:
        return verdict.points >= verdict.max_points > 0
    return verdict.status == "passed"


def write_gradescope(path: Path, gradings: Sequence[Grading]) -> None:
    """Write one student's results.json to `path`."""
    write_whole(path, json.dumps(gradescope(gradings), ensure_ascii=False, indent=1) + "\n")


def write_whole(path: Path, text: str) -> None:
    """Put `text` at `path` as UTF-8 such that a reader, or a killed run, never meets half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_name(f".{path.name}.writing")
    try:
        scratch.write_bytes(text.encode("utf-8", "backslashreplace"))
        scratch.replace(path)
    except BaseException:
        scratch.unlink(missing_ok=True)
        raise
