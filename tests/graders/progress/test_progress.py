import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import graders
from graders import check, progress, reset_progress
from graders.card import Card
from graders.check import forget_hints
from graders.exercise import all_exercises, exercises_of, load
from graders.exercises.fn_square import ForgetsTheTwo
from graders.progress.kept import FILE, VARIABLE, Best, bests, data_folder, record
from graders.verdict import Verdict
from tests.graders.test_check import Outline

RIGHT = load("fn-square").reference


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "data"))
    forget_hints()
    return tmp_path / "data"


def verdict(exercise="fn-square", status="partial", points=1.0, max_points=4.0):
    lesson = "07_custom_functions"
    return Verdict(exercise, lesson, "Title", "Symbol", status, points, max_points)


def test_tests_and_notebooks_have_progress_of_their_own(monkeypatch):
    monkeypatch.undo()
    assert os.environ[VARIABLE].startswith(tempfile.gettempdir())
    assert "test_progress" in os.environ[VARIABLE]


def test_progress_is_kept_in_the_users_data_folder(monkeypatch):
    monkeypatch.delenv(VARIABLE)
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert data_folder().name == "autograd-lessons"


def test_a_check_is_remembered():
    check("fn-square", ForgetsTheTwo)
    check("fn-square", ForgetsTheTwo)

    best = bests()["fn-square"]
    assert (best.status, best.points, best.max_points, best.tries) == ("partial", 0.8, 4.0, 2)


def test_the_best_verdict_stays_and_nothing_is_counted_after_it_is_passed():
    check("fn-square", ForgetsTheTwo)
    check("fn-square", RIGHT)
    check("fn-square", ForgetsTheTwo)

    best = bests()["fn-square"]
    assert (best.status, best.points, best.tries) == ("passed", 4.0, 2)


def test_fewer_points_than_before_take_nothing_away():
    record(verdict(points=3.0))
    record(verdict(status="failed", points=0.0))

    assert bests()["fn-square"].points == 3.0
    assert bests()["fn-square"].status == "partial"


def test_what_was_not_attempted_is_not_written_down(folder):
    check("fn-square", load("fn-square").started())
    check("no-such-exercise")

    assert not folder.exists()


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"exercises": 3}', '{"exercises": {"fn-square": {"tries": "x"}}}']
)
def test_a_damaged_file_is_no_progress_and_is_mended_by_the_next_check(folder, content):
    folder.mkdir()
    (folder / FILE).write_text(content)

    assert bests() == {}
    assert "0 of" in str(progress())
    assert check("fn-square", RIGHT).passed
    assert bests()["fn-square"].status == "passed"


@pytest.mark.parametrize(
    "changes",
    [
        {"status": "splendid"},
        {"points": -1},
        {"points": 5},
        {"points": float("nan")},
        {"tries": 0},
        {"tries": float("inf")},
        {"date": "yesterday"},
        {"date": None},
    ],
)
def test_an_entry_that_makes_no_sense_is_left_out(changes):
    entry = {"status": "passed", "points": 4, "max_points": 4, "tries": 1, "date": "2026-01-02"}
    assert Best.from_json(entry) is not None
    assert Best.from_json({**entry, **changes}) is None


def test_a_folder_that_cannot_be_written_costs_nobody_a_check(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "file" / "data"))

    assert check("fn-square", RIGHT).passed
    assert "0 of" in str(progress())
    assert "0 exercises" in str(reset_progress())


