"""The lesson on requires_grad: its predictions come true, and its claims are judged and shown."""

import re

import pytest

import autograd_core as torch
from autograd_core import nn
from graders.exercise import load as load_exercise
from tests.lessons import notebooks, predictions

LESSON = "03_requires_grad"
CLAIMS = ("req-1", "req-2", "req-3", "req-4", "auto-3", "auto-4")

# In the lesson's order: a wrong guess, words of the idea that it is answered with, the truth.
GUESSES = [
    ("'neither'", "A layer writes them for you", "'y'"),
    ("True", "catch the flag in the product", "False"),
    ("6", "had the product been recorded", "None"),
    ("12", "reach back to an operation that ran before", "4"),
    ("False", "expect a frozen layer to block", "True"),
]


@pytest.fixture(scope="module")
def notebook():
    return notebooks.load(LESSON)


def test_every_prediction_names_a_foreseen_error_and_accepts_the_truth(notebook):
    predictions.check(notebook, GUESSES)


def test_no_reveal_stands_open_below_its_question(notebook):
    revealing = [cell for cell in notebook.cells if "reveal(\n" in cell.source]
    assert len(revealing) == len(GUESSES)
    assert all(map(predictions.reveals, revealing))


def after_the_program_of(id):
    """The names that are there after the program that an exercise asks about."""
    program = re.search(r"```python\n(.*?)```", load_exercise(id).task, re.DOTALL)[1]
    namespace = {"torch": torch, "nn": nn}
    exec(program, namespace)
    return namespace


@pytest.mark.parametrize("id", ["reqgrad-predict", "reqgrad-when"])
def test_the_flags_to_predict_are_those_of_the_program(id):
    reference = load_exercise(id).reference
    found = after_the_program_of(id)
    assert {name: found[name].requires_grad for name in reference} == reference


def test_the_gradient_to_predict_is_that_of_the_program():
    id = "reqgrad-backward-twice"
    assert after_the_program_of(id)["x"].grad.item() == load_exercise(id).reference


def test_the_starter_to_mend_raises_the_error_of_the_lesson():
    with pytest.raises(RuntimeError, match="element 0 of tensors does not require grad and does"):
        load_exercise("reqgrad-repair").started()([0.5, -1.0])


def test_every_claim_has_a_row_with_a_verdict_and_something_to_run(notebook):
    prose = list(notebooks.markdown_lines(notebook))
    run = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    pattern = r"^\| ((?:req|auto)-\d+) \|.*\| (right|wrong|incomplete|unsaid) \|"
    rows = re.findall(pattern, "\n".join(prose), re.MULTILINE)
    assert tuple(claim for claim, _ in rows) == CLAIMS
    assert [claim for claim, verdict in rows if verdict != "right"] == ["req-3"]
    assert all(claim in run for claim in CLAIMS)


def shown_by(notebook, words):
    """What the code cell that contains `words` shows, as text."""
    found = [cell for cell in notebook.cells if cell.cell_type == "code" and words in cell.source]
    return notebooks.plain_text(found[0])


def test_what_the_document_prints_is_printed(notebook):
    error = "element 0 of tensors does not require grad and does not have a grad_fn"
    assert f"✗ raised RuntimeError: {error}\n" in shown_by(notebook, '"req-1, auto-3"')
    evidence = shown_by(notebook, "req-4: x")
    assert "req-4: x False | output True | sum True" in evidence
    assert "req-3: Sequential(ReLU()) False" in evidence


def test_the_frozen_layer_keeps_its_numbers_and_the_other_learns(notebook):
    lines = shown_by(notebook, "changed = not").splitlines()
    assert [re.split(r"\s+", line)[2] for line in lines] == ["False", "False", "True", "True"]


def test_the_graph_of_a_frozen_first_layer_ends_at_the_last(notebook):
    first, last = shown_by(notebook, '"first layer frozen"').split("last layer frozen")
    assert "Not in this graph: 0.weight, 0.bias" in first
    assert "Not in this graph: 2.weight, 2.bias" in last
    assert "0.weight (leaf" in last


def test_answers_to_exercises_are_nowhere_in_the_cells_of_the_lesson(notebook):
    symbols = "requires_grad|answers|grad|verdicts|loss_and_grad|freeze_first_layer"
    for cell in notebook.cells:
        if cell.cell_type == "code" and "exercise" not in cell.metadata:
            assert not re.search(rf"^(def )?({symbols})\b *[=(]", cell.source, re.MULTILINE)
