"""The capstone: it trains with or without the learner, and says what it computes."""

import re

import pytest

import autograd_core as torch
from graders.exercise import exercises_of, load
from tests.lessons import notebooks, predictions

LESSON = "09_capstone"

# In the lesson's order: a wrong guess, words that answer it, the truth.
GUESSES = [
    ('"arrives"', "carries w past the goal", '"swings"'),
    ('"yes"', "not among what they can do", '"no"'),
    ('"bc"', "the one in the list stays as it was", '"c"'),
    ('"lower"', "places left long ago", '"higher"'),
]


@pytest.fixture(scope="module")
def notebook():
    return notebooks.load(LESSON)


@pytest.fixture(scope="module")
def solved(notebook):
    return notebooks.run(notebooks.with_solutions(notebook))


def said(notebook, words):
    """Return what the cell shows whose source contains `words`."""
    cell = next(c for c in notebook.cells if c.cell_type == "code" and words in c.source)
    return notebooks.plain_text(cell)


def test_every_prediction_names_a_foreseen_error_and_accepts_the_truth(notebook):
    predictions.check(notebook, GUESSES)


def share_left(text):
    return [float(each) for each in re.findall(r"([\d.]+)% of the variance", text)]


def test_the_lessons_own_training_reaches_the_bar(notebook):
    shares = share_left(said(notebook, "shown_at ="))
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] < 5


def test_the_three_ways_to_update_end_differently(notebook):
    endings = said(notebook, "a: in place, recorded")
    assert "a leaf Variable that requires grad is being used in an in-place operation" in endings
    same, moving = (eval(found) for found in re.findall(r"returned (\[.*\])", endings))
    assert len(set(same)) == 1
    assert moving == sorted(moving, reverse=True)
    assert moving[0] == same[0]


def test_the_untouched_lesson_says_what_stands_in_for_what(notebook):
    assert said(notebook, "tanh = yours(").splitlines() == [
        "Tanh: not yours yet, so the built-in one stands in",
        "MSELoss: not yours yet, so the built-in one stands in",
    ]
    assert said(notebook, "attempts = {}").count("nothing to show yet") == 2
    assert "until yours is there" in said(notebook, "fits = {")
    assert said(notebook, 'print("MSELoss:"').endswith("does not fit forward yet\n")


def test_the_solved_lesson_works_with_the_learners_functions(solved):
    assert said(solved, "tanh = yours(").splitlines() == ["Tanh: yours", "MSELoss: yours"]
    assert said(solved, 'print("MSELoss:"') == "MSELoss: backward fits forward\n"
    assert said(solved, 'print("Tanh:"') == "Tanh: backward fits forward\n"
    assert "MSELossBackward" in said(solved, "torch.make_dot(loss")
    assert max(share_left(said(solved, "attempts = {}"))) < 5
    assert "your network, seed 1" in said(solved, "fits = {")


def test_the_curve_is_seen_as_it_forms(notebook):
    panels = said(notebook, 'title: {"data": data, "network": line(x, curve)}')
    assert re.findall(r"^after (\d+) steps$", panels, re.MULTILINE) == [
        "0",
        "5",
        "20",
        "50",
        "100",
        "200",
    ]


def test_the_loop_to_predict_does_what_the_exercise_says():
    exercise = load("cap-predict")
    program = re.search(r"```python\n(.*?)```", exercise.task, re.DOTALL)[1]
    found = []
    for clear in ("", "    w.grad = None\n"):
        for steps in (1, 2, 3):
            namespace = {"torch": torch}
            exec(program.replace("range(3)", f"range({steps})") + clear, namespace)
            found.append(namespace["w"].item())
    graphs = sum(each.grad_fn is not None for each in namespace["losses"])
    first, second, third, *_, cleared = found
    assert exercise.reference == {
        "first": first,
        "second": second,
        "third": third,
        "third_if_cleared": cleared,
        "graphs": graphs,
    }


def test_exercises_are_predicted_implemented_and_repaired():
    kinds = {exercise.kind for exercise in exercises_of(LESSON)}
    assert kinds == {"predict", "implement", "repair"}
    assert sum(exercise.minutes for exercise in exercises_of(LESSON)) <= 25


def test_answers_to_predict_are_nowhere_in_the_cells_of_the_lesson(notebook):
    for cell in notebook.cells:
        if cell.cell_type == "code" and "exercise" not in cell.metadata:
            assert "steps_of_w" not in cell.source


def test_every_earlier_lesson_is_linked_by_its_title(notebook):
    prose = "\n".join(notebooks.markdown_lines(notebook))
    links = re.findall(r"\[([^\]]+)\]\((0[1-8]_\w+)\.ipynb\)", prose)
    lessons = [name for name in notebooks.lessons() if "01" <= name[:2] <= "08"]
    assert [lesson for _, lesson in links] == lessons
    for text, lesson in links:
        (title,) = (
            said for level, said in notebooks.headings(notebooks.load(lesson)) if level == 1
        )
        assert text == f"Lesson {lesson[:2]}: {title.replace('`', '')}"
