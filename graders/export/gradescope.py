"""Results for Gradescope: results.json, as Gradescope's documentation defines it."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from graders.export.files import write_whole
from graders.export.spreadsheet import number
from graders.gradebook import Grading
from graders.judging.discretion import for_student
from graders.report.words import check_sign
from graders.verdict import Verdict, best


def gradescope(gradings: Sequence[Grading]) -> dict[str, Any]:
    """One student's gradings as Gradescope's results.json: a test for each exercise.

    A lesson that was handed in twice counts once, with the better answers.
    """
    verdicts = best(verdict for grading in gradings for verdict in grading.verdicts).values()
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


@functools.lru_cache(maxsize=1024)
def plain_text(verdict: Verdict) -> str:
    """What a student may read of `verdict`, as text, without hidden inputs and the reference."""
    verdict = for_student(verdict)
    lines = [by_hand(verdict), verdict.summary]
    if verdict.error is not None and verdict.error.message != verdict.summary:
        where = f" (line {verdict.error.line})" if verdict.error.line else ""
        lines.append(f"{verdict.error.type}: {verdict.error.message}{where}")
    lines += [f"{check_sign(check)} {check.says}" for check in verdict.checks]
    lines += [f"Note: {remark}" for remark in verdict.remarks]
    return "\n".join(line for line in lines if line)


def by_hand(verdict: Verdict) -> str:
    """What a student is told about points set by hand; empty when there are none."""
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
    write_whole(path, json.dumps(gradescope(gradings), ensure_ascii=False) + "\n")
