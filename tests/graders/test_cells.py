import ast

import pytest

from graders.cells import Cell, defines, place_of
from graders.magics import runnable

STARTER = "class Square(Function):\n    def forward(ctx, x):\n        ...\n"
SOLVED = "class Square(Function):\n    def forward(ctx, x):\n        return x * x\n"


def cells(*written):
    """Cells from (source, exercise) pairs, numbered from 0."""
    return [Cell(i, source, source, mark) for i, (source, mark) in enumerate(written)]


def found(*written):
    return place_of(cells(*written), "fn-square", "Square", STARTER).at


@pytest.mark.parametrize("source", ["x = 5 % 3\n", "x != 1", "print('50 %!?')", ""])
def test_plain_python_stays_as_it_is(source):
    assert runnable(source) == source


@pytest.mark.parametrize(
    "source",
    ["%matplotlib inline\nx = 1", "!pip install torch\nx = 1", "files = !ls\nx = 1", "x?\nx = 1"],
)
def test_magics_and_shell_lines_become_calls_on_the_same_lines(source):
    tree = ast.parse(runnable(source))

    assert "get_ipython()" in ast.unparse(tree.body[0])
    assert [ast.unparse(each) for each in tree.body if each.lineno == 2] == ["x = 1"]


@pytest.mark.parametrize("magic", ["%%time", "%%capture out", "\n\n%%timeit -n 1"])
def test_cells_under_a_measuring_magic_run_on_the_same_lines(magic):
    source = f"{magic}\nclass A:\n    pass"

    (definition,) = ast.parse(runnable(source)).body

    assert definition.lineno == source.splitlines().index("class A:") + 1


@pytest.mark.parametrize("magic", ["%%bash", "%%html", "%%writefile x.py", "%% javascript"])
def test_cells_in_other_languages_are_empty(magic):
    assert runnable(f"{magic}\nrm -rf /") == ""


def test_windows_line_ends_are_lines():
    assert runnable("x = 1\r\ny = 2\r") == "x = 1\ny = 2\n"


@pytest.mark.parametrize(
    "source",
    [
        "(" * 200_000,
        "-" * 200_000 + "1",
        "a" + ".b" * 100_000,
        "!a\n" * 100_000,
        "\n" * 100_000 + "%",
        " " * 100_000 + "!",
        "f'{" * 3000,
        "x = '\x00'\n%ls",
        "\n".join(" " * i + "if 1:" for i in range(2000)),
    ],
    ids=["open", "minus", "dots", "shell", "lines", "blanks", "f-strings", "null", "indents"],
)
def test_monstrous_cells_are_left_alone_and_still_searched(source):
    assert isinstance(runnable(source), str)
    assert defines(source + "\nSquare = 1", "Square")


@pytest.mark.parametrize(
    "source",
    [
        SOLVED,
        "Square = 3",
        "Square: int = 3",
        "a, (Square, b) = 1, (2, 3)",
        "def Square(): pass",
        "async def Square(): pass",
        "import numpy as Square",
        "from numpy import Square",
        "if True:\n    Square = 1",
        "with a as Square: pass",
        "for Square in []: pass",
        "(Square := 3)",
        "class Square(Function:\n  pass",
        "Square = (",
        "x = (\nSquare : dict = {",
    ],
)
def test_a_cell_that_gives_the_symbol_a_value_defines_it(source):
    assert defines(source, "Square")


@pytest.mark.parametrize(
    "source",
    [
        "Square.apply(1)",
        "class Other:\n    def Square(self): pass",
        "def f():\n    Square = 1",
        "'class Square: pass'",
        "# Square = 1",
        "Squared = 1",
        "Square == 1 (",
        "lambda Square: 1",
    ],
)
def test_a_cell_that_only_mentions_the_symbol_does_not_define_it(source):
    assert not defines(source, "Square")


def test_the_marked_cell_is_the_answer():
    assert found((SOLVED, None), (SOLVED, "fn-square"), ("Square = 0", None)) == 1


def test_the_last_of_split_or_copied_cells_is_the_answer():
    assert found((SOLVED, "fn-square"), ("Square.extra = 1", "fn-square"), ("x", None)) == 1


def test_a_copied_starter_does_not_hide_the_solution():
    assert found((SOLVED, "fn-square"), (STARTER, "fn-square")) == 0


def test_a_solution_below_an_untouched_starter_is_the_answer():
    reformatted = STARTER.replace("...", "...  # soon")

    assert found((SOLVED, None), (reformatted, "fn-square"), (SOLVED, None)) == 2


def test_a_demonstration_above_an_untouched_starter_is_not_the_answer():
    assert found((SOLVED, None), (STARTER, "fn-square")) == 1


def test_without_marks_the_last_definition_is_the_answer():
    assert found((SOLVED, None), ("x = 1", None), (SOLVED, None), ("x", None)) == 2


def test_a_definition_under_another_exercise_s_mark_is_better_than_none():
    assert found((SOLVED, "fn-exp"), ("x = 1", None)) == 0


def test_a_marked_cell_without_the_symbol_is_better_than_none():
    assert found(("x = 1", None), ("raise NotYet", "fn-square")) == 1


def test_without_anything_there_is_no_cell():
    assert found(("x = 1", None)) is None
