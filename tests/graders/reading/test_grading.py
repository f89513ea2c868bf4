"""What students do to notebooks, graded: the answer is found and judged wherever it has gone."""

import json

import pytest

from graders.exercise import PRELUDE, exercises_of, load, source_of
from graders.isolation import Limits, choose
from graders.reading.submissions import find_submissions
from graders.runner import grade_submission
from tests.graders.reading.hand_ins import LESSON, NAME, cell, hand_in, notebook

IDS = ("fn-square", "fn-exp")
SQUARE, EXP = (source_of(load(id).reference, load(id).symbol) for id in IDS)
SQUARE_STARTER, EXP_STARTER = (load(id).starter for id in IDS)
LATER = SQUARE.replace("return x * x", "return squared(x)")
HELPER = "def squared(x):\n    return x * x"


def statuses(top):
    (submission,) = find_submissions(top)
    verdicts = grade_submission(submission, choose("none"), Limits(seconds=5), seed=3)
    return {each.exercise: each.status for each in verdicts if each.exercise in IDS}


def graded(top, *cells, name=NAME):
    hand_in(top, f"ada/{name}", notebook(cell(PRELUDE), *cells))
    return statuses(top)


BOTH = {"fn-square": "passed", "fn-exp": "passed"}
FIRST = {"fn-square": "passed", "fn-exp": "not_attempted"}

HAND_INS = {
    "in order": ([cell(SQUARE, IDS[0]), cell(EXP, IDS[1])], BOTH),
    "reordered": ([cell(EXP, IDS[1]), cell(SQUARE, IDS[0])], BOTH),
    "stripped": ([cell(SQUARE), cell(EXP)], BOTH),
    "merged": ([cell(f"{SQUARE}\n\n{EXP}", IDS[0])], BOTH),
    "merged above the starter": (
        [cell(f"{SQUARE}\n\n{EXP}", IDS[0]), cell(EXP_STARTER, IDS[1])],
        BOTH,
    ),
    "split": ([cell(HELPER, IDS[0]), cell(LATER, IDS[0]), cell("'done'", IDS[0])], FIRST),
    "helper before": ([cell(HELPER), cell(LATER, IDS[0])], FIRST),
    "helper after": ([cell(LATER, IDS[0]), cell("x = 1"), cell(HELPER)], FIRST),
    "duplicated ids": ([cell(SQUARE, IDS[0], id="a"), cell(EXP, IDS[1], id="a")], BOTH),
    "copied, the starter last": ([cell(SQUARE, IDS[0]), cell(SQUARE_STARTER, IDS[0])], FIRST),
    "magics": ([cell(f"%%time\n{SQUARE}", IDS[0]), cell(f"!pip install x\n{EXP}", IDS[1])], BOTH),
    "await": ([cell(f"import asyncio\nawait asyncio.sleep(0)\n{SQUARE}", IDS[0])], FIRST),
    "an error above": ([cell("1 / 0"), cell(SQUARE, IDS[0])], FIRST),
    "an error below, in the cell": ([cell(f"{SQUARE}\n1 / 0", IDS[0])], FIRST),
    "prose instead of code": ([{**cell(SQUARE, IDS[0]), "cell_type": "markdown"}], FIRST),
    "merged, an error between": ([cell(f"{SQUARE}\n1 / 0\n{EXP}", IDS[0])], BOTH),
    "merged, an error above": ([cell(f"nothing.there\n{SQUARE}\n{EXP}", IDS[0])], BOTH),
    "merged, the first broken": (
        [cell(f"{SQUARE.replace(':', '', 1)}\n\n{EXP}", IDS[0])],
        {"fn-square": "error", "fn-exp": "passed"},
    ),
    "merged, the second cut off": (
        [cell(f"{SQUARE}\n\n{EXP}"[:-20] + "(", IDS[0])],
        {"fn-square": "passed", "fn-exp": "error"},
    ),
    "an error above, in the only answer's cell": (
        [cell(f"1 / 0\n{SQUARE}", IDS[0])],
        {**FIRST, "fn-square": "error"},
    ),
    "untouched": ([cell(SQUARE_STARTER, IDS[0])], {**FIRST, "fn-square": "not_attempted"}),
    "broken": ([cell(SQUARE.replace(":", "", 1), IDS[0])], {**FIRST, "fn-square": "error"}),
}


@pytest.mark.parametrize("name", HAND_INS)
def test_the_answer_is_found_wherever_it_has_gone(tmp_path, name):
    cells, expected = HAND_INS[name]

    assert graded(tmp_path, *cells) == expected


def test_the_lesson_may_have_lost_its_name_too(tmp_path):
    assert graded(tmp_path, cell(SQUARE), cell(EXP), name="Untitled 3.ipynb") == BOTH


def test_a_notebook_of_format_3_is_graded(tmp_path):
    cells = [{"cell_type": "code", "input": each} for each in (PRELUDE, SQUARE, EXP)]
    hand_in(tmp_path, f"ada/{NAME}", json.dumps({"worksheets": [{"cells": cells}], "nbformat": 3}))

    assert statuses(tmp_path) == BOTH


