import shutil
import subprocess
import sys
from dataclasses import fields
from importlib.resources import files
from pathlib import Path

import pytest

from graders.exercise import all_exercises, exercises_of, load, source_of
from graders.gradebook import Gradebook
from graders.gradebook import edition as editions
from graders.gradebook.edition import ABOUT_VERDICTS, WORDS, behaviour, digest_of, edition, wording
from tests.graders.environment import importing_from
from tests.graders.test_cli import hand_in, notebook

LESSON = "07_custom_functions"
EXERCISE = (files("graders") / "exercises" / "fn_square.py").read_text("utf-8")


@pytest.fixture
def sources(tmp_path):
    (tmp_path / "exercises").mkdir()
    (tmp_path / "judge.py").write_text("EQUAL = 1e-4")
    (tmp_path / "exercises" / "fn_square.py").write_text("POINTS = 4")
    return tmp_path


def test_every_lesson_has_an_edition_and_a_wording_of_its_own():
    lessons = {each.lesson for each in all_exercises()}
    for name_of in (edition, wording):
        assert len({name_of(lesson) for lesson in lessons}) == len(lessons)
        assert {len(name_of(lesson)) for lesson in lessons} == {12}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("points=4", "points=6"),
        ('title="Your first Function: the square"', 'title="The square"'),
        ("difficulty=1", "difficulty=3"),
        ("as if this were the last step ", "as though it were the last step "),
        ("The gradient is right, whatever", "Right, whatever"),
        ("The output is not right.", "That is not the output."),
        ('"output",\n            2,', '"output",\n            3,'),
        ("You keep a tensor of your own", "There is a tensor of your own"),
        ("if the gradient of the output is known", "when the gradient of the output is known"),
        ("    misconceptions=(", "    # The simplest first.\n    misconceptions=("),
        ('"""`fn-square`: the smallest', '"""`fn-square`: a small'),
    ],
)
def test_points_words_and_comments_have_no_say_in_what_is_found(before, after):
    assert before in EXERCISE
    assert behaviour(EXERCISE.replace(before, after)) == behaviour(EXERCISE)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("return grad_output * 2 * x\n", "return 2 * grad_output * x\n"),
        ("return grad_output.mul_(2 * x)", "return grad_output.mul_(3 * x)"),
        ("x=signed(rng, 3)", "x=signed(rng, 4)"),
        ("scenarios.function_reuse", "scenarios.function_values"),
        ('after=("gradient",)', 'after=("output",)'),
        ('"forgets-the-two"', '"half"'),
        ('"larger graph"', '"graph"'),
        ('noted("copied")', 'noted("kept")'),
        ('symbol="Square"', 'symbol="Squared"'),
        ("# Your code here.", "# Write here."),
        ("place=1", "place=2"),
    ],
)
def test_everything_else_has(before, after):
    assert before in EXERCISE
    assert behaviour(EXERCISE.replace(before, after)) != behaviour(EXERCISE)


def test_the_parts_that_are_points_and_words_exist():
    for kind, words in WORDS.items():
        assert words <= {field.name for field in fields(kind)}


@pytest.fixture
def edited(monkeypatch):
    """Editions as if an exercise's source had another text."""

    def with_source(id, before, after):
        read = editions._source

        def source(module):
            found = read(module)
            return found.replace(before, after) if module == id.replace("-", "_") else found

        monkeypatch.setattr(editions, "_source", source)
        for name_of in (edition, wording):
            name_of.cache_clear()

    yield with_source
    monkeypatch.undo()
    for name_of in (edition, wording):
        name_of.cache_clear()


def test_other_points_are_another_wording_of_the_same_edition(edited):
    before = edition(LESSON), wording(LESSON)
    edited("fn-square", "points=4", "points=5")
    assert edition(LESSON) == before[0]
    assert wording(LESSON) != before[1]


def test_another_reference_is_another_edition_of_its_lesson_alone(edited):
    lessons = sorted({each.lesson for each in all_exercises()})
    before = {lesson: edition(lesson) for lesson in lessons}
    edited("fn-square", "return grad_output * 2 * x\n", "return 2 * grad_output * x\n")
    assert [lesson for lesson in lessons if edition(lesson) != before[lesson]] == [LESSON]


