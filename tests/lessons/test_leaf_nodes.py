"""The lesson on leaf nodes: its predictions, its claims, and what its exercises answer."""

import pytest

from graders import check
from graders.exercise import exercises_of, load
from tests.lessons import notebooks, predictions

LESSON = "02_leaf_nodes"

# In the lesson's order: a wrong guess, words of the idea that it is answered with, the truth.
GUESSES = [
    ("False", "no operation has made", "True"),
    ("'z'", "at the end of the computation", "'x'"),
    ("4", "has a history and requires no grad", "3"),
    ("12", "passed through h", "None"),
    ("'scaled'", "ends at the leaf", "'good'"),
    ("2", "gradients have to go somewhere", "0"),
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


def test_every_claim_of_the_document_is_judged_and_shown(notebook):
    prose = list(notebooks.markdown_lines(notebook))
    shown = "\n".join(
        cell.source for cell in notebook.cells if cell.cell_type == "code"
    ) + "\n".join(prose)
    for number in range(1, 12):
        rows = [line for line in prose if line.startswith(f"| leaf-{number} |")]
        assert len(rows) == 1
        assert shown.count(f"leaf-{number}") > 1, f"nothing to run for leaf-{number}"


def test_exercises_of_every_kind():
    kinds = {exercise.kind for exercise in exercises_of(LESSON)}
    assert kinds == {"predict", "implement", "repair", "explain"}


@pytest.mark.parametrize("verdict", [True, False])
def test_one_verdict_for_all_claims_earns_nothing(verdict):
    answers = dict.fromkeys(load("leaf-claims").reference, verdict)
    assert check("leaf-claims", answers).verdict.points == 0


def test_who_believes_the_document_is_told_of_all_its_claims():
    answers = dict.fromkeys(load("leaf-claims").reference, True)
    found = check("leaf-claims", answers).verdict.findings
    assert set(found) == {f"leaf-{number}" for number in range(1, 11)}


def test_claims_left_open_count_as_wrong_and_name_nothing():
    answers = load("leaf-claims").reference | {"e": None}
    verdict = check("leaf-claims", answers).verdict
    assert verdict.status == "partial"
    assert verdict.misconception is None


def test_two_ideas_about_the_walk_are_both_named():
    def find_leaves(t):
        leaves = []

        def visit(node):
            if node is None:
                return
            if hasattr(node, "variable"):
                leaves.append(node.variable)
            for following, _ in node.next_functions:
                visit(following)

        if t.grad_fn is None:
            return [t] if t.requires_grad else []
        visit(t.grad_fn)
        return leaves

    verdict = check("leaf-walk", find_leaves).verdict
    assert set(verdict.findings) == {"once-per-path", "recursion"}


def test_a_walk_that_yields_is_told_that_a_list_is_wanted():
    def find_leaves(t):
        yield from load("leaf-walk").reference(t)

    verdict = check("leaf-walk", find_leaves).verdict
    assert verdict.points == 0
    assert "the result is a generator; it should be a list." in verdict.summary


def test_an_error_in_a_walk_is_shown_with_its_line():
    def find_leaves(t):
        return t.leaves

    verdict = check("leaf-walk", find_leaves).verdict
    assert verdict.error.type == "AttributeError"
    assert "'Tensor' object has no attribute 'leaves'" in verdict.error.message
    assert verdict.error.source_line.strip() == "return t.leaves"


def test_a_weight_of_another_spread_is_told_how_wide_it_is():
    import autograd_core as torch

    def make_weight(n):
        return (torch.randn(n) * 0.5).requires_grad_()

    verdict = check("leaf-missing-grad", make_weight).verdict
    assert verdict.points == 3
    assert verdict.misconception is None
    assert "spread of the numbers to two decimals is 0.5" in verdict.summary


def test_no_weight_at_all_is_told_so():
    verdict = check("leaf-missing-grad", lambda n: None).verdict
    assert verdict.points == 0
    assert verdict.summary.startswith("The result is None; it should be a tensor.")
