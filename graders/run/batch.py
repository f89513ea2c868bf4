"""The unit of work of a run: one submission is handed to an executor, and a grading comes back.

`graders.executors` decides where it is graded: in processes here, or on a cluster.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass

from graders.exercise import exercises_of
from graders.gradebook import Entry, Grading
from graders.isolation import Isolation
from graders.isolation.limits import Limits
from graders.reading.submissions import Submission
from graders.runner import grade_submission, unjudged
from graders.verdict import Verdict


@dataclass(frozen=True)
class Job:
    """One submission to grade, and the seed of its inputs."""

    entry: Entry
    submission: Submission
    seed: int


Grade = Callable[[Submission, Isolation, Limits, int], list[Verdict]]


@dataclass(frozen=True)
class Settings:
    """The settings for all submissions of a run; `grade` is the function that grades one."""

    isolation: str
    limits: Limits
    grade: Grade = grade_submission


def grade_one(job: Job, isolation: Isolation, settings: Settings) -> Grading:
    """Grade one submission in this process. Never raises: an error becomes a verdict."""
    started = time.monotonic()
    try:
        verdicts = settings.grade(job.submission, isolation, settings.limits, job.seed)
    except Exception as error:
        return failed(job, f"The grader failed on this submission ({type(error).__name__}).")
    return Grading(
        entry=job.entry,
        verdicts=complete(job.entry, verdicts),
        seed=job.seed,
        seconds=time.monotonic() - started,
        isolation=isolation.name,
        limits=asdict(settings.limits),
    )


def complete(
    entry: Entry,
    verdicts: Iterable[Verdict],
    missing: str = "The grader has no result for this exercise.",
) -> tuple[Verdict, ...]:
    """`verdicts` with a row for each exercise of the lesson, in the lesson's order.

    A row without a verdict says why: the submission's problem, or else `missing`. A submission
    whose lesson is unknown has one row, for no exercise.
    """
    by_exercise = {verdict.exercise: verdict for verdict in verdicts}
    missing = entry.problem or missing
    rows = [
        by_exercise.pop(exercise.id) if exercise.id in by_exercise else unjudged(exercise, missing)
        for exercise in exercises_of(entry.lesson)
    ]
    return (*rows, *by_exercise.values()) or (_unplaced(entry, missing),)


def _unplaced(entry: Entry, why: str) -> Verdict:
    return Verdict(
        exercise="unknown",
        lesson=entry.lesson,
        title="Unknown exercise",
        symbol="",
        status="error",
        points=0.0,
        max_points=0.0,
        summary=why,
    )


def failed(job: Job, why: str) -> Grading:
    """The grading of a submission on which the grader itself failed, because of `why`."""
    return Grading(job.entry, complete(job.entry, (), why), job.seed, 0.0, "")
