"""Predictions in the stepper: nothing is given away before, a wrong idea is named after."""

import pytest

from tests.browser.stepper_stories import log_sin, stale

ASKED = 7


@pytest.fixture
def gate(stepped):
    page = stepped(log_sin())
    page.set("position", ASKED)
    return page


def test_before_an_answer_the_values_of_the_step_are_hidden(gate):
    assert "What is y.grad after this?" in gate.text(".gate")
    assert "grad ?" in gate.node("y")
    assert gate.chips()["y-sin"] == "?"
    for hidden in ("0.1662", "-0.2884", "The sine's share"):
        assert hidden not in gate.root.inner_text()
    assert gate.chips()["y-log"] == "0.4546"


def test_a_right_number_is_told_so_and_the_step_is_shown(gate):
    gate.at(".gate input").fill("0.16623")
    gate.at(".gate .commit").click()
    assert "Predicted right" in gate.text(".gate.right")
    assert "Both paths count." in gate.text(".gate.right")
    assert "= 0.1662" in gate.node("y")
    assert gate.says.startswith("The sine's share is added")
    assert gate.get("committed") == {"q1": "0.16623"}


@pytest.mark.parametrize("written", ["0.4546", " 4546e-4 ", "0,4546", "\uff10.\uff14546"])
def test_a_wrong_number_names_the_misconception(gate, written):
    gate.at(".gate input").fill(written)
    gate.at(".gate input").press("Enter")
    told = gate.text(".gate.wrong")
    assert "Not what happens" in told
    assert "It is 0.1662." in told
    assert "one-path: only the logarithm's path." in told


def test_an_unforeseen_number_is_wrong_without_a_name(gate):
    gate.at(".gate input").fill("-7")
    gate.at(".gate .commit").click()
    assert "You predicted -7. It is 0.1662." in gate.text(".gate.wrong")
    assert gate.at(".gate .idea").count() == 0


def test_what_is_no_number_can_be_corrected(gate):
    gate.at(".gate input").fill("a half")
    gate.at(".gate .commit").click()
    assert gate.text(".gate .note") == "Write a number, such as 0.25."
    assert gate.get("committed") == {}
    assert "grad ?" in gate.node("y")


def test_choices_are_buttons(stepped):
    page = stepped(log_sin())
    page.set("committed", {"q1": None})
    page.press("End")
    page.at(".choice >> text=x1").click()
    assert "in-order: arguments have no turn." in page.text(".gate.wrong")
    assert "You predicted x1. What happens: both together." in page.text(".gate.wrong")
    assert "grad 0.3324" in page.node("x1")


@pytest.mark.parametrize("how", ["button", "Escape"])
def test_a_question_may_be_skipped(gate, how):
    if how == "Escape":
        gate.at(".gate input").press("Escape")
    else:
        gate.at(".gate .skip").click()
    assert "Skipped" in gate.text(".gate")
    assert "= 0.1662" in gate.node("y")
    assert gate.get("committed") == {"q1": None}


def test_going_on_waits_for_the_answer_and_leads_the_eye_to_it(gate):
    gate.press("ArrowRight")
    assert gate.count == "8 / 9"
    assert gate.text(".gate .note") == "Commit to an answer first, or skip."
    assert gate.at(".gate input").evaluate("input => input === document.activeElement")
    gate.page.keyboard.type("0.5")
    gate.page.keyboard.press("ArrowLeft")
    gate.page.keyboard.press("Home")
    assert gate.count == "8 / 9"
    gate.page.keyboard.press("Enter")
    gate.page.keyboard.press("ArrowRight")
    assert gate.count == "9 / 9"


def test_the_scrubber_and_play_stop_where_a_question_waits(stepped):
    page = stepped(log_sin())
    page.press("End")
    assert page.count == "8 / 9"
    page.set("position", ASKED - 1)
    page.at("select[aria-label=Speed]").select_option("4")
    page.at("button.play").click()
    page.page.wait_for_function("model.get('position') === 7")
    page.page.wait_for_function(
        "document.querySelector('button.play').getAttribute('aria-label') === 'Play'"
    )


def test_whoever_wants_no_questions_is_not_asked(gate):
    gate.at(".ask input").uncheck()
    assert gate.at(".gate").count() == 0
    assert "= 0.1662" in gate.node("y")
    gate.press("End")
    assert gate.count == "9 / 9"
    gate.at(".ask input").check()
    assert gate.at(".gate.asking").count() == 1


def test_going_back_before_a_question_is_free_and_the_verdict_stays(gate):
    gate.press("ArrowLeft")
    assert gate.count == "7 / 9"
    gate.press("ArrowRight")
    gate.at(".gate input").fill("0.4546")
    gate.at(".gate .commit").click()
    gate.press("Home")
    gate.set("position", ASKED)
    assert "one-path" in gate.text(".gate.wrong")


def test_an_answer_that_the_story_does_not_have_is_kept_and_not_judged(stepped):
    page = stepped(log_sin() | {"answers": {}})
    page.set("position", ASKED)
    page.at(".gate input").fill("3")
    page.at(".gate .commit").click()
    assert "You predicted 3." in page.text(".gate.verdict")
    assert page.at(".gate.right, .gate.wrong").count() == 0


def test_a_question_hides_memory_and_errors_too(stepped):
    told = stale()
    for place, token in ((4, "slot"), (5, "error")):
        question = {"text": "And now?", "kind": "choice", "choices": ["a", "b"], "token": token}
        told["steps"][place]["question"] = question
    page = stepped(told)
    assert page.at(".mark").all_inner_texts() == ["?", "?"]
    page.press("End")
    assert page.count == "5 / 6"
    assert "STALE" not in page.text(".memory")
    assert "version 1" not in page.text(".memory")
    page.at(".skip").click()
    assert "STALE" in page.text(".memory")
    page.press("End")
    assert page.at(".error").count() == 0
    page.at(".skip").click()
    assert page.at(".error").count() == 1
