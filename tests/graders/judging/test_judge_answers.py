"""What is said of answers to predictions, without telling the right ones."""

import pytest

from tests.graders.judging.judgements import judged


def test_an_exercise_to_predict_never_tells_the_answer():
    wrong = {"a": False, "b": True, "c": True, "d": False, "e": True, "f": True}

    verdict = judged("leaf-predict", wrong)

    words = verdict.summary + "".join(report.says + report.details for report in verdict.checks)
    assert verdict.status == "failed"
    assert "expected" not in words
    assert "True" not in words


def test_unfinished_predictions_are_told_what_is_missing():
    verdict = judged("leaf-predict", {"a": True, "b": True, "c": False})

    assert verdict.summary == "There is no answer yet for `d`, `e`, `f`."
    assert (verdict.status, verdict.points) == ("partial", 1)
    assert "should be a dict" in judged("leaf-predict", [True] * 6).summary


def test_answers_that_are_missing_or_odd_are_told_beside_an_idea_that_is_named():
    verdict = judged("leaf-predict", {"a": True, "b": "yes", "c": None, "d": False, "e": False})

    assert verdict.findings == ("detach-keeps-history", "operations-always-make-non-leaves")
    assert [report.says for report in verdict.checks] == [
        "Your answer for `b` is a string, where True or False is needed.",
        "There is no answer yet for `c`.",
        "There is no answer yet for `f`.",
    ]


def test_keys_that_nobody_asks_for_are_told_beside_those_that_have_no_answer():
    told = "There is no answer yet for `y2`, `z`. The starter has no key `Y2` or `z `."
    answered = {"y1": 2.0, "Y2": 0.6931, "y3": 0.9093, "z ": 0.6303}

    assert judged("graph-forward", answered).summary == told
    assert judged("graph-forward", dict.fromkeys(["y2", "z"]) | answered).summary == told
    assert "no key" not in judged("graph-forward", {"y1": 2.0, "x1`": 1}).summary


@pytest.mark.parametrize(
    "word",
    [
        *("error", "raises", "An error.", "RuntimeError", "'Error'", "Raises an exception!"),
        *("RuntimeError: a second time", "\uff25rror\u3002", RuntimeError, RuntimeError("again")),
    ],
)
def test_a_word_that_may_be_answered_is_known_however_it_is_put(word):
    assert judged("reqgrad-backward-twice", word).misconception == "always-an-error"


def test_another_word_is_told_which_answers_are_asked_for():
    assert 'where a number or `"error"` is needed' in (
        judged("reqgrad-backward-twice", "forty-eight").summary
    )


@pytest.mark.parametrize("none", [None, "None", " none."])
def test_none_is_known_as_an_idea_with_and_without_quotation_marks(none):
    assert judged("nograd-predict", none).misconception == "off-for-ever"
    assert judged("detach-predict", none).misconception == "no-gradient-expected"


def test_an_idea_of_a_whole_answer_is_not_named_where_something_else_is_wrong():
    detached = dict.fromkeys(["target", "before", "masked", "array", "twin", "noisy"], "detach")

    assert judged("detach-needs", detached).findings == ("detach-for-everything",)
    assert (
        "detach-for-everything"
        not in judged("detach-needs", detached | {"target": "clone"}).findings
    )