@pytest.mark.parametrize("mark", ["", "# %%\n", "# In[3]:\n", '# %% {"exercise": "fn-exp"}\n'])
def test_a_script_is_graded(tmp_path, mark):
    hand_in(tmp_path, f"ada/{LESSON}.py", f"{PRELUDE}\n{SQUARE}\n{mark}{EXP}")

    assert statuses(tmp_path) == BOTH


def test_every_answer_of_a_lesson_without_any_marks_is_found(tmp_path):
    exercises = exercises_of(LESSON)
    sources = [source_of(each.reference, each.symbol) for each in exercises]
    hand_in(tmp_path, f"ada/{NAME}", notebook(cell(PRELUDE), *map(cell, reversed(sources))))

    (submission,) = find_submissions(tmp_path)
    verdicts = grade_submission(submission, choose("none"), Limits(), seed=3)

    assert {each.status for each in verdicts} == {"passed"}


def test_a_script_with_a_slip_in_one_answer_keeps_the_others(tmp_path):
    broken = SQUARE.replace(":", "", 1)
    hand_in(tmp_path, f"ada/{LESSON}.py", f"{PRELUDE}\n{broken}\n{EXP}\nx = (")

    assert statuses(tmp_path) == {"fn-square": "error", "fn-exp": "passed"}


def test_a_limit_in_a_merged_cell_is_not_worked_around(tmp_path):
    assert graded(tmp_path, cell(f"raise PermissionError\n{SQUARE}\n{EXP}", IDS[0])) == {
        "fn-square": "blocked",
        "fn-exp": "blocked",
    }


def test_the_whole_cells_of_a_notebook_that_was_cut_off_are_graded(tmp_path):
    text = notebook(cell(PRELUDE), cell(SQUARE, IDS[0]), cell(EXP, IDS[1]), "x = 1")
    hand_in(tmp_path, f"ada/{NAME}", text[: text.index(EXP[:12]) + 20])

    # What was lost is no answer that was never tried.
    assert statuses(tmp_path) == {"fn-square": "passed", "fn-exp": "error"}
    (submission,) = find_submissions(tmp_path)
    assert submission.problem == ""
    assert "The file is damaged: its JSON is broken (line 1)" in submission.note


def test_a_byte_that_went_wrong_costs_its_cell_only(tmp_path):
    text = notebook(cell(PRELUDE), cell(SQUARE, IDS[0]), cell("x = 1"), cell(EXP, IDS[1]))
    hand_in(tmp_path, f"ada/{NAME}", text.replace('"x = 1"', '"x = 1\x00'))

    assert statuses(tmp_path) == BOTH


def test_an_error_between_two_answers_of_a_script_costs_neither(tmp_path):
    hand_in(tmp_path, f"ada/{LESSON}.py", f"{PRELUDE}\n{SQUARE}\n1 / 0\n{EXP}")

    assert statuses(tmp_path) == BOTH


def summary_of(top, exercise):
    (submission,) = find_submissions(top)
    verdicts = grade_submission(submission, choose("none"), Limits(seconds=5), seed=3)
    return next(each.summary for each in verdicts if each.exercise == exercise)


TOO_EARLY = (
    "It uses `{}`, which is defined only in a cell further down. Cells run from top to bottom, so "
    "that cell has to come first."
)


def test_cells_in_reversed_order_are_told_what_has_to_stand_above(tmp_path):
    hand_in(tmp_path, f"ada/{NAME}", notebook(cell(SQUARE, IDS[0]), cell(PRELUDE)))

    assert summary_of(tmp_path, IDS[0]) == (
        "The cell stopped with `NameError` before `Square` was defined. "
        + TOO_EARLY.format("Function")
    )


def test_a_value_that_is_missed_when_the_answer_is_looked_at_has_to_stand_above(tmp_path):
    exp = EXP.replace("x.exp()", "BASE**x").replace("torch.exp(x)", "BASE**x")
    cells = cell(PRELUDE), cell(exp, IDS[1]), cell("BASE = 2.718281828")
    hand_in(tmp_path, f"ada/{NAME}", notebook(*cells))

    assert summary_of(tmp_path, IDS[1]) == (
        "The code stopped with `NameError`: name 'BASE' is not defined. " + TOO_EARLY.format("BASE")
    )


def test_a_misspelled_name_is_told_which_may_be_meant(tmp_path):
    exp = EXP.replace("return grad_output", "return grad_ouput")
    hand_in(tmp_path, f"ada/{NAME}", notebook(cell(PRELUDE), cell(exp, IDS[1])))

    assert exp != EXP
    assert summary_of(tmp_path, IDS[1]).endswith(
        "Did you mean `grad_output` instead of `grad_ouput`?"
    )


def test_a_name_that_a_cell_above_defines_does_not_stand_too_low(tmp_path):
    cells = cell("1 / 0\nBase = 1"), cell("class Square(Base): ...", IDS[0]), cell("Base = 2")
    hand_in(tmp_path, f"ada/{NAME}", notebook(cell(PRELUDE), *cells))

    assert summary_of(tmp_path, IDS[0]) == (
        "The cell stopped with `NameError` before `Square` was defined."
    )
