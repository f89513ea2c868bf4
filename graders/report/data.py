"""The report's data for its script: every submission and verdict, in compact JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from graders.report import words
from graders.report.summary import ClassSummary
from graders.verdict import Verdict

BETTER_ELSEWHERE = 1
SET_BY_HAND = 2
"""Marks on a verdict: another submission counts instead; an instructor has set the points."""

# Escaped, because these characters could end the script element or begin a comment in it.
SPELLED_OUT = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


def embedded(data: object) -> str:
    """`data` as JSON that is safe inside a script element, whatever students have typed."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.translate(SPELLED_OUT)


def page_data(summary: ClassSummary, links: Mapping[str, str]) -> dict[str, Any]:
    """Everything that the script shows, in lists that refer to each other by index."""
    verdicts = [verdict for grading in summary.gradings for verdict in grading.verdicts]
    exercises = _exercises(summary, verdicts)
    lessons = _numbered(
        sorted(
            {lesson for *_, lesson in exercises.values()}
            | {grading.entry.lesson for grading in summary.gradings}
        )
    )
    findings = _numbered(
        (verdict.exercise, id, int(verdict.misconception is not None))
        for verdict in verdicts
        for id in verdict.findings
    )
    statuses = _numbered(words.SYMBOLS)
    students = _numbered(student.name for student in summary.students)
    counting = {id(v) for student in summary.students for v in student.verdicts.values()}
    places = {id: place for place, id in enumerate(exercises)}

    def row(verdict: Verdict) -> list[Any]:
        named = [
            findings[verdict.exercise, id, int(verdict.misconception is not None)]
            for id in verdict.findings
        ]
        marks = 0 if id(verdict) in counting else BETTER_ELSEWHERE
        if verdict.by_hand is not None:
            marks |= SET_BY_HAND
        numbers = [
            places[verdict.exercise],
            statuses[verdict.status],
            round(verdict.points, 2),
            round(verdict.max_points, 2),
        ]
        return [*numbers, named, marks] if marks else [*numbers, named] if named else numbers

    return {
        "students": [[name, links.get(name, "")] for name in students],
        "lessons": [words.lesson_title(lesson) for lesson in lessons],
        "exercises": [[id, title, lessons[lesson]] for id, title, lesson in exercises.values()],
        "columns": [places[exercise.id] for exercise in summary.exercises],
        "statuses": [[name, words.symbol(name), words.label(name)] for name in statuses],
        "findings": [[places[exercise], id, known] for exercise, id, known in findings],
        "submissions": [
            [
                students[grading.entry.student],
                lessons[grading.entry.lesson],
                round(grading.seconds, 3),
                grading.entry.problem,
                [row(verdict) for verdict in grading.verdicts],
            ]
            for grading in summary.gradings
        ],
    }


def _exercises(
    summary: ClassSummary, verdicts: Iterable[Verdict]
) -> dict[str, tuple[str, str, str]]:
    """The id, title and lesson of every exercise; those of the report's columns come first."""
    known = {each.id: (each.id, each.title, each.lesson) for each in summary.exercises}
    for verdict in verdicts:
        known.setdefault(verdict.exercise, (verdict.exercise, verdict.title, verdict.lesson))
    return known


def _numbered(things: Iterable[Any]) -> dict[Any, int]:
    """Each of `things` once, in order, with its index."""
    return {thing: place for place, thing in enumerate(dict.fromkeys(things))}
