"""The lesson on no_grad: it measures what the graph really holds, and what it says is so."""

import contextlib
import gc
import re
import tracemalloc

import pytest

import autograd_core as torch
from graders.check import check
from graders.exercise import exercises_of
from graders.exercise import load as load_exercise
from tests.lessons import notebooks

LESSON = "04_no_grad"
CLAIMS = {"auto-3", "auto-4", "auto-5"}


@pytest.fixture(scope="module")
def notebook():
    return notebooks.load(LESSON)


def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def cell_with(notebook, text):
    return next(cell for cell in code(notebook) if text in cell.source)


def shown_below(notebook, text):
    return notebooks.plain_text(cell_with(notebook, text))


def program(exercise):
    namespace = {"torch": torch}
    exec(re.search(r"```python\n(.*?)```", exercise.task, re.DOTALL)[1], namespace)
    return namespace


def test_the_gradient_to_predict_is_that_of_the_program():
    exercise = load_exercise("nograd-predict")
    assert program(exercise)["w"].grad.item() == exercise.reference


def test_the_flags_to_predict_are_those_of_the_program():
    exercise = load_exercise("nograd-modes")
    namespace = program(exercise)
    flags = {name: namespace[name].requires_grad for name in exercise.reference}
    assert flags == exercise.reference


def held(compute, *arguments):
    """Return the bytes that Python has handed out for `compute` and not got back at its end."""
    gc.collect()
    tracemalloc.start()
    try:
        result = compute(*arguments)
        return tracemalloc.get_traced_memory()[0], result
    finally:
        tracemalloc.stop()


@pytest.fixture
def measuring(notebook):
    """The lesson's own functions, from its cells."""
    namespace = {"torch": torch, "print": lambda *words, **how: None}
    for text in ("def kept_bytes", "def sines(", "def sines_unrecorded"):
        exec(cell_with(notebook, text).source, namespace)
    return namespace


@pytest.mark.parametrize("count", [2, 5, 20])
def test_what_the_lesson_measures_is_what_the_process_holds(measuring, count):
    x = torch.ones(100_000, requires_grad=True)
    size = x.untyped_storage().nbytes()
    measured = measuring["kept_bytes"](measuring["sines"], x, count)
    process, result = held(measuring["sines"], x, count)
    # x itself was there before, and the result, which no slope needs, is new.
    assert measured == count * size
    assert process == pytest.approx(measured - size + result.untyped_storage().nbytes(), rel=0.02)


def test_without_a_record_the_process_holds_the_result_alone(measuring):
    x = torch.ones(100_000, requires_grad=True)
    process, result = held(measuring["sines_unrecorded"], x, 20)
    assert measuring["kept_bytes"](measuring["sines_unrecorded"], x, 20) == 0
    assert process == pytest.approx(result.untyped_storage().nbytes(), rel=0.02)


def test_the_figures_of_the_measurement_are_shown(notebook):
    assert "x alone: 4000 bytes" in shown_below(notebook, "x alone")
    table = shown_below(notebook, "def sines_unrecorded")
    assert "10 sines: recorded  40,000 bytes, under no_grad 0 bytes" in table
    assert "100 sines: recorded 400,000 bytes, under no_grad 0 bytes" in table
    growing = re.findall(r"recorded +([\d,]+) bytes", shown_below(notebook, "rows: recorded"))
    one, hundred, many = (int(each.replace(",", "")) for each in growing)
    assert (many - one) / (hundred - one) == pytest.approx(9_999 / 99)


def test_the_values_in_between_are_drawn_although_nobody_has_a_name_for_them(notebook):
    figure = shown_below(notebook, "memory(small=small")
    assert figure.count("(no name was given; a graph keeps it)") == 2
    assert figure.count("SinBackward0 saved self at version 0") == 3


def test_the_constant_is_kept_by_the_graph_and_is_not_in_it(notebook):
    assert "Not in this graph: u" in shown_below(notebook, "torch.make_dot(v,")
    assert re.search(
        r"u: leaf, shape \(\)\n +MulBackward0 saved other at version 0",
        shown_below(notebook, "memory(w=w, u=u, v=v)"),
    )


