import re
import subprocess
import sys

import pytest

from graders import check, progress, reset_progress
from graders.check import forget_hints
from graders.exercise import all_exercises, exercises_of, lesson_called, lesson_of, load
from graders.exercises.fn_square import ForgetsTheTwo
from graders.progress.kept import VARIABLE, record
from graders.verdict import Verdict
from tests.graders.test_check import Outline

LESSON = "07_custom_functions"
OWN = exercises_of(LESSON)
RIGHT = load("fn-square").reference


@pytest.fixture(autouse=True)
def _no_progress(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "data"))
    forget_hints()


def pass_all():
    for each in OWN:
        points = float(each.points)
        record(Verdict(each.id, LESSON, each.title, each.symbol, "passed", points, points))


def test_a_lesson_begins_with_nothing_passed():
    most = sum(each.points for each in OWN)
    assert str(progress("07")).splitlines() == [
        f"This lesson: 0 of {len(OWN)} exercises passed · 0 of {most:g} points",
        " ".join(str(place) for place in range(1, len(OWN) + 1)),
        f"Begin with: {OWN[0].title}",
    ]


def test_it_tells_what_is_passed_what_is_begun_and_what_comes_next():
    check("fn-square", RIGHT)
    check("fn-multiply", ForgetsTheTwo)
    text = str(progress("7"))

    assert "1 of 10 exercises passed" in text
    assert "\n✓ ✗ 3 4 " in text
    assert f"Go on with: {OWN[1].title}" in text


def test_who_has_passed_everything_is_told_so():
    pass_all()
    card = progress(LESSON)

    assert "✓ Every exercise of this lesson is passed." in str(card)
    assert 'class="al-card al-lesson passed"' in card._repr_html_()


def test_every_exercise_is_a_link_that_says_in_words_how_it_stands():
    check("fn-square", RIGHT)
    html = progress("07")._repr_html_()

    links = re.findall(r'<li><a class="al-step (\w+)" title="([^"]+)" aria-label="([^"]+)"', html)
    assert len(links) == len(OWN)
    assert links[0] == ("passed", *["Your first Function: the square · passed"] * 2)
    assert links[1][0] == "untouched"
    assert links[1][2].endswith("· not attempted")
    assert 'href="#Exercise:-A-product-of-two-tensors"' in html


def test_the_html_is_well_formed_and_says_what_the_text_says():
    for prepare in (lambda: None, lambda: check("fn-square", ForgetsTheTwo), pass_all):
        prepare()
        card = progress("07")
        outline = Outline(card._repr_html_())
        assert outline.open == []
        for part in re.split(r"\n| · |: ", str(card).replace("`", "")):
            # The steps stand in an element each.
            assert part.replace(" ", "") in outline.text.replace(" ", "")


def test_an_unknown_lesson_is_answered_in_words():
    assert str(progress("12")) == "There is no lesson '12'."


def test_without_a_page_that_listens_the_bundle_is_text_and_html():
    card = progress("07")
    assert card._repr_mimebundle_() == {"text/plain": str(card), "text/html": card._repr_html_()}


def test_a_live_line_follows_what_is_checked_and_what_is_forgotten(live):
    shown = live(progress("07"))
    assert "0 of 10 exercises passed" in shown.html

    check("fn-square", RIGHT)
    assert "1 of 10 exercises passed" in shown.html
    assert "1 of 10 exercises passed" in shown.still["text/plain"]

    check("leaf-predict", load("leaf-predict").reference)
    assert "1 of 10 exercises passed" in shown.html

    reset_progress("07")
    assert "0 of 10 exercises passed" in shown.html


def test_the_line_that_was_shown_last_is_the_one_that_follows(live):
    first, second = live(progress("07")), live(progress("07"))
    check("fn-square", RIGHT)
    assert "0 of 10" in first.html
    assert "1 of 10" in second.html


def test_a_line_that_has_gone_costs_nobody_a_check_or_its_record(live, monkeypatch):
    shown = live(progress("07"))
    monkeypatch.setattr(shown, "show", lambda *content: 1 / 0)
    assert check("fn-square", RIGHT).passed
    assert "1 of 10" in str(progress("07"))
    assert "1 exercise is forgotten" in str(reset_progress("07"))


def test_the_exercises_of_a_lesson_are_those_that_say_so():
    for each in all_exercises():
        assert lesson_of(each.id) == each.lesson
    lessons = {each.lesson for each in all_exercises()}
    for lesson in lessons:
        assert exercises_of(lesson) == tuple(e for e in all_exercises() if e.lesson == lesson)
        assert lesson_called(lesson) == lesson_called(lesson[:2]) == lesson
    assert lesson_called("12") is lesson_called("") is None


def test_a_lessons_first_cell_imports_no_other_lessons_exercises():
    program = (
        "import sys\n"
        "from graders import progress\n"
        "print(progress('02'))\n"
        "print(sorted(name for name in sys.modules if name.startswith('graders.exercises.')))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert "leaf_walk" in done.stdout
    assert "fn_square" not in done.stdout
