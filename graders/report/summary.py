"""Sums up a class's gradings for the report: counts, distribution, ranking."""

from __future__ import annotations

import functools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, median

from graders.answer import refused
from graders.exercise import UnknownExercise, load
from graders.gradebook import Grading
from graders.verdict import Verdict, best

BINS = 10
SLOWEST = 5
STOPPED = frozenset({"timeout", "memory_limit", "blocked"})


@dataclass(frozen=True)
class Student:
    """One student's results over all lessons handed in."""

    name: str
    gradings: tuple[Grading, ...]
    verdicts: Mapping[str, Verdict]

    @property
    def points(self) -> float:
        """Points earned."""
        return sum(verdict.points for verdict in self.verdicts.values())

    @property
    def max_points(self) -> float:
        """Points that could be earned in the lessons handed in."""
        return sum(verdict.max_points for verdict in self.verdicts.values())

    @property
    def share(self) -> float:
        """The fraction of the points that was earned."""
        return self.points / self.max_points if self.max_points else 0.0


@dataclass(frozen=True)
class ExerciseResult:
    """How a class did in one exercise."""

    id: str
    lesson: str
    title: str
    statuses: Mapping[str, int]
    mean_share: float
    findings: tuple[tuple[str, int], ...] = ()

    @property
    def passed(self) -> float:
        """The fraction of the submissions that passed."""
        return self.statuses.get("passed", 0) / self.submissions if self.submissions else 0.0

    @property
    def submissions(self) -> int:
        """How many submissions have a verdict on this exercise."""
        return sum(self.statuses.values())


@dataclass(frozen=True)
class Finding:
    """A misconception, a sentence about it, and the students who hold it.

    `example` is the cell of the student `shown`; both are empty when no cell was kept.
    """

    id: str
    exercise: str
    lesson: str
    title: str
    says: str
    students: tuple[str, ...]
    example: str = ""
    shown: str = ""


@dataclass(frozen=True)
class Bin:
    """Students whose share of the points lies in one tenth of the range."""

    label: str
    students: tuple[str, ...]


@dataclass(frozen=True)
class ClassSummary:
    """Everything that the report shows."""

    gradings: tuple[Grading, ...]
    students: tuple[Student, ...]
    exercises: tuple[ExerciseResult, ...]
    statuses: Mapping[str, int]
    misconceptions: tuple[Finding, ...]
    bins: tuple[Bin, ...]
    ignored: str = ""

    @property
    def unreadable(self) -> tuple[Grading, ...]:
        """Submissions that could not be read."""
        return tuple(grading for grading in self.gradings if grading.entry.problem)

    @property
    def not_graded(self) -> tuple[Grading, ...]:
        """Submissions that were read, but on which the grader itself failed."""
        return tuple(g for g in self.gradings if not g.isolation and not g.entry.problem)

    @property
    def by_hand(self) -> list[tuple[str, Verdict]]:
        """Verdicts whose points the instructor has set by hand, each with its student."""
        return self._answers(lambda verdict: verdict.by_hand is not None)

    @property
    def limited(self) -> list[tuple[str, Verdict]]:
        """Verdicts with a limit reached or a call blocked, each with its student."""
        return self._answers(lambda verdict: verdict.status in STOPPED)

    @property
    def refused(self) -> list[tuple[str, Verdict]]:
        """Verdicts on answers that count although a call was refused, each with its student."""
        return self._answers(
            lambda verdict: verdict.status not in STOPPED and refused(verdict.error)
        )

    def _answers(self, wanted: Callable[[Verdict], bool]) -> list[tuple[str, Verdict]]:
        return [
            (student.name, verdict)
            for student in self.students
            for verdict in student.verdicts.values()
            if wanted(verdict)
        ]

    @property
    def mean_share(self) -> float:
        """The students' mean share of the points, from 0 to 1."""
        return mean(student.share for student in self.students) if self.students else 0.0

    @property
    def median_share(self) -> float:
        """The students' median share of the points, from 0 to 1."""
        return median(student.share for student in self.students) if self.students else 0.0

    @property
    def seconds(self) -> float:
        """Time spent on grading, over all submissions."""
        return sum(grading.seconds for grading in self.gradings)

    @property
    def median_seconds(self) -> float:
        """The median time that a submission took."""
        return median(grading.seconds for grading in self.gradings) if self.gradings else 0.0

    @property
    def slowest(self) -> list[Grading]:
        """The submissions that took longest, slowest first."""
        return sorted(self.gradings, key=lambda grading: -grading.seconds)[:SLOWEST]

    @property
    def isolations(self) -> list[str]:
        """The kinds of isolation in which these verdicts were reached."""
        return sorted({g.isolation for g in self.gradings if g.isolation})

    @property
    def limits(self) -> list[Mapping[str, float]]:
        """The distinct limits under which these verdicts were reached."""
        distinct: list[Mapping[str, float]] = []
        for grading in self.gradings:
            if grading.limits and dict(grading.limits) not in distinct:
                distinct.append(dict(grading.limits))
        return distinct