def test_the_endings_stand_side_by_side(notebook):
    steps = shown_below(notebook, '"recorded": lambda: move')
    assert "✗ raised RuntimeError: a leaf Variable that requires grad is being used" in steps
    assert "→ returned tensor(0.8000, requires_grad=True)" in steps
    changes = shown_below(notebook, '"through .data"')
    assert "modified by an inplace operation" in changes
    assert "→ returned 8.0" in changes


def test_the_numbers_of_three_steps_are_the_documented_ones(notebook):
    assert "as it should be: 0.512, without clearing: -0.008" in shown_below(
        notebook, "without clearing"
    )


def test_each_claim_of_the_document_has_a_row_and_evidence(notebook):
    rows = re.findall(
        r"^\| (auto-\d+) \|.*\| (right|wrong|incomplete|unsaid) \|",
        "\n".join(notebooks.markdown_lines(notebook)),
        re.MULTILINE,
    )
    assert dict(rows) == dict.fromkeys(CLAIMS, "right")
    shown = "\n".join(notebooks.plain_text(cell) for cell in code(notebook))
    assert all(f"{claim}: " in shown for claim in CLAIMS)
    assert "auto-5: tensor(0.6303) {'requires_grad': False, 'is_leaf': True}" in shown


def test_exercises_of_every_kind_within_half_of_the_lesson():
    exercises = exercises_of(LESSON)
    assert {each.kind for each in exercises} == {"predict", "implement", "repair", "explain"}
    assert sum(each.minutes for each in exercises) <= 25


@pytest.mark.parametrize("verdict", [True, False])
def test_one_verdict_for_all_statements_earns_nothing(verdict):
    answers = dict.fromkeys(load_exercise("nograd-claims").reference, verdict)
    assert check("nograd-claims", answers).verdict.points == 0


def test_each_statement_is_as_the_exercise_says():
    w = torch.tensor(2.0, requires_grad=True)
    model = torch.nn.Linear(2, 2).eval()
    recorded, found = w * w, {}
    with torch.no_grad():
        u, made = w * 2, torch.ones(3, requires_grad=True)
        found["a"] = not w.requires_grad
        found["d"] = made.requires_grad
        recorded.backward()
        found["e"] = w.grad.item() == 4
        with torch.enable_grad():
            found["h"] = (w * 2).requires_grad
        with torch.no_grad():
            pass
        found["m"] = torch.is_grad_enabled()
    found["b"] = u.is_leaf
    found["c"] = torch.autograd.grad(w * u, w)[0].item() == 0
    found["j"] = (u * 3).requires_grad
    found["k"] = not model(torch.ones(2)).requires_grad
    truth = load_exercise("nograd-claims").reference
    assert found == {key: truth[key] for key in found}


def test_the_statements_on_inference_and_on_places_to_end_hold():
    w = torch.tensor(2.0, requires_grad=True)
    with torch.inference_mode():
        i = w * 2
    with pytest.raises(RuntimeError, match="cannot be saved for backward"):
        w * i
    with contextlib.suppress(ValueError), torch.no_grad():
        w.add_(1)
        raise ValueError
    assert w.item() == 3
    assert torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    assert not torch.is_grad_enabled()
    torch.set_grad_enabled(True)


def test_an_inference_tensor_as_a_result_passes_with_a_remark():
    @torch.inference_mode()
    def evaluate(model, x):
        return model(x)

    verdict = check("nograd-evaluate", evaluate).verdict
    assert verdict.status == "passed"
    assert any("inference mode" in remark for remark in verdict.remarks)


def test_the_mode_is_as_before_after_a_solution_that_leaves_it_off():
    def sgd_step(parameters, lr):
        torch.set_grad_enabled(False)

    check("nograd-sgd", sgd_step)
    assert torch.is_grad_enabled()
