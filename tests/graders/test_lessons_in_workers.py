"""A lesson's own cells run in a worker as they do in a notebook: answers may be built on them."""

from pathlib import Path

import pytest

from graders.exercise import exercises_of, load, source_of
from graders.installed_lessons import code_cells
from graders.isolation import Limits, choose
from graders.reading.magics import runnable
from graders.reading.submissions import Submission
from graders.reading.written import PackedCells, Written
from graders.runner import grade_submission
from tests.graders.workers import ISOLATING, events_of
from tests.lessons.notebooks import lessons

LOOP_ON_THE_LESSONS_NETWORK = """
def train(x, y, steps, seed):
    parameters, losses = new_parameters(seed), []
    for _ in range(steps):
        loss = mse(network(parameters, x), y)
        loss.backward()
        without_recording(parameters)
        for p in parameters:
            p.grad = None
        losses.append(loss.item())
    return lambda new: network(parameters, new), losses
"""

pytestmark = pytest.mark.skipif(not ISOLATING, reason="no isolation works on this machine")


def solved(lesson, answers=None):
    """The sources of the lesson's cells with right answers, and the exercise that each is for."""
    right = {each.id: source_of(each.reference, each.symbol) for each in exercises_of(lesson)}
    right.update(answers or {})
    for cell in code_cells(lesson):
        exercise = cell["metadata"].get("exercise")
        yield right.get(exercise, runnable("".join(cell["source"]))), exercise


@pytest.mark.parametrize("lesson", lessons())
def test_no_cell_of_a_solved_lesson_stops(lesson):
    told = events_of(ISOLATING[0], [source for source, _ in solved(lesson)])

    assert [each["error"] for each in told if each["event"] == "cell_error"] == []


def test_an_answer_may_go_on_with_what_the_lesson_has_made_of_earlier_ones():
    exercise = load("cap-train")
    answers = {exercise.id: LOOP_ON_THE_LESSONS_NETWORK}
    cells = PackedCells(
        [Written(i, *each) for i, each in enumerate(solved(exercise.lesson, answers))]
    )
    submission = Submission("ada", exercise.lesson, Path("ada"), cells, "d")

    verdicts = grade_submission(submission, choose(ISOLATING[0]), Limits(), 3)

    assert {verdict.status for verdict in verdicts} == {"passed"}
