"""What a verdict is worth: its status, its points, and what becomes of what was stopped."""

import pytest

from graders.exercise import load
from graders.exercises.fn_square import ForgetsTheTwo, Square
from graders.observation import Observations
from graders.observe.fingerprint import fingerprint
from graders.verdict import PROCESS_ENDED, CheckReport, StudentError, Verdict
from tests.graders.judging.judgements import OffByOne, judge_on, judged, observed

ERROR = StudentError("SyntaxError", "invalid syntax", 3, "retrun x")


class BreaksOnMatrices(Square):
    @staticmethod
    def backward(ctx, grad_output):
        if grad_output.ndim == 2:
            raise ValueError("too many dimensions")
        return Square.backward(ctx, grad_output)


def test_an_exception_is_told_and_what_was_not_reached_is_not_blamed():
    verdict = judged("fn-square", BreaksOnMatrices)

    assert verdict.status == "partial"
    assert "`ValueError`: too many dimensions." in verdict.summary
    assert [r.says for r in verdict.checks if r.name == "gradient"] == [
        "“gradient” could not be checked, because the code stopped."
    ]
    assert verdict.error is not None
    assert verdict.error.source_line == 'raise ValueError("too many dimensions")'


def test_a_check_that_anything_passes_counts_only_after_what_it_needs():
    verdict = judged("fn-square", OffByOne)

    report = next(report for report in verdict.checks if report.name == "grad_output")
    assert (report.passed, report.awaits, report.points) == (False, True, 0)
    assert report.says == "“grad_output” counts once “gradient” is right."


def test_a_check_may_wait_for_several_others():
    verdict = judged("graph-reverse", lambda x1, x2: (0.0, 0.0, 0.0))

    report = next(report for report in verdict.checks if report.name == "by hand")
    assert report.says == "“by hand” counts once “towards x1” and “towards x2” are right."


def test_points_are_shared_by_weight_and_add_up_exactly():
    verdict = judged("fn-square", Square)

    assert [report.max_points for report in verdict.checks] == [0.8, 1.2, 0.4, 0.4, 0.4, 0.4, 0.4]
    assert sum(report.max_points for report in verdict.checks) == pytest.approx(4, abs=1e-12)
    partial = judged("fn-square", ForgetsTheTwo)
    assert partial.status == "partial"
    assert partial.points == pytest.approx(sum(report.points for report in partial.checks))


def test_an_untouched_starter_and_an_absent_symbol_are_not_attempted():
    exercise = load("fn-square")
    starter = exercise.started()

    untouched = judge_on(exercise, observed(exercise, starter))
    absent = judge_on(exercise, Observations(found=False))

    assert untouched.status == absent.status == "not_attempted"
    assert untouched.summary == "Not attempted yet: the cell is as it was."
    assert absent.summary == "There is no `Square` yet."


def test_an_answer_under_another_name_is_no_answer_but_attempted():
    verdict = judge_on(load("fn-square"), Observations(found=False, instead="square"))

    assert (verdict.status, verdict.points) == ("failed", 0)
    assert verdict.summary == (
        "There is no `Square`, but there is `square`. The answer needs the name that the starter "
        "gives it."
    )


def test_a_symbol_missing_after_an_exception_is_an_error():
    verdict = judge_on(load("fn-square"), Observations(found=False, error=ERROR))

    assert verdict.status == "error"
    assert verdict.error == ERROR
    assert verdict.summary == "The cell stopped with `SyntaxError` before `Square` was defined."


@pytest.mark.parametrize(
    ("id", "name", "line", "told"),
    [
        ("detach-alias", "raises", 'after = {"x": [10, 2], "backward": raises}', True),
        ("dirty-endings", "silent", "endings = dict(unmarked=silent-wrong, marked=error)", True),
        ("dirty-versions", "view", "    view: 3,", True),
        ("leaf-predict", "a", 'is_leaf = {"a": a.is_leaf}', False),
        ("detach-needs", "detach", "needs = dict(target=detach(x))", False),
        ("detach-alias", "other", 'after = {"backward": other}', False),
        ("fn-square", "x", "y: x", False),
    ],
)
def test_a_key_or_word_without_quotation_marks_is_told_what_it_lacks(id, name, line, told):
    error = StudentError("NameError", f"name '{name}' is not defined", 2, line)
    verdict = judge_on(load(id), Observations(False, "", error=error))

    assert verdict.status == "error"
    assert ("quotation marks are missing" in verdict.summary) == told


def test_right_work_counts_although_a_later_line_of_the_cell_raised():
    exercise = load("fn-square")

    verdict = judge_on(exercise, observed(exercise, Square, error=ERROR))

    assert (verdict.status, verdict.points, verdict.error) == ("passed", 4, ERROR)


def test_worthless_work_in_a_cell_that_raised_is_an_error():
    exercise = load("fn-square")

    assert judge_on(exercise, observed(exercise, print, error=ERROR)).status == "error"
    assert judge_on(exercise, observed(exercise, print)).status == "failed"


@pytest.mark.parametrize("stopped", ["timeout", "memory_limit", "blocked"])
def test_what_was_stopped_from_outside_keeps_that_status(stopped):
    verdict = judge_on(load("fn-square"), Observations(found=True, stopped=stopped))

    assert (verdict.status, verdict.points) == (stopped, 0)
    assert verdict.summary


def test_a_missing_observation_is_a_failure():
    exercise = load("fn-square")

    verdict = judge_on(exercise, Observations(True, fingerprint(Square)))

    assert (verdict.status, verdict.points) == ("failed", 0)


def test_observations_of_other_inputs_do_not_pass():
    exercise = load("fn-square")

    assert judge_on(exercise, observed(exercise, Square, seed=1), seed=2).status != "passed"


def test_a_verdict_survives_the_way_through_json():
    import json

    for verdict in (judged("fn-square", BreaksOnMatrices), judged("fn-square", Square)):
        assert Verdict.from_json(json.loads(json.dumps(verdict.to_json()))) == verdict


def test_a_verdict_knows_its_statuses():
    with pytest.raises(ValueError, match="unknown status"):
        Verdict("e", "l", "t", "s", "fine", 0, 1)
    assert CheckReport("n", True, 1, 1, "s").details == ""


def test_a_process_that_ended_is_told_in_its_own_words():
    ended = StudentError(PROCESS_ENDED, "The code ended the Python process.")
    verdict = judge_on(load("fn-square"), Observations(found=False, error=ended))
    assert (verdict.status, verdict.summary) == ("error", "The code ended the Python process.")