def test_a_folder_that_may_only_be_read_costs_nobody_a_check(monkeypatch):
    check("fn-square", ForgetsTheTwo)

    def refuse(*arguments, **options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.write_text", refuse)

    assert check("fn-square", RIGHT).passed
    assert "could not be changed: Permission denied" in str(reset_progress())
    assert bests()["fn-square"].status == "partial"


def test_another_edition_of_an_exercise_loses_nothing():
    record(verdict(points=3.0, max_points=6.0))
    (row,) = [row for row in progress().rows if row.best is not None]

    assert row.points == load("fn-square").points / 2


def test_exercises_of_another_edition_are_kept_though_not_shown(folder):
    record(verdict("fn-of-tomorrow", "passed", 4.0))
    check("fn-square", RIGHT)

    assert set(json.loads((folder / FILE).read_text())["exercises"]) == {
        "fn-of-tomorrow",
        "fn-square",
    }
    assert "of-tomorrow" not in progress()._repr_html_()


def test_kernels_that_check_at_the_same_time_lose_nothing(folder):
    program = (
        "import sys\n"
        "from graders import verdict\n"
        "from graders.progress import kept\n"
        "kept.PATIENCE = 60\n"
        "for _ in range(20):\n"
        "    for id in ('fn-square', sys.argv[1]):\n"
        "        kept.record(verdict.Verdict(id, '', '', '', 'partial', 1.0, 2.0))\n"
    )
    root = Path(graders.__file__).parents[1]
    kernels = [
        subprocess.Popen([sys.executable, "-c", program, f"fn-{number}"], cwd=root)
        for number in range(4)
    ]
    assert [kernel.wait() for kernel in kernels] == [0] * 4

    tries = {id: best.tries for id, best in bests().items()}
    assert tries == {"fn-square": 80, "fn-0": 20, "fn-1": 20, "fn-2": 20, "fn-3": 20}
    assert {path.name for path in folder.iterdir()} == {FILE, "progress.lock"}


def test_the_card_has_a_line_for_every_lesson_and_details_for_every_exercise():
    card = progress()
    text = Outline(card._repr_html_()).text

    for exercise in all_exercises():
        assert exercise.title.replace("`", "") in text
        assert f'href="{exercise.lesson}.ipynb"' in card._repr_html_()
    points = sum(exercise.points for exercise in all_exercises())
    assert str(card).startswith(f"Your progress (0 of {points:g} points)")


def test_the_card_shows_points_tries_and_bars_that_need_no_colour():
    check("fn-square", RIGHT)
    check("leaf-predict", {"a": True, "b": True})
    text = str(progress())

    assert "✓ Your first Function: the square · passed (4 of 4 points) · 1 try · 20" in text
    assert "◐ Six tensors: which are leaves? · partly right" in text
    own = exercises_of("07_custom_functions")
    points = sum(exercise.points for exercise in own)
    assert re.search(
        rf"7 · Custom functions +■□{{9}}  1 of {len(own)} exercises passed · 4 of {points:g} ", text
    )


def test_the_cards_html_is_well_formed_and_says_what_its_text_says():
    check("fn-square", ForgetsTheTwo)
    card = progress()
    outline = Outline(card._repr_html_())

    assert outline.open == []
    for line in str(card).splitlines():
        for part in re.split(r"  +| · (?=[\d.]+ of)", line.strip()):
            assert part in outline.text


def test_the_card_suggests_to_begin_to_go_on_and_to_stop():
    first, *_ = all_exercises()
    assert f"Begin with: {first.title}" in str(progress())

    check("fn-square", RIGHT)
    assert progress().next.lesson == "07_custom_functions"
    assert "Go on with: " in str(progress())

    for exercise in exercises_of("07_custom_functions"):
        record(verdict(exercise.id, "passed", 4.0))
    assert progress().next.lesson == "08_mark_dirty"

    for exercise in all_exercises():
        record(verdict(exercise.id, "passed", 4.0))
    assert progress().next is None
    assert "Everything is passed" in str(progress())


def test_progress_is_forgotten_as_a_whole_or_by_lesson():
    check("fn-square", RIGHT)
    check("leaf-predict", {"a": True, "b": True})

    assert "There is no lesson '12'" in str(reset_progress("12"))
    assert "in 1 exercise is forgotten" in str(reset_progress("2"))
    assert set(bests()) == {"fn-square"}
    assert "in 1 exercise is forgotten" in str(reset_progress())
    assert bests() == {}


def test_cards_and_modules_of_one_name_do_not_get_in_each_others_way():
    assert callable(graders.progress)
    assert callable(graders.check)
    assert isinstance(graders.check("fn-square", RIGHT), Card)
