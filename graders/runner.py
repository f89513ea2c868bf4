"""Grading one submission: observed in isolation, judged here."""

from __future__ import annotations

import logging

from graders.assessment import Assessment
from graders.exercise import Exercise, exercises_of
from graders.isolation import Isolation, Limits
from graders.judge import judge
from graders.observation import Observations
from graders.sitting import Sitting
from graders.submissions import Submission
from graders.verdict import Verdict
from graders.wording import worded

log = logging.getLogger(__name__)


def grade_submission(
    submission: Submission, isolation: Isolation, limits: Limits, seed: int
) -> list[Verdict]:
    """The verdicts on `submission`, one for each exercise of its lesson.

    `seed` draws the inputs of the checks. Raises WorkerFailed (of `graders.isolation.process`) when
    this machine cannot start a worker; nothing that a student hands in makes it raise.
    """
    exercises = exercises_of(submission.lesson)
    if submission.problem:
        return [unjudged(exercise, submission.problem) for exercise in exercises]
    observed = Sitting(tuple(submission.cells), exercises, isolation, limits, seed).observe()
    return [_judged(exercise, observed[exercise.id], seed) for exercise in exercises]


def unjudged(exercise: Exercise, why: str) -> Verdict:
    """The verdict of status error on an exercise that could not be judged, because of `why`."""
    return worded(exercise, Assessment("error", why))


def _judged(exercise: Exercise, observations: Observations, seed: int) -> Verdict:
    try:
        return judge(exercise, observations, seed)
    except Exception:
        # One exercise's judge must not cost the student the others.
        log.exception("The judge of %s failed", exercise.id)
        return unjudged(exercise, "The grader itself failed on this exercise.")
