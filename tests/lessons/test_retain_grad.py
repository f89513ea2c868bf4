"""The lesson on retain_grad: its predictions and verdicts are what really happens."""

import re
import warnings

import pytest

import autograd_core as torch
from graders.exercise import load as load_exercise
from tests.lessons import notebooks

LESSON = "05_retain_grad"
DIGITS = {
    "x1": "0.33239537477493286",
    "x2": "0.16619768738746643",
    "y1": "0.16619768738746643",
    "y2": "0.9092974066734314",
    "y3": "0.6931471824645996",
}


@pytest.fixture(scope="module")
def notebook():
    return notebooks.load(LESSON)


def cell_with(notebook, text):
    return next(cell for cell in notebook.cells if cell.cell_type == "code" and text in cell.source)


def test_the_gradients_to_predict_are_those_of_the_program():
    exercise = load_exercise("retain-predict")
    namespace = {"torch": torch}
    exec(re.search(r"```python\n(.*?)```", exercise.task, re.DOTALL)[1], namespace)
    assert {name: namespace[name].grad.item() for name in ("h", "x")} == exercise.reference


class Experiment:
    """The tensors that the statements of `retain-verdicts` are about."""

    def __init__(self):
        self.x = torch.tensor(2.0, requires_grad=True)
        self.h = 3 * self.x
        self.z = self.h * self.h

    def walk(self, **options):
        self.z.backward(**options)
        return self

    def kept(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            grad = self.h.grad
        return None if grad is None else grad.item()


def is_computed_unkept():
    e, seen = Experiment(), []
    e.h.register_hook(lambda g: seen.append(g.item()))
    return e.walk().kept() is None and seen == [12.0]


def retaining_makes_a_leaf():
    e = Experiment()
    e.h.retain_grad()
    return e.h.is_leaf


def retaining_afterwards_fills_in():
    e = Experiment().walk()
    e.h.retain_grad()
    return e.kept() is not None


def the_end_asks_for_all():
    e = Experiment()
    e.z.retain_grad()
    return e.walk().kept() is not None


def a_leaf_has_no_flag():
    e = Experiment()
    e.x.retain_grad()
    return not e.x.retains_grad


def a_second_walk_replaces():
    e = Experiment()
    e.h.retain_grad()
    return e.walk(retain_graph=True).walk().kept() == 12.0


def a_new_result_forgets():
    e = Experiment()
    e.h.retain_grad()
    e.h = 3 * e.x
    return not e.h.retains_grad


def grad_needs_no_retaining():
    e = Experiment()
    return torch.autograd.grad(e.z, e.h)[0].item() == 12.0


def grad_fills_leaves():
    e = Experiment()
    torch.autograd.grad(e.z, e.x)
    return e.x.grad is not None


def with_hooks(*hooks):
    e = Experiment()
    e.h.retain_grad()
    for hook in hooks:
        e.h.register_hook(hook)
    return e.walk()


def a_hooks_result_goes_on():
    return with_hooks(lambda g: g * 5).x.grad.item() == 180.0


def a_hook_without_result_stops():
    return with_hooks(lambda g: None).x.grad is None


def hooks_run_in_order():
    return with_hooks(lambda g: g * 10, lambda g: g + 1).kept() == 121.0


def kept_before_hooks():
    return with_hooks(lambda g: g * 2).kept() == 12.0


TRIALS = {
    "a": is_computed_unkept,
    "b": retaining_makes_a_leaf,
    "c": lambda: Experiment().walk(retain_graph=True).kept() is not None,
    "d": retaining_afterwards_fills_in,
    "e": the_end_asks_for_all,
    "f": a_leaf_has_no_flag,
    "g": a_second_walk_replaces,
    "h": a_new_result_forgets,
    "i": grad_needs_no_retaining,
    "j": grad_fills_leaves,
    "k": a_hooks_result_goes_on,
    "l": a_hook_without_result_stops,
    "m": hooks_run_in_order,
    "n": kept_before_hooks,
}


def test_every_statement_to_judge_has_been_tried():
    assert {key: trial() for key, trial in TRIALS.items()} == load_exercise(
        "retain-verdicts"
    ).reference


def test_the_documents_five_gradients_are_there_to_the_digit(notebook):
    shown = notebooks.plain_text(cell_with(notebook, "auto-7"))
    found = dict(re.findall(r"dz/d(\w\d) = ([\d.]+)", shown))
    assert found == DIGITS
    flags = re.findall(r"retains_grad=(\w+)", shown)
    assert flags == ["False", "False", "True", "True", "True"]


def test_the_lesson_catches_the_warning_that_reading_a_forgotten_gradient_gives(notebook):
    told = notebooks.plain_text(cell_with(notebook, 'partition(" See ")'))
    assert told.startswith("UserWarning\n- The .grad attribute of a Tensor that is not a leaf")


def test_the_claims_that_belong_here_have_a_row_with_a_verdict_and_evidence(notebook):
    prose = "\n".join(notebooks.markdown_lines(notebook))
    rows = re.findall(r"^\| (auto-\d+) \|.*\| (right|wrong|incomplete) \|", prose, re.MULTILINE)
    assert rows == [("auto-1", "right"), ("auto-6", "right"), ("auto-7", "right")]
    assert all(digits in prose for digits in DIGITS.values())
    assert all(f"({id}" in prose or f"{id})" in prose for id, _ in rows)


def test_the_figures_say_which_tensors_hold_a_gradient(notebook):
    shown = notebooks.plain_text(cell_with(notebook, "never asked"))
    endings = re.findall(r"makes h, (no grad|grad \d+)\) \[1\]", shown)
    assert endings == ["no grad", "grad 12", "no grad"]
    five = notebooks.plain_text(cell_with(notebook, "make_dot(z, labels"))
    assert {"y2, grad 0.9093", "y3, grad 0.6931", "x1, grad 0.3324", "z, no grad"} <= set(
        re.findall(r"\w\d?, (?:no grad|grad [\d.]+)", five)
    )


def test_what_adds_up_and_what_is_replaced_was_measured(notebook):
    shown = notebooks.plain_text(cell_with(notebook, "same object: h:"))
    assert "h.grad = 24.0 | kept from the first walk: 12.0" in shown
    assert "x.grad = 72.0 | kept from the first walk: 72.0" in shown
    assert shown.rstrip().endswith("h: False | x: True")


def test_a_learner_needs_no_more_than_the_lesson_says(notebook):
    minutes = sum(load_exercise(id).minutes for id in notebooks.exercise_cells(notebook))
    assert minutes <= 25


def test_answers_to_predict_are_nowhere_in_the_cells_of_the_lesson(notebook):
    for cell in notebook.cells:
        if cell.cell_type == "code" and "exercise" not in cell.metadata:
            assert not re.search(r"^(grads|verdicts)\b *=", cell.source, re.MULTILINE)
