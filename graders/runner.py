"""Grading one submission: observed in isolation, judged here."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace

from graders.draws import Draws
from graders.exercise import Exercise, exercises_of
from graders.isolation import Isolation, Limits
from graders.judging.assessment import Assessment
from graders.judging.discretion import without_numbers
from graders.judging.judge import printable
from graders.observation import Observations
from graders.reading.cells import Cell, Place, redefined_at
from graders.reading.submissions import Submission
from graders.remembered import verdict_on
from graders.run.seeds import draws
from graders.sitting import Sitting
from graders.verdict import Verdict, best
from graders.wording import worded

log = logging.getLogger(__name__)

LONGEST_SOURCE = 4_000
MENDABLE = ("partial", "failed", "error")
"""Statuses for which a later cell that defines the answer again is tried, too."""

LOST = "The file is damaged: an answer to this may have been in the part that cannot be read."


def grade_submission(
    submission: Submission, isolation: Isolation, limits: Limits, seed: int
) -> list[Verdict]:
    """The verdicts on `submission`, one for each exercise of its lesson.

    `seed` draws the inputs of the checks: see `graders.run.seeds`. Raises WorkerFailed (of
    `graders.isolation.process`) when this machine cannot start a worker; nothing that a student
    hands in makes it raise.
    """
    exercises = exercises_of(submission.lesson)
    if submission.problem:
        return [unjudged(exercise, submission.problem) for exercise in exercises]
    cells = tuple(submission.cells)
    verdicts, places = _verdicts(cells, exercises, isolation, limits, seed)
    again = {
        verdict.exercise: place
        for verdict in verdicts
        if verdict.status in MENDABLE and (at := places[verdict.exercise]) is not None
        if (place := redefined_at(cells, verdict.symbol, at)) is not None
    }
    if again:
        mended = [exercise for exercise in exercises if exercise.id in again]
        seconds, _ = _verdicts(cells, mended, isolation, limits, seed, again)
        better = best([*verdicts, *seconds])
        verdicts = [better[exercise.id] for exercise in exercises]
    if not submission.damaged:
        return verdicts
    # This includes an untouched starter: the answer may have been in a lost cell below it.
    return [
        unjudged(exercise, LOST) if verdict.status == "not_attempted" else verdict
        for exercise, verdict in zip(exercises, verdicts, strict=True)
    ]


def _verdicts(
    cells: Sequence[Cell],
    exercises: Sequence[Exercise],
    isolation: Isolation,
    limits: Limits,
    seed: int,
    places: Mapping[str, Place] | None = None,
) -> tuple[list[Verdict], dict[str, int | None]]:
    """The verdict on each exercise, and the index of the cell after which it was examined."""
    sitting = Sitting(cells, exercises, isolation, limits, seed, places)
    observed = sitting.observe()
    sources = {cell.index: cell.source for cell in cells}
    found: dict[str, int | None] = {}
    verdicts = []
    for exercise in exercises:
        cell, seen = sitting.answers[exercise.id].cell, observed[exercise.id]
        found[exercise.id] = cell
        source = "" if cell is None else sources[cell]
        verdict = _judged(exercise, seen, draws(seed, exercise))
        verdicts.append(_told(verdict, seen, source))
    return verdicts, found


def unjudged(exercise: Exercise, why: str) -> Verdict:
    """The verdict of status error on an exercise that could not be judged, because of `why`."""
    return worded(exercise, Assessment("error", why))


def _judged(exercise: Exercise, observations: Observations, draws: Draws) -> Verdict:
    try:
        return verdict_on(exercise, observations, draws)
    except Exception:
        # One exercise's judge must not cost the student the others.
        log.exception("The judge of %s failed", exercise.id)
        return unjudged(exercise, "The grader itself failed on this exercise.")


def _told(verdict: Verdict, observations: Observations, source: str) -> Verdict:
    """`verdict` as it is stored: with the source of its cell, without the checks' inputs."""
    if not observations.output.strip():
        # This was printed during the checks and may show inputs, which students must not see.
        verdict = replace(verdict, output=without_numbers(verdict.output))
    if verdict.status in ("passed", "not_attempted"):
        return verdict
    return replace(verdict, source=printable(source)[:LONGEST_SOURCE])
