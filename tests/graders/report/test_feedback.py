import re
from dataclasses import replace

import pytest

from graders.answer import NO_MORE, told_by_signal
from graders.exercise import all_exercises, load
from graders.exercises.fn_square import ForgetsTheTwo
from graders.export.gradescope import plain_text
from graders.report import excerpt, feedback_page, summarize
from graders.report.words import encouragement
from graders.run.grading_run import write_results
from graders.selftest import judged, lines_of_solution
from graders.verdict import ByHand
from tests.graders.classroom import entry, grading, misled, stopped, verdict
from tests.graders.report.pages import Page, words_of


def test_feedback_runs_no_script_at_all():
    text = feedback_page("ada", [grading()])
    assert "script-src &#39;none&#39;" in text
    assert "<script" not in text


def test_feedback_tells_status_points_checks_remarks_and_output():
    shown = verdict(status="partial", remarks=("The engine summed it.",), output="loss 0.5\n")
    words = words_of(feedback_page("ada", [grading("ada", [shown])]))
    for expected in (
        "2 of 4 points",
        "partly right",
        "2 / 4",
        "The values are right.",
        "The gradient is right.",
        "The engine summed it.",
        "loss 0.5",
    ):
        assert expected in words, expected


def test_feedback_tells_checks_that_wait_from_those_that_failed():
    half = judged(load("fn-square"), ForgetsTheTwo, 1)
    words = words_of(feedback_page("ada", [grading("ada", [half])]))

    assert "…waiting: “grad_output” counts once “gradient” is right." in words
    assert "✗failed: The gradient is not right." in words


def test_feedback_has_no_hidden_inputs():
    assert "1.23456" not in feedback_page("ada", [grading("ada", [verdict(status="failed")])])


def test_feedback_shows_the_students_own_error_line():
    words = words_of(feedback_page("ada", [grading("ada", [stopped()])]))
    assert "NameError name 'toch' is not defined" in words
    assert "line 7 │ return toch.exp(x)" in words


def test_a_process_that_ended_is_told_once():
    ended = told_by_signal(0)[1]
    shown = replace(stopped(), error=ended, summary=ended.message)

    assert words_of(feedback_page("ada", [grading("ada", [shown])])).count(NO_MORE) == 1
    assert "ProcessEnded" not in feedback_page("ada", [grading("ada", [shown])])
    assert plain_text(shown).count(NO_MORE) == 1


def test_feedback_marks_the_idea_behind_a_misconception():
    assert "the idea behind it" in feedback_page("ada", [grading("ada", [misled()])])


@pytest.mark.parametrize(("status", "sent_back"), [("failed", True), ("passed", False)])
def test_feedback_names_the_section_to_read_again(status, sent_back):
    own = [grading("ada", [verdict(status=status, section="Keep what `backward` needs")])]
    words = words_of(feedback_page("ada", own))
    told = "Read again in lesson 7 · Custom functions: Keep what backward needs"
    assert (told in words) is sent_back
    plain = verdict(status="failed", findings=("gradient",))
    assert "the idea behind it" not in feedback_page("ada", [grading("ada", [plain])])


def test_feedback_on_an_unreadable_file_says_why():
    torn = grading("ada", entry=entry("ada", problem="The file ends in the middle."))
    words = words_of(feedback_page("ada", [torn]))
    assert "This file could not be read" in words
    assert "The file ends in the middle." in words


def test_feedback_holds_every_lesson_of_the_student():
    own = [
        grading("ada", [verdict()]),
        grading(
            "ada",
            [verdict("dirty-exp", lesson="08_mark_dirty")],
            entry=entry("ada", "08_mark_dirty"),
        ),
    ]
    words = words_of(feedback_page("ada", own))
    assert "7 · Custom functions" in words
    assert "8 · Mark dirty" in words
    assert "8 of 8 points" in words


def test_long_output_is_shortened_in_the_middle():
    text = "a" * 3000 + "b" * 3000
    short = excerpt(text)
    assert short.startswith("aaa")
    assert short.endswith("bbb")
    assert "4,000 characters left out" in short
    assert excerpt("as it is\n") == "as it is"