def test_what_an_exercise_borrows_from_another_counts(edited):
    borrower = "from graders.exercises.dirty_multiply_add import no_side_effects"
    lessons = {
        each.lesson
        for each in all_exercises()
        if borrower in editions._source(each.id.replace("-", "_"))
    }
    before = {lesson: edition(lesson) for lesson in lessons}
    edited("dirty-multiply-add", "def no_side_effects", "def  no_side_effects_at_all")
    assert lessons
    assert all(edition(lesson) != before[lesson] for lesson in lessons)


def test_an_unknown_lesson_has_an_edition(edited):
    assert len(edition("")) == 12
    assert not exercises_of("")


def test_any_change_to_a_source_is_another_edition(sources):
    before = digest_of([sources])
    (sources / "exercises" / "fn_square.py").write_text("POINTS = 5")
    changed = digest_of([sources])
    (sources / "exercises" / "fn_new.py").write_text("")
    assert len({before, changed, digest_of([sources])}) == 3


def test_moving_a_file_is_another_edition(sources):
    before = digest_of([sources])
    (sources / "judge.py").rename(sources / "exercises" / "judge.py")
    assert digest_of([sources]) != before


def test_what_is_no_source_does_not_count(sources):
    before = digest_of([sources])
    (sources / "README.md").write_text("words")
    (sources / "__pycache__").mkdir()
    (sources / "__pycache__" / "judge.cpython-311.pyc").write_bytes(b"x")
    assert digest_of([sources]) == before


def test_every_name_that_is_left_out_exists():
    names = {place.name for place in files("graders").iterdir()}
    assert names >= ABOUT_VERDICTS


@pytest.fixture
def copied(tmp_path):
    """The program in a folder of its own, where exercises can be changed."""
    for package in ("autograd_core", "graders"):
        source = Path(str(files(package)))
        shutil.copytree(source, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    for student, id in (("ada", "welcome-slope"), ("ben", "reqgrad-when")):
        exercise = load(id)
        text = notebook({id: source_of(exercise.misconceptions[0].solution, exercise.symbol)})
        hand_in(tmp_path / "submissions", student, text, exercise.lesson)
    return tmp_path


def change(copied, before, after):
    path = copied / "graders" / "exercises" / "welcome_slope.py"
    source = path.read_text("utf-8")
    assert before in source
    path.write_text(source.replace(before, after), "utf-8")


def run(copied):
    """Grade with the copied program; what it said, its rows, and each submission's seed."""
    options = ["--out", "out", "--isolation", "none", "--jobs", "1"]
    told = subprocess.run(
        [sys.executable, "-B", "-m", "graders", "grade", "submissions", *options],
        cwd=copied,
        env=importing_from(copied),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert told.returncode == 0, told.stderr
    with Gradebook(copied / "out" / "gradebook.db") as book:
        results = {each.entry.student: each for each in book.results()}
    (welcome,) = results["ada"].verdicts
    return told.stdout, welcome, {name: each.seed for name, each in results.items()}


def test_submissions_are_run_again_only_when_something_else_is_asked_of_them(copied):
    _, before, seeds = run(copied)
    change(copied, f"points={load('welcome-slope').points}", "points=7")
    change(copied, load("welcome-slope").misconceptions[0].says[:20], "In other words, " * 2)
    told, after, same_seeds = run(copied)
    assert "2 unchanged, not graded again" in told
    assert "1 submission updated to new points and words" in told
    assert same_seeds == seeds
    assert (before.max_points, after.max_points) == (load("welcome-slope").points, 7)
    assert (before.status, before.findings) == (after.status, after.findings)
    assert "In other words, In other words, " in after.summary

    change(copied, "import autograd_core as torch\n", "import autograd_core as torch\n\nMORE = 1\n")
    told, _, other_seeds = run(copied)
    assert "1 unchanged, not graded again" in told
    assert other_seeds["ada"] != seeds["ada"]
    assert other_seeds["ben"] == seeds["ben"]
