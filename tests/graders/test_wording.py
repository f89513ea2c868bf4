import json
from dataclasses import replace

import pytest

from graders.draws import all_from
from graders.exercise import all_exercises, load
from graders.judging.judge import judge
from graders.observation import Observations
from graders.runner import unjudged
from graders.selftest import judged
from graders.verdict import StudentError, Verdict
from graders.wording import reworded

SQUARE = load("fn-square")
IDEAS = [pytest.param(SQUARE, each.solution, id=each.id) for each in SQUARE.misconceptions]


def worth(exercise, points, *weights):
    checks = [
        replace(check, weight=weight)
        for check, weight in zip(exercise.checks, weights or [1] * 99, strict=False)
    ]
    return replace(exercise, points=points, checks=(*checks,))


def louder(exercise):
    """`exercise` with all of its words in capitals."""
    return replace(
        exercise,
        title=exercise.title.upper(),
        section=exercise.section.upper(),
        checks=tuple(
            replace(each, passes=each.passes.upper(), fails=each.fails.upper())
            for each in exercise.checks
        ),
        misconceptions=tuple(
            replace(each, says=each.says.upper()) for each in exercise.misconceptions
        ),
        remarks=tuple(replace(each, says=each.says.upper()) for each in exercise.remarks),
    )


def kept(verdict):
    """`verdict` as it comes back from a gradebook."""
    return Verdict.from_json(json.loads(json.dumps(verdict.to_json())))


def solutions():
    for exercise in all_exercises():
        yield exercise, exercise.reference
        for idea in exercise.misconceptions[:2]:
            yield exercise, idea.solution


def test_the_same_exercise_puts_what_was_found_in_the_same_words():
    for exercise, solution in solutions():
        verdict = judged(exercise, solution, 1)
        assert reworded(exercise, kept(verdict)) == verdict


def test_new_words_leave_the_students_cell_as_it_was_kept():
    before = replace(
        judged(SQUARE, SQUARE.misconceptions[0].solution, 1), source="class Square: ..."
    )
    assert reworded(louder(SQUARE), kept(before)).source == "class Square: ..."


@pytest.mark.parametrize(("exercise", "solution"), IDEAS)
@pytest.mark.parametrize(
    "change", [louder, lambda exercise: worth(exercise, 9, 1, 1, 2, 5, 1, 9, 1)]
)
def test_a_changed_exercise_says_what_running_it_again_would_say(exercise, solution, change):
    before = judged(exercise, solution, 1)
    changed = change(exercise)
    # Recognition keeps what an exercise does by the exercise's identity: both have their own.
    assert reworded(changed, kept(before)) == judged(changed, solution, 1)
    assert reworded(changed, kept(before)) != before


def test_remarks_are_put_in_new_words():
    copies = next(v.solution for v in SQUARE.variants if v.name == "a copy of the input")
    verdict = reworded(louder(SQUARE), kept(judged(SQUARE, copies, 1)))
    assert verdict.remarks == (SQUARE.remarks[0].says.upper(),)


def test_an_unknown_mistake_keeps_its_diagnosis():
    class Cube(SQUARE.reference):
        @staticmethod
        def backward(ctx, grad_output):
            (x,) = ctx.saved_tensors
            return grad_output * 7 * x

    before = judged(SQUARE, Cube, 1)
    after = reworded(louder(worth(SQUARE, 8)), kept(before))
    assert before.misconception is None
    assert before.summary.removeprefix(SQUARE.checks[0].passes) in after.summary
    assert after.summary.startswith(SQUARE.checks[0].passes.upper())
    assert (after.points, after.max_points) == (1.14, 8)


@pytest.mark.parametrize(
    "observed",
    [
        Observations(found=False),
        Observations(found=False, error=StudentError("NameError", "no", 3, "x")),
        Observations(found=True, stopped="timeout", output="still there"),
    ],
)
def test_what_was_not_judged_keeps_its_status_words_and_output(observed):
    before = judge(SQUARE, observed, all_from(SQUARE, 1))
    after = reworded(louder(worth(SQUARE, 8)), kept(before))
    assert after == replace(
        before, max_points=8, title=SQUARE.title.upper(), section=SQUARE.section.upper()
    )


def test_so_does_what_the_grader_failed_on():
    after = reworded(worth(SQUARE, 8), kept(unjudged(SQUARE, "The grader failed.")))
    assert (after.status, after.summary, after.max_points) == ("error", "The grader failed.", 8)


def test_what_was_made_from_nothing_that_is_kept_cannot_be_put_anew():
    verdict = judged(SQUARE, SQUARE.misconceptions[0].solution, 1)
    assert reworded(SQUARE, replace(verdict, basis=None)) is None


def test_nor_can_what_is_about_other_checks_or_ideas():
    verdict = judged(SQUARE, SQUARE.misconceptions[0].solution, 1)
    assert reworded(replace(SQUARE, checks=SQUARE.checks[:3]), verdict) is None
    assert reworded(replace(SQUARE, misconceptions=()), verdict) is None
