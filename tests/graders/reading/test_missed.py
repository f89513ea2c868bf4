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
        ("later", "It uses `later`, which is defined only in a cell further down."),
        ("factor", "`factor` is known only inside the function, class or comprehension"),
        ("Function", "`Function` is found in `torch.autograd`, and has not been imported."),
        ("exp", "`exp` is known only as a name in `torch`."),
        ("math", "`math` is a module that has not been imported."),
        ("grad_out", "Did you mean `grad_output` instead of `grad_out`?"),
        ("toch", "Did you mean `torch` instead of `toch`?"),
        ("true", "In Python, `True`, `False` and `None` begin with a capital letter."),
        ("NONE", "In Python, `True`, `False` and `None` begin with a capital letter."),
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
    assert told("torch", "x = 1", ANSWER).startswith("`torch` is imported in the lesson's first")
    assert told("np", "x = 1", ANSWER) == "`np` is short for `numpy`, which has not been imported."


def test_a_cell_that_is_no_python_still_has_its_names_asked_for():
    assert told("exp", PRELUDE, "def half(") == "`exp` is known only as a name in `torch`."


def test_other_errors_are_about_no_name():
    assert about_unknown("division by zero", ["x"]) == ""
    assert about_unknown("name 'x' is not defined", ["x"]) == ""
