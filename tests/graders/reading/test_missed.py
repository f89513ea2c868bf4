"""What is said of names that code missed."""

import pytest

from graders.reading.cells import Cell
from graders.reading.missed import about_missed, about_unknown

PRELUDE = "import autograd_core as torch\nimport numpy as np\n"
ANSWER = """\
class Half(Function):
    @staticmethod
    def forward(ctx, values):
        factor = 0.5
        return values * factor

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * missed
"""


def told(name, *sources, at=1):
    cells = [Cell(index, source, source) for index, source in enumerate(sources)]
    return about_missed(cells, at, f"name '{name}' is not defined")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("later", "It uses `later`, which only a cell further down defines."),
        ("factor", "`factor` is known only inside of the function, class or comprehension"),
        ("Function", "`Function` is found in `torch.autograd`, and nothing has imported it."),
        ("exp", "`exp` is a name in `torch`, and found there alone."),
        ("math", "`math` is a module that nothing has imported."),
        ("grad_out", "Is `grad_output` meant by `grad_out`?"),
        ("toch", "Is `torch` meant by `toch`?"),
        ("xs", "`xs` is known neither here nor in `torch`."),
        ("x" * 100, ""),
        ("np", ""),
    ],
)
def test_a_missed_name_is_told_what_may_have_been_meant(name, says):
    found = told(name, PRELUDE, ANSWER, "later = 1")

    assert found.startswith(says)
    assert bool(found) == bool(says)


def test_a_first_cell_that_was_lost_is_told_of():
    assert told("torch", "x = 1", ANSWER).startswith("`torch` is imported by the lesson's first")
    assert told("np", "x = 1", ANSWER) == "`np` is short for `numpy`, which nothing has imported."


def test_a_cell_that_is_no_python_still_has_its_names_asked_for():
    assert told("exp", PRELUDE, "def half(") == "`exp` is a name in `torch`, and found there alone."


def test_other_errors_are_about_no_name():
    assert about_unknown("division by zero", ["x"]) == ""
    assert about_unknown("name 'x' is not defined", ["x"]) == ""
