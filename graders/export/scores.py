"""A student's score in each lesson, which is all that most other gradebooks can hold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from graders.gradebook import Grading
from graders.verdict import Verdict, best


@dataclass(frozen=True)
class Scores:
    """`points[student][lesson]`, for the lessons handed in, and what each lesson is worth."""

    points: Mapping[str, Mapping[str, float]]
    worth: Mapping[str, float]

    @property
    def students(self) -> list[str]:
        """All students, in order of their names."""
        return list(self.points)

    @property
    def lessons(self) -> list[str]:
        """The lessons that at least one student has handed in, in order."""
        return list(self.worth)


def scores(gradings: Iterable[Grading]) -> Scores:
    """Sum up `gradings`; a lesson that was handed in twice counts once, with the better answers.

    A submission of an unknown lesson has no score, but its student is among the students.
    """
    handed_in: dict[str, dict[str, list[Verdict]]] = {}
    worth: dict[str, float] = defaultdict(float)
    for grading in gradings:
        lessons = handed_in.setdefault(grading.entry.student, {})
        if grading.entry.lesson:
            lessons.setdefault(grading.entry.lesson, []).extend(grading.verdicts)
            whole = sum(verdict.max_points for verdict in grading.verdicts)
            worth[grading.entry.lesson] = max(worth[grading.entry.lesson], whole)
    return Scores(
        {
            student: {
                lesson: sum(verdict.points for verdict in best(verdicts).values())
                for lesson, verdicts in sorted(lessons.items())
            }
            for student, lessons in sorted(handed_in.items())
        },
        dict(sorted(worth.items())),
    )