def summarize(gradings: Iterable[Grading], ignored: str = "") -> ClassSummary:
    """Sum up `gradings`, which may come from any number of students and lessons.

    `ignored` says which files were found that are not submissions.
    """
    gradings = tuple(gradings)
    students = _students(gradings)
    verdicts = [
        (student.name, verdict) for student in students for verdict in student.verdicts.values()
    ]
    return ClassSummary(
        gradings=gradings,
        students=students,
        exercises=_exercises(verdict for _, verdict in verdicts if verdict.max_points),
        statuses=Counter(verdict.status for _, verdict in verdicts),
        misconceptions=_misconceptions(verdicts),
        bins=_bins(students),
        ignored=ignored,
    )


def _students(gradings: Iterable[Grading]) -> tuple[Student, ...]:
    handed_in: dict[str, list[Grading]] = defaultdict(list)
    for grading in gradings:
        handed_in[grading.entry.student].append(grading)
    return tuple(
        Student(name, tuple(own), counted_answers(own))
        for name, own in sorted(handed_in.items(), key=lambda item: item[0].casefold())
    )


def counted_answers(gradings: Iterable[Grading]) -> dict[str, Verdict]:
    """The student's best verdict on each exercise, by id: a lesson handed in twice counts once."""
    return best(verdict for grading in gradings for verdict in grading.verdicts)


def _exercises(verdicts: Iterable[Verdict]) -> tuple[ExerciseResult, ...]:
    by_id: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        by_id[verdict.exercise].append(verdict)
    results = [
        ExerciseResult(
            id=id,
            lesson=group[0].lesson,
            title=group[0].title,
            statuses=Counter(verdict.status for verdict in group),
            mean_share=mean(v.points / v.max_points if v.max_points else 0.0 for v in group),
            findings=tuple(Counter(v.findings[0] for v in group if v.findings).most_common()),
        )
        for id, group in by_id.items()
    ]
    # The sort is stable, so exercises keep their order within a lesson.
    return tuple(sorted(results, key=lambda result: result.lesson))


def _misconceptions(verdicts: Iterable[tuple[str, Verdict]]) -> tuple[Finding, ...]:
    held: dict[tuple[str, str], list[tuple[str, Verdict]]] = defaultdict(list)
    for student, verdict in verdicts:
        if verdict.misconception:
            for id in verdict.findings:
                held[verdict.exercise, id].append((student, verdict))
    findings = [_finding(id, holders) for (_, id), holders in held.items()]
    return tuple(sorted(findings, key=lambda found: (-len(found.students), found.exercise)))


def _finding(id: str, holders: Sequence[tuple[str, Verdict]]) -> Finding:
    first = holders[0][1]
    # The shortest cell shows the idea with the least other code.
    cells = [(len(own.source), name, own.source) for name, own in holders if own.source.strip()]
    _, shown, example = min(cells, default=(0, "", ""))
    return Finding(
        id=id,
        exercise=first.exercise,
        lesson=first.lesson,
        title=first.title,
        says=_says(first.exercise, id) or first.summary,
        students=tuple(name for name, _ in holders),
        example=example.strip("\n"),
        shown=shown,
    )


@functools.cache
def _says(exercise: str, id: str) -> str:
    """What the misconception says; "" when the exercise no longer has it."""
    try:
        ideas = load(exercise).misconceptions
    except UnknownExercise:
        return ""
    return next((idea.says for idea in ideas if idea.id == id), "")


def _bins(students: Sequence[Student]) -> tuple[Bin, ...]:
    members: list[list[str]] = [[] for _ in range(BINS)]
    for student in students:
        members[max(0, min(int(student.share * BINS + 1e-9), BINS - 1))].append(student.name)
    width = 100 // BINS
    labels = [f"{k * width}-{(k + 1) * width - 1}%" for k in range(BINS - 1)]
    labels.append(f"{100 - width}-100%")
    return tuple(Bin(label, tuple(names)) for label, names in zip(labels, members, strict=True))
