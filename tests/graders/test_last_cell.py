import IPython
import pytest
from IPython.core.interactiveshell import InteractiveShell

from graders.last_cell import error_before


@pytest.fixture
def shell(monkeypatch):
    shell = InteractiveShell()
    monkeypatch.setattr(IPython, "get_ipython", lambda: shell)
    return shell


@pytest.mark.parametrize(
    ("cell", "error"),
    [
        ("guess = works", NameError),
        ("guess = {\n    'a': 1,\n    'b': 1 / 0,\n}", ZeroDivisionError),
        ("first = 1 / 0\nguess = first", ZeroDivisionError),
        ("guess = 'works", SyntaxError),
        ("class guess:\n    value = missing", NameError),
        ("def half(n):\n    return n / 0\n\nguess = half(1)", ZeroDivisionError),
    ],
)
def test_a_cell_that_stops_before_it_binds_a_name_is_told_by_its_error(shell, cell, error):
    shell.run_cell(cell)
    assert isinstance(error_before("guess"), error)


@pytest.mark.parametrize(
    "cell",
    [
        "guess = 1",
        "guess = 1\n1 / 0",
        "def guess():\n    return missing\n\nguess()",
        "other = missing",
        "other = guess_of_mine",
        "%no_such_magic guess",
        "other = 'works",
        "",
    ],
)
def test_other_cells_keep_no_name_from_being_bound(shell, cell):
    shell.run_cell(cell)
    assert error_before("guess") is None


def test_nothing_has_stopped_where_no_cells_are_run(monkeypatch):
    monkeypatch.setattr(IPython, "get_ipython", lambda: None)
    assert error_before("guess") is None