def told(exercise, solution, seed):
    """The feedback on `solution`, without what only depends on the student's own code."""
    found = judged(exercise, solution, seed)
    return feedback_page("ada", [grading("ada", [found])])


@pytest.mark.parametrize("exercise", all_exercises(), ids=lambda each: each.id)
def test_feedback_tells_neither_inputs_nor_the_solution(exercise):
    wrong = exercise.misconceptions[0].solution
    page = told(exercise, wrong, seed=1)
    assert page == told(exercise, wrong, seed=2)
    written = re.sub(r"\s+", "", Page(page).text)
    assert not [line for line in lines_of_solution(exercise) if line in written]
    if isinstance(exercise.reference, dict):
        assert repr(exercise.reference) not in Page(page).text
        for name, value in exercise.reference.items():
            answer = rf"\b{re.escape(str(name))}['\"]?\s*(is|:|=|==)\s*{re.escape(repr(value))}\b"
            assert not re.search(answer, Page(page).text)


def test_each_students_feedback_is_theirs_alone(tmp_path):
    own = verdict(output="seen by ada", source="class OfAda: ...", status="failed")
    others = replace(
        misled(), output="seen by ben", source="class OfBen: ...", remarks=("To ben.",)
    )
    results = [grading("ada", [own]), grading("ben", [others])]
    write_results(tmp_path, results, summarize(results))
    page = (tmp_path / "feedback" / "ada.html").read_text(encoding="utf-8")
    assert "seen by ada" in page
    assert "OfAda" in page
    assert not re.search(r"(?i)\bben\b|OfBen", page)


def test_feedback_offers_the_hints_of_what_is_not_solved_folded_one_by_one():
    section = "Your first Function"
    page = Page(feedback_page("ada", [grading("ada", [replace(misled(), section=section)])]))
    assert page.elements.count("details") == 3
    for hint in load("fn-square").hints:
        assert " ".join(hint.replace("`", "").split()) in " ".join(page.text.split())
    solved = words_of(feedback_page("ada", [grading("ada", [verdict(section=section)])]))
    assert "Hint" not in solved.replace("Hints go", "")


def test_feedback_shows_the_cell_that_was_graded():
    own = verdict(status="failed", source="class Square(Function):\n    pass\n")
    assert "class Square(Function):" in feedback_page("ada", [grading("ada", [own])])


def test_feedback_says_why_numbers_are_missing_from_what_was_printed():
    plain = verdict(output="loss 0.5")
    masked = verdict(output="x = ▒")
    why = "the numbers in it are left out"
    assert why not in feedback_page("ada", [grading("ada", [plain])])
    assert why in feedback_page("ada", [grading("ada", [masked])])


def test_feedback_names_points_set_by_hand():
    own = verdict(status="failed", by_hand=ByHand("Shown in the oral exam.", 0.0))
    assert "Shown in the oral exam." in words_of(feedback_page("ada", [grading("ada", [own])]))


def test_feedback_on_an_exercise_handed_in_twice_says_which_counts():
    worse = grading("ada", [misled()])
    better = grading("ada", [verdict()], entry=entry("ada", path="ada/late/07.ipynb"))
    words = words_of(feedback_page("ada", [worse, better]))
    assert words.count("your better answer counts, not this one") == 1
    assert "4 of 4 points" in words


@pytest.mark.parametrize(
    ("share", "statuses", "says"),
    [
        (0.0, ["not_attempted"], "Nothing has been attempted yet"),
        (0.0, ["not_attempted", "error"], "None of this could be run"),
        (0.0, ["failed", "error"], "You have made a start"),
        (0.5, ["passed", "not_attempted"], "A good part is right"),
        (0.99, ["passed", "partial"], "Nearly everything is right"),
        (1.0, ["passed"], "Well done!"),
    ],
)
def test_feedback_begins_with_a_word_on_the_whole(share, statuses, says):
    assert says in encouragement(share, statuses)
