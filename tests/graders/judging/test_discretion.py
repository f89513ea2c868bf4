import pytest

from graders.exercise import all_exercises
from graders.judging.discretion import for_student, without_numbers
from graders.verdict import StudentError
from tests.graders.classroom import verdict


@pytest.mark.parametrize(
    ("printed", "told"),
    [
        ("x = tensor([1.25, -3e-5, .5])", "x = tensor([▒, -▒, ▒])"),
        ("step 3 of 10: x1 is done", "step ▒ of ▒: x1 is done"),
        ("nothing to hide", "nothing to hide"),
    ],
)
def test_what_is_printed_during_the_checks_is_told_without_its_numbers(printed, told):
    assert without_numbers(printed) == told


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("bad input 0.7312 at 3", "bad input ▒ at 3"),
        ("got tensor([1., 2.])", "got tensor([▒, ▒])"),
        ("shapes (3,) and (2,) differ", "shapes (3,) and (2,) differ"),
        ("is at version 1; expected version 0.", "is at version 1; expected version 0."),
        ("needs Python 3.11.2", "needs Python 3.11.2"),
    ],
)
def test_an_exception_of_the_checks_keeps_whole_numbers_and_no_inputs(message, told):
    error = StudentError("ValueError", message)
    own = verdict(status="failed", error=error, summary=f"The code stopped with `E`: {message}")
    shown = for_student(own)
    assert shown.error
    assert shown.error.message == told
    assert shown.summary.endswith(told)


def test_an_exception_of_the_cell_itself_is_told_as_it_is():
    error = StudentError("ValueError", "the loss is 0.7312")
    own = verdict(status="error", error=error, checks=())
    assert for_student(own) == own


def test_details_of_the_checks_are_not_for_students():
    assert {check.details for check in for_student(verdict()).checks} == {""}


@pytest.mark.parametrize("exercise", all_exercises(), ids=lambda each: each.id)
def test_the_graders_own_words_hold_nothing_that_would_be_left_out(exercise):
    says = [idea.says for idea in exercise.misconceptions]
    says += [words for check in exercise.checks for words in (check.passes, check.fails)]
    own = verdict(status="failed", error=StudentError("ValueError", ""))
    for words in says:
        made = for_student(verdict(status="failed", error=own.error, summary=words))
        assert made.summary == words
