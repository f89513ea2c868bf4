"""The lesson on own Functions: its predictions, its claims, and what its exercises answer."""

import pytest

import autograd_core as torch
from autograd_core.autograd import Function
from graders import check
from graders.exercise import PRELUDE, exercises_of, load
from tests.lessons import notebooks, predictions

LESSON = "07_custom_functions"

# In the lesson's order: a wrong guess, words that answer it, the truth.
GUESSES = [
    ("2", "You differentiated forward", "100"),
    ("1", "if the sine were the last step", "5"),
    (
        '{"Sine": "right", "Attaches": "right"}',
        "remembers the version",
        '{"Sine": "error", "Attaches": "wrong"}',
    ),
    ("-0.25", "through one of the four quotients", "-1"),
    (
        '{"WithoutNone": "works", "SavesTheNumber": "error"}',
        "worth knowing by sight",
        '{"WithoutNone": "error", "SavesTheNumber": "error"}',
    ),
    ("[True, True, False]", "Being a tensor is not enough", "[True, False, False]"),
    ("[10, 10, 10]", "Only one of the three", "[0, 10, 0]"),
    (
        '{"first gradient is right": False, "it depends on x": False}',
        "came from nowhere",
        '{"first gradient is right": True, "it depends on x": False}',
    ),
]

CLAIMS = ("auto-1", "dirty-5", "dirty-6", "dirty-9", "dirty-15")


@pytest.fixture(scope="module")
def notebook():
    return notebooks.load(LESSON)


def test_every_prediction_names_a_foreseen_error_and_accepts_the_truth(notebook):
    predictions.check(notebook, GUESSES)


def test_predictions_stand_alone_above_what_reveals_them(notebook):
    for cell in notebook.cells:
        if "reveal(\n" in cell.source:
            assert predictions.reveals(cell)
            above = notebooks.cell_before(notebook, cell)
            while above.cell_type == "code" and not above.source.startswith("guess = "):
                above = notebooks.cell_before(notebook, above)
            assert "..." in above.source


def test_each_claim_that_touches_on_functions_has_a_row_and_evidence(notebook):
    prose = list(notebooks.markdown_lines(notebook))
    for claim in CLAIMS:
        assert len([line for line in prose if line.startswith(f"| {claim} |")]) == 1


@pytest.mark.parametrize(
    "printed",
    [
        "dz/dx1 = 0.33239537477493286",
        "dz/dx2 = 0.16619768738746643",
        "ValueError: not enough values to unpack (expected 2, got 0)",
        "object has no attribute 'saved_tensor'",
        "x.grad = 6.0  y.grad = 6.0",
        "claimed 100.00000   measured   2.00000   DIFFER",
    ],
)
def test_what_the_text_states_is_computed_in_it(notebook, printed):
    assert any(printed in notebooks.plain_text(cell) for cell in notebook.cells)


def test_exercises_are_predicted_implemented_and_repaired():
    assert {exercise.kind for exercise in exercises_of(LESSON)} == {
        "predict",
        "implement",
        "repair",
    }


def mended(id, *changes):
    """The starter of a repair exercise with some lines changed."""
    source = load(id).starter
    for old, new in changes:
        assert old in source
        source = source.replace(old, new)
    namespace = {}
    exec(PRELUDE + source, namespace)
    return namespace[load(id).symbol]


def test_log_times_sine_is_worth_nothing_before_something_is_mended():
    assert check("fn-logsin", mended("fn-logsin", ("y1.cos()", "y1.cos() * 1"))).verdict.points == 0


@pytest.mark.parametrize(
    ("changes", "finding"),
    [
        ([("grad_y1 = y1.log()", "grad_y1 = grad_y1 + y1.log()")], "ignores-grad-output"),
        (
            [("grad_y1 = y1.log()", "grad_y1 = grad_output * y1.log()")],
            "loses-the-log-branch",
        ),
        (
            [
                ("grad_y1 = y1.sin()", "grad_y1 = grad_output * y1.sin()"),
                ("grad_y1 = y1.log()", "grad_y1 = grad_y1 + y1.log()"),
            ],
            "grad-output-in-one-branch-only",
        ),
    ],
)
def test_log_times_sine_mended_by_half_names_what_is_left(changes, finding):
    verdict = check("fn-logsin", mended("fn-logsin", *changes)).verdict

    assert verdict.misconception == finding


def test_log_times_sine_mended_in_place_of_its_lines_passes():
    changes = [
        ("grad_y1 = y1.log() * y1.cos()", "grad_y1 = (grad_y1 + y1.log() * y1.cos()) * grad_output")
    ]
    assert check("fn-logsin", mended("fn-logsin", *changes)).passed


@pytest.mark.parametrize(
    ("changes", "finding"),
    [
        ([("x.detach()", "x")], "detaches-grad-output"),
        ([("grad_output.detach()", "grad_output")], "what-is-kept-has-no-history"),
    ],
)
def test_a_cube_mended_by_half_names_what_is_left(changes, finding):
    assert check("fn-twice", mended("fn-twice", *changes)).verdict.misconception == finding


def test_a_wrong_gradient_from_the_input_is_not_called_a_recomputed_one():
    class Exp(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return torch.exp(x)

        @staticmethod
        def backward(ctx, grad_output):
            return 2 * grad_output * torch.exp(ctx.saved_tensors[0])

    verdict = check("fn-exp", Exp).verdict

    assert verdict.misconception is None
    assert "twice what it should be" in verdict.summary


def test_a_sort_that_returns_its_values_alone_is_told_so():
    class SortWithIndex(Function):
        @staticmethod
        def forward(ctx, x):
            return torch.sort(x).values

        @staticmethod
        def backward(ctx, grad_output):
            return grad_output

    verdict = check("fn-sort", SortWithIndex).verdict

    assert verdict.points == 0
    assert "apply returns a tuple of two tensors" in verdict.summary


def test_what_the_engine_does_for_a_student_is_said_and_not_punished():
    unsummed = load("fn-multiply").variants[0].solution
    everything = load("fn-linear").variants[0].solution
    unmarked = load("fn-sort").variants[1].solution

    assert "summed it for you" in " ".join(check("fn-multiply", unsummed).verdict.remarks)
    assert "not needed" in " ".join(check("fn-linear", everything).verdict.remarks)
    assert "did not mark" in " ".join(check("fn-sort", unmarked).verdict.remarks)


@pytest.mark.parametrize("at_the_bounds", ["closed", "open"])
def test_a_clamp_may_do_as_it_likes_at_its_bounds(at_the_bounds):
    class Clamp(Function):
        @staticmethod
        def forward(ctx, x, lo, hi):
            closed = at_the_bounds == "closed"
            ctx.save_for_backward((x >= lo) & (x <= hi) if closed else (x > lo) & (x < hi))
            return x.clamp(lo, hi)

        @staticmethod
        def backward(ctx, grad_output):
            return grad_output * ctx.saved_tensors[0], None, None

    assert check("fn-clamp", Clamp).passed
