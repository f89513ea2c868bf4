"""The lesson on the computation graph: the document's digits, and figures that show its graph."""

import re

import pytest

import autograd_core as torch
from autograd_core.autograd import forward_ad
from graders.exercise import load as load_exercise
from tests.lessons import notebooks

LESSON = "01_computation_graph"
ENGINE = {"x1": 0.33239537477493286, "x2": 0.16619768738746643}
BY_HAND = {"x1": 0.3323954139224974, "x2": 0.1661977069612487}


@pytest.fixture(scope="module")
def notebook():
    return notebooks.load(LESSON)


def cell_with(notebook, text):
    return next(cell for cell in notebook.cells if cell.cell_type == "code" and text in cell.source)


def shown_by(notebook, text):
    return notebooks.plain_text(cell_with(notebook, text))


def test_the_derivation_by_hand_ends_with_the_documents_digits(notebook):
    assert f"dz/dx1 = {BY_HAND['x1']}" in shown_by(notebook, "dz_dx1 = ")
    assert f"second sweep: {BY_HAND['x2']}" in shown_by(notebook, "dy1_dx2 = ")
    assert f"dz/dx1 = {BY_HAND['x1']}\ndz/dx2 = {BY_HAND['x2']}" in shown_by(notebook, "by_hand = ")


def test_the_engine_shows_the_documents_digits_in_either_precision(notebook):
    beside = shown_by(notebook, "engine {engine}, by hand")
    double = shown_by(notebook, "in float64")
    for name in ENGINE:
        assert f"dz/d{name}: engine {ENGINE[name]}, by hand {BY_HAND[name]}" in beside
        assert f"dz/d{name} in float64: {BY_HAND[name]}, same as by hand: True" in double


def test_dual_numbers_of_the_engine_confirm_forward_mode(notebook):
    shown = shown_by(notebook, "make_dual(torch.tensor(1.0), torch.tensor(1.0))")
    assert re.findall(r"tensor\((.*)\)", shown) == ["0.6303", "0.3324"]


def test_each_way_of_the_diamond_contributes_as_if_it_were_alone(notebook):
    shown = shown_by(notebook, "both know")
    assert re.findall(r"-?\d\.\d+", shown) == ["0.45465", "-0.28845", "0.16620"]


def test_with_the_exercise_solved_the_learners_dual_confirms_it_too():
    solved = notebooks.run(notebooks.with_solutions(notebooks.load(LESSON)))
    endings = re.findall(r"^  → returned (.*)$", shown_by(solved, "your Dual"), re.MULTILINE)
    assert [float(each) for each in endings] == pytest.approx(list(BY_HAND.values()), rel=1e-15)


def test_backward_is_seen_to_visit_from_the_result_back_and_y1_once(notebook):
    visits = shown_by(notebook, "in visits:\n")
    assert re.findall(r"^(\w+):", visits, re.MULTILINE) == ["z", "y3", "y2", "y1"]


def test_the_figures_show_the_whole_graph_and_the_one_with_a_cut(notebook):
    whole = shown_by(notebook, 'torch.make_dot(recorded["z"], recorded)')
    assert "2 leaves, 4 functions" in whole
    drawn = "".join(content for _, content in notebooks.shown(cell_with(notebook, "detached")))
    first, second = re.findall(r'alt="(.*?)"', drawn, re.DOTALL)
    assert "LogBackward0" in first
    assert "3 functions" in second
    assert "LogBackward0" not in second


def test_the_values_to_predict_are_those_of_the_function():
    y1 = torch.tensor(2.0, dtype=torch.float64)
    found = {"y1": y1, "y2": y1.log(), "y3": y1.sin(), "z": y1.log() * y1.sin()}
    reference = load_exercise("graph-forward").reference
    assert {name: value.item() for name, value in found.items()} == pytest.approx(reference)


def test_the_diamond_to_predict_is_that_of_its_program():
    exercise = load_exercise("graph-diamond")
    names = {"x": torch.tensor(1.0, requires_grad=True)}
    exec(re.search(r"```python\n(.*?)```", exercise.task, re.DOTALL)[1], names)
    names["z"].backward()
    assert names["x"].grad.item() == exercise.reference


def test_the_sweeps_to_predict_are_those_that_the_lesson_takes(notebook):
    columns = shown_by(notebook, "a column:").splitlines()
    rows = shown_by(notebook, "a row:").splitlines()
    assert load_exercise("graph-count").reference == {"forward": len(columns), "reverse": len(rows)}
    table = [[float(n) for n in re.findall(r"-?\d+\.\d+", line)] for line in rows]
    assert [[float(n) for n in re.findall(r"-?\d+\.\d+", line)] for line in columns] == [
        list(column) for column in zip(*table, strict=True)
    ]


def test_the_reverse_sweep_to_write_agrees_with_forward_mode_of_the_engine():
    z, to_x1, _ = load_exercise("graph-reverse").reference(-1.5, -0.7)
    with forward_ad.dual_level():
        x1 = forward_ad.make_dual(torch.tensor(-1.5), torch.tensor(1.0))
        y1 = x1 * -0.7
        primal, tangent = forward_ad.unpack_dual(y1.log() * y1.sin())
        assert (primal.item(), tangent.item()) == pytest.approx((z, to_x1), rel=1e-5)


def test_every_claim_of_the_document_has_a_row_with_a_verdict(notebook):
    rows = re.findall(
        r"^\| (auto-\d+) \|.*\| (right|wrong|incomplete|unsaid) \|",
        "\n".join(notebooks.markdown_lines(notebook)),
        re.MULTILINE,
    )
    assert rows == [(f"auto-{number}", "right") for number in range(1, 14)]


def test_answers_to_predict_are_nowhere_in_the_cells_of_the_lesson(notebook):
    symbols = "|".join(load_exercise(id).symbol for id in notebooks.exercise_cells(notebook))
    for cell in notebook.cells:
        if cell.cell_type == "code" and "exercise" not in cell.metadata:
            assert not re.search(rf"^(class |def )?({symbols})\b *[=(:]", cell.source, re.MULTILINE)
