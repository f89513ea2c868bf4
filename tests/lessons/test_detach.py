"""The lesson on detach: its predictions are what really happens, and its numbers are shown."""

import math
import re

import pytest

import autograd_core as torch
from graders import check
from graders.exercise import exercises_of
from graders.exercise import load as load_exercise
from tests.lessons import notebooks, predictions

LESSON = "06_detach"
CLAIMS = ("auto-8", "auto-9", "auto-10", "auto-11", "auto-13")

# In the lesson's order: a wrong guess, words of the idea that it is answered with, the truth.
GUESSES = [
    ("0.6", "before has moved along", "0"),
    ("[2, 4]", "Backward has read other numbers", "[20, 4]"),
    ("6", "when the target moves along", "-6"),
    ("[1, 1]", "not the slope of a staircase", "[0, 0]"),
    ("1", "This one is NumPy's", "0"),
    ("10", "the gradient without cuts", "2"),
]


@pytest.fixture(scope="module")
def notebook():
    return notebooks.load(LESSON)


def printed(notebook, beginning):
    """What is shown by the cell in whose output `beginning` starts a line."""
    texts = [notebooks.plain_text(cell) for cell in notebook.cells if cell.cell_type == "code"]
    return next(text for text in texts if re.search(f"^{re.escape(beginning)}", text, re.MULTILINE))


def program(exercise):
    return re.search(r"```python\n(.*?)```", exercise.task, re.DOTALL)[1]


def test_every_prediction_names_a_foreseen_error_and_accepts_the_truth(notebook):
    predictions.check(notebook, GUESSES)


def test_the_gradient_to_predict_is_the_documents_to_the_digit():
    namespace = {"torch": torch}
    exec(program(load_exercise("detach-predict")), namespace)
    found = namespace["x1"].grad.item()
    assert found == -0.5769020318984985
    assert math.isclose(found, load_exercise("detach-predict").reference, rel_tol=1e-6)


def test_the_ending_to_predict_is_that_of_the_program():
    namespace = {"torch": torch}
    expected = load_exercise("detach-alias").reference
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        exec(program(load_exercise("detach-alias")), namespace)
    assert namespace["x"].tolist() == expected["x"]
    assert expected["backward"] == "raises"


def test_the_documents_digits_are_printed_where_they_are_predicted_and_where_they_are_judged(
    notebook,
):
    first = printed(notebook, "dz/dx1 = -0.5769020318984985")
    assert "dz/dx2 = -0.28845101594924927" in first
    assert "auto-8:  -0.5769020318984985 -0.28845101594924927" in printed(notebook, "auto-8:")
    assert "array(0.6302769, dtype=float32)" in printed(notebook, "auto-11:")


def test_the_drawing_shows_the_logarithm_only_where_nothing_is_cut(notebook):
    whole, cut = printed(notebook, "both paths\n").split("y1 detached before the logarithm")
    assert "LogBackward0" in whole
    assert "LogBackward0" not in cut
    assert "SinBackward0" in whole
    assert "SinBackward0" in cut
    assert "Not in this graph: cut (requires_grad is False)." in cut


def test_the_ways_to_a_second_tensor_end_in_an_error_silently_wrong_and_right(notebook):
    shown = printed(notebook, "x.detach(): an error")
    endings = dict(re.findall(r"^(\S.*)\n  (.*)$", shown, re.MULTILINE))
    assert endings["x.detach(): an error"].startswith("✗ raised RuntimeError: one of the variables")
    assert endings["x.data: silently wrong"] == "→ returned [20.0, 4.0]"
    assert endings["x.clone(): right"] == "→ returned [2.0, 4.0]"
    assert endings["x.detach().clone(): right"] == "→ returned [2.0, 4.0]"


def test_the_figures_of_memory_tell_the_ways_apart(notebook):
    detached, data, cloned = re.split(
        r"^(?:\.data|clone\(\))$", printed(notebook, "detach()\n"), flags=re.MULTILINE
    )
    assert "STALE" in detached
    assert "STALE" not in data + cloned
    memories = [
        figure.count("memory ") - figure.count("STALE: memory ")
        for figure in (detached, data, cloned)
    ]
    assert memories == [2, 2, 3]


def test_a_rounding_that_passes_gradients_learns_what_the_staircase_does_not():
    solved = notebooks.run(notebooks.with_solutions(notebooks.load(LESSON)))
    shown = printed(solved, "torch.round")
    assert "returned 0.2, rounded 0" in shown
    assert re.search(r"yours\n  → returned \S+, rounded 3", shown)


def test_every_claim_on_detach_is_judged_and_shown(notebook):
    prose = list(notebooks.markdown_lines(notebook))
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    for claim in CLAIMS:
        (row,) = [line for line in prose if line.startswith(f"| {claim} |")]
        assert "| right |" in row
        assert claim in code, f"nothing to run for {claim}"


def test_exercises_of_every_kind_in_less_than_half_an_hour():
    exercises = exercises_of(LESSON)
    assert {each.kind for each in exercises} == {"predict", "implement", "repair", "explain"}
    assert sum(each.minutes for each in exercises) <= 25


def test_no_cell_of_the_lesson_defines_what_learners_are_asked_for(notebook):
    symbols = "|".join(each.symbol for each in exercises_of(LESSON))
    for cell in notebook.cells:
        if cell.cell_type == "code" and "exercise" not in cell.metadata:
            assert not re.search(rf"^\s*(def )?({symbols})\b\s*[=(:]", cell.source, re.MULTILINE)


def test_a_constant_by_way_of_data_passes_with_a_remark():
    verdict = check("detach-stop", lambda x: x * x.data).verdict
    assert verdict.status == "passed"
    assert "without an error" in verdict.remarks[0]
    assert not check("detach-stop", lambda x: x * x.detach()).verdict.remarks
