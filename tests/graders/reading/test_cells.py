import pytest

from graders.exercise import all_exercises
from graders.reading.cells import (
    Cell,
    Place,
    alike,
    bound_names,
    defines,
    name_instead,
    place_of,
    redefined_at,
)
from graders.reading.magics import runnable

STARTER = "class Square(Function):\n    def forward(ctx, x):\n        ...\n"
SOLVED = "class Square(Function):\n    def forward(ctx, x):\n        return x * x\n"


def cells(*written):
    """Cells from (source, exercise) pairs, numbered from 0."""
    return [Cell(i, source, source, mark) for i, (source, mark) in enumerate(written)]


def found(*written):
    return place_of(cells(*written), "fn-square", "Square", STARTER).at


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


HELPER = "class Helper:\n    pass"
USES = "class Square(Function):\n    def forward(ctx, x):\n        return Helper(x)"


def place(*written):
    return place_of(cells(*written), "fn-square", "Square", STARTER)


def test_what_happens_in_any_part_of_a_split_cell_is_the_exercise_s():
    split = [("k = 1", "fn-square"), (SOLVED, "fn-square"), ("x", None), ("y", "fn-square")]

    assert place(*split) == Place(3, frozenset({0, 1, 3}))


def test_a_helper_in_a_later_cell_is_waited_for():
    assert place((USES, "fn-square"), ("x = 1", None), (HELPER, None)).at == 2
    assert place((HELPER, None), (USES, "fn-square"), (HELPER, None)).at == 1


def test_a_helper_s_helper_is_waited_for():
    first = "def Helper(x):\n    return further(x)"
    assert place((USES, None), (first, None), ("def further(x): pass", None)).at == 2


def test_a_helper_in_another_exercise_s_cell_leaves_the_limits_there():
    assert place((USES, "fn-square"), (HELPER, "fn-exp")) == Place(1, frozenset({0}))


def test_variables_further_down_are_not_waited_for():
    assert place((USES, "fn-square"), ("Helper = 1", None)).at == 0


def test_nothing_is_waited_for_once_the_symbol_means_something_else():
    assert place((USES, "fn-square"), ("Square = 0", "fn-exp"), (HELPER, None)).at == 0


def test_what_is_added_to_the_class_further_down_belongs_to_it():
    for added in (
        "Square.backward = staticmethod(lambda ctx, g: g)",
        "setattr(Square, 'backward', staticmethod(lambda ctx, g: g))",
    ):
        assert place((SOLVED, "fn-square"), ("x = 1", None), (added, None)).at == 2
    for used in ("Square.backward == 3", "setattr(Squares, 'x', 1)", "getattr(Square, 'x')"):
        assert place((SOLVED, "fn-square"), (used, None)).at == 0


def test_a_cell_that_the_student_added_above_an_untouched_starter_is_the_answer():
    own = Cell(0, SOLVED, SOLVED, None, own=True)
    below = Cell(1, STARTER, STARTER, "fn-square")

    assert place_of([own, below], "fn-square", "Square", STARTER).at == 0


def test_a_redefinition_is_the_last_one_that_the_student_has_added_below():
    first, given = Cell(0, SOLVED, SOLVED, "fn-square"), Cell(1, SOLVED, SOLVED)
    tries = [Cell(i, SOLVED, SOLVED, None, own=True) for i in (2, 4)]
    uses = Cell(3, "Square.apply(x)", "Square.apply(x)", None, own=True)

    assert redefined_at([first, given, *tries, uses], "Square", 0) == Place(4, frozenset({4}))
    assert redefined_at([first, given, uses], "Square", 0) is None
    assert redefined_at([first, *tries], "Square", 4) is None


def test_two_exercises_in_one_cell_are_both_found_there():
    merged = SOLVED + "\nclass Exp(Function):\n    pass\n"

    assert place((merged, "fn-exp"), (STARTER, "fn-square")) == Place(0, frozenset({0}))
    assert place((merged, "fn-exp")).at == 0


def test_a_variable_of_another_exercise_is_no_answer():
    assert place(("Square = 3", "fn-exp"), (STARTER, "fn-square")).at == 1


@pytest.mark.parametrize("left", ["", "  \n", "# moved up"])
def test_a_value_that_was_moved_from_its_own_cell_to_another_exercise_s_is_found(left):
    answers = cells(("passes = 3\ndiamond = 21", "graph-count"), (left, "graph-diamond"))

    assert place_of(answers, "graph-diamond", "diamond", "diamond = ...").at == 0


def test_names_of_broken_code_are_guessed():
    assert bound_names("class A:\n  x\nB = 1\nclass C(") == {"A", "C"}
    assert bound_names("class A: pass\nB = 1") == {"A", "B"}


def test_no_starter_has_another_exercise_s_symbol():
    symbols = {each.symbol for each in all_exercises()}
    for each in all_exercises():
        assert bound_names(each.starter) & symbols <= {each.symbol}


@pytest.mark.parametrize(
    ("source", "name"),
    [
        (SOLVED.replace("Square", "square"), "square"),
        (SOLVED.replace("Square", "Sqaure"), "Sqaure"),
        (SOLVED.replace("Square", "Cube"), ""),
        (SOLVED, "Square"),
        ("x = 1", ""),
        ("", ""),
    ],
)
def test_an_answer_may_stand_under_a_name_much_like_its_own(source, name):
    other = (SOLVED.replace("Square", "SQUARE"), "fn-exp")
    starter = STARTER.replace("Square", "Start")
    assert name_instead(cells(other, (source, "fn-square")), "fn-square", "Square", starter) == name


def test_names_are_alike_whatever_their_case_and_underscores():
    assert alike("fit_slope", ["x", "fitSlope"]) == "fitSlope"
    assert alike("sgd_step", ["step", "sgd"]) == ""
    assert alike("Square", []) == ""
