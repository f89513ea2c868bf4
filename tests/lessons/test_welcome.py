"""The welcome: what it promises of the lessons, and that its cards and links are real."""

import copy
import re

import pytest

from graders import check
from graders.check import forget_hints
from graders.exercise import load
from tests.lessons import notebooks
from tests.lessons.test_lessons import NAMES

LESSON = "00_welcome"
README = notebooks.ROOT / "README.md"


@pytest.fixture(scope="module")
def notebook():
    return notebooks.load(LESSON)


@pytest.fixture(scope="module")
def prose(notebook):
    return "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def test_every_lesson_has_its_row_with_a_link_and_its_minutes(prose):
    rows = re.findall(
        r"^\| \[(\d\d) [^|]+\]\((.+)\.ipynb\) \| [A-Z][^|]+\. \| (\d+) \|$", prose, re.M
    )
    assert [name for _, name, _ in rows] == list(NAMES[1:])
    assert all(name.startswith(f"{number}_") for number, name, _ in rows)


def test_the_minutes_are_those_that_the_lessons_state_themselves(prose):
    for name in sorted(set(notebooks.lessons()) - {LESSON}):
        stated = re.search(rf"\({name}\.ipynb\) \|[^|]+\| (\d+) \|", prose)[1]
        top = " ".join(list(notebooks.markdown_lines(notebooks.load(name)))[:20])
        said = re.findall(r"about (\d+) minutes", " ".join(top.split()))
        assert said[:1] in ([], [stated]), name


def test_the_readme_states_the_same_minutes(prose):
    rows = re.findall(r"\(lessons/(\w+)\.ipynb\) \|[^|]+\| (\d+) \|", README.read_text("utf-8"))
    assert rows == re.findall(r"\((\w+)\.ipynb\) \|[^|]+\| (\d+) \|", prose)


@pytest.mark.parametrize(
    ("guess", "says"),
    [(6, "That is one slope"), (9, "how high the curve is"), (12, "✓ Predicted right")],
)
def test_the_prediction_is_answered(notebook, guess, says):
    copied = copy.deepcopy(notebook)
    for cell in copied.cells:
        if cell.source == "guess = ...":
            cell.source = f"guess = {guess}"
    cards = [notebooks.plain_text(cell) for cell in notebooks.run(copied).cells]
    assert any(says in card for card in cards)


def test_the_card_that_is_explained_is_the_one_that_the_learner_gets(prose):
    forget_hints()
    card = check("welcome-slope", lambda x: abs(2 * x))
    assert f"```text\n{card}\n```" in prose


def test_a_learner_who_has_passed_the_exercise_sees_it_in_the_progress(notebook):
    solved = notebooks.run(notebooks.with_solutions(notebook))
    (progress,) = [cell for cell in solved.cells if cell.source == "progress()"]
    text = notebooks.plain_text(progress)
    title, points = load("welcome-slope").title, load("welcome-slope").points

    assert f"✓ {title} · passed ({points:g} of {points:g} points) · 1 try" in text
    assert "Go on with: " in text


def test_nothing_is_forgotten_by_running_the_page(notebook):
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    assert "reset_progress" not in code


def test_only_the_progress_may_change_without_a_new_run(notebook):
    tagged = [
        cell for cell in notebook.cells if cell.metadata.get("tags") == ["nbval-ignore-output"]
    ]
    assert [cell.source for cell in tagged] == ["progress()"]
