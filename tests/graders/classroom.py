"""Verdicts and gradings made up for the tests of what is written about them."""

from collections.abc import Iterable
from typing import Any

from graders.gradebook import Entry, Grading
from graders.verdict import CheckReport, StudentError, Verdict


def verdict(exercise: str = "fn-square", status: str = "passed", **changes: Any) -> Verdict:
    points = {"passed": 4.0, "partial": 2.0}.get(status, 0.0)
    made: dict[str, Any] = {
        "exercise": exercise,
        "lesson": "07_custom_functions",
        "title": f"Title of {exercise}",
        "symbol": "Square",
        "status": status,
        "points": points,
        "max_points": 4.0,
        "findings": (),
        "summary": f"Summary of {exercise}.",
        "checks": (
            CheckReport(
                "values", points > 0, points / 2, 2.0, "The values are right.", "x = 1.23456"
            ),
            CheckReport("gradient", points > 2, points / 2, 2.0, "The gradient is right."),
        ),
        "misconception": None,
        "remarks": (),
        "error": None,
        "output": "",
        "section": "",
        "source": "",
    }
    return Verdict(**{**made, **changes})


def misled(exercise: str = "fn-square", id: str = "ignores-grad-output", **changes: Any) -> Verdict:
    return verdict(exercise, "failed", findings=(id,), misconception=id, **changes)


def stopped(exercise: str = "fn-square", line: str = "    return toch.exp(x)") -> Verdict:
    error = StudentError("NameError", "name 'toch' is not defined", 7, line)
    return verdict(exercise, "error", error=error, summary="Your cell stopped with an error.")


def entry(student: str = "ada", lesson: str = "07_custom_functions", **changes: Any) -> Entry:
    made: dict[str, Any] = {
        "path": f"{student}/{lesson}.ipynb",
        "digest": "d1",
        "exercise_set": "v1",
        **changes,
    }
    return Entry(student, lesson, **made)


def grading(student: str = "ada", verdicts: Iterable[Verdict] = (), **changes: Any) -> Grading:
    made: dict[str, Any] = {
        "entry": entry(student),
        "verdicts": tuple(verdicts) or (verdict(),),
        "seed": 1,
        "seconds": 0.25,
        "isolation": "bubblewrap",
        "limits": {"seconds": 10.0},
        **changes,
    }
    return Grading(**made)
