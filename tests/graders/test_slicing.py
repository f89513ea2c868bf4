"""Which of a lesson's cells are passed over, and that no answer hangs on one of them."""

import sys

import pytest

from graders.reading.cells import Cell
from graders.slicing import passed_over

LESSON = (
    "import numpy as np\nimport autograd_core as torch\nfrom autograd_core import Function, relu",
    "x = torch.ones(2, requires_grad=True)",
    "y = (x * 2).sum()\ny.backward()",
    "print(x.grad)",
    "def half(v):\n    return v / 2",
    "import math\nroot = math.sqrt(2)",
    "class Shown(Function):\n    scale = root",
)
IMPORTED = ("np", "torch", "Function", "relu")
ALL = set(range(1, len(LESSON)))
ANSWER = (
    "class Square(Function):\n    @staticmethod\n    def forward(ctx, x):\n        return x * x\n"
)


def passed(answer, *own, lesson=LESSON):
    """What is passed over where `answer` stands after the lesson, and `own` cells after that."""
    texts = [*lesson, answer, *own]
    cells = [Cell(index, text, text) for index, text in enumerate(texts)]
    over = passed_over(cells, frozenset(lesson), [len(lesson)], ["Square"])
    assert 0 not in over or not any(name in "".join(texts[len(lesson) :]) for name in IMPORTED)
    return over - {0}


def test_what_no_answer_stands_on_is_passed_over_and_what_it_imports_is_not():
    assert passed(ANSWER) == ALL


@pytest.mark.parametrize(
    ("answer", "needed"),
    [
        ("Square = half(3)", {4}),
        ("def Square(v):\n    return half(v)", {4}),
        ("def Square(v):\n    return [half(each) for each in v]", {4}),
        ("def Square(v):\n    return v + y", {1, 2, 3}),
        ("class Square(Shown):\n    pass", {5, 6}),
        ("def Square(v, of=y):\n    return v", {1, 2, 3}),
        ("def Square(half):\n    return half + 1", set()),
        ("Square = [x for x in x]", {1, 2, 3}),
        ("def Square(v):\n    global x\n    x = v", {1, 2, 3}),
        ("def Square(v):\n    return lambda root: root + v", set()),
        ("try:\n    Square = 1\nexcept ValueError as half:\n    pass", {4}),
    ],
)
def test_what_an_answer_stands_on_is_run_with_all_that_is_tied_to_it(answer, needed):
    assert passed(answer) == ALL - needed


@pytest.mark.skipif(sys.version_info < (3, 12), reason="functions have no type parameters")
def test_the_bound_of_a_type_parameter_is_something_that_an_answer_stands_on():
    assert passed("def Square[T: half](v: T):\n    return T") == ALL - {4}


def test_a_cell_of_the_students_ties_what_it_uses_to_an_answer():
    assert passed("Square = 1", "print(half(Square))") == ALL - {4}


def test_a_cell_of_the_students_that_is_tied_to_no_answer_needs_nothing():
    assert passed(ANSWER, "guess = 3\nprint(y)") == ALL


def test_what_is_imported_is_run_where_it_is_used():
    assert passed("Square = math.pi") == ALL - {5, 6}


def test_a_name_of_a_module_that_stands_for_something_else_ties_all_who_use_it():
    assert passed(ANSWER, "np = 1") == ALL
    assert passed("torch = 1") == ALL - {1, 2, 3}


def test_a_lessons_cell_that_uses_an_answer_is_run():
    lesson = (*LESSON, "z = Square.apply(x)")
    assert passed(ANSWER, lesson=lesson) == ALL - {1, 2, 3}


def test_what_a_lesson_makes_of_an_answer_is_run_only_where_an_answer_uses_it():
    lesson = (*LESSON, "z = Square.apply(x)", "w = z * 2", "print(half(w))", "Shown.scale = z")
    assert passed(ANSWER, lesson=lesson) == {4, 5, 6, 8, 9, 10}
    assert passed(ANSWER, "print(w)", lesson=lesson) == {4, 5, 6, 8, 9, 10}
    for uses in ("def Square(v):\n    return w", "def Square(v):\n    return z"):
        assert passed(uses, lesson=lesson) == set()


def test_a_lessons_cell_that_gives_the_name_of_an_answer_ties_all_that_it_names():
    assert passed(ANSWER, lesson=(*LESSON, "Square = half(3)")) == ALL - {4}


def test_a_lessons_cell_that_changes_the_engine_is_run():
    lesson = (*LESSON, "torch.set_default_dtype(torch.float64)", "torch.wide = half")
    assert passed(ANSWER, lesson=lesson) == ALL - {4}


@pytest.mark.parametrize(
    "code",
    [
        "globals()['y'] = 2",
        "exec('y = 2')",
        "get_ipython().run_cell('y')",
        "import sys",
        "from numpy import *",
        "from .numpy import ones",
        "import torch as other",
        "Square.forward.__globals__['y']",
        "setattr(torch, 'tensor', None)",
        "torch.tensor = None",
        "torch.Tensor.add = None",
        "def change():\n    torch.tensor = None",
        "torch.set_grad_enabled(False)",
        "def change():\n    torch.set_default_dtype(torch.float64)\nchange()",
        "w = torch.randn(3)",
        "def draw():\n    return np.random.default_rng()\ndraw()",
        "this does not parse",
        "x = " + "(" * 500 + "1" + ")" * 500,
        "ctx = 1\n" * 1_000,
    ],
)
def test_in_case_of_doubt_all_is_run(code):
    assert passed(ANSWER, code) == set()
    assert passed(f"{ANSWER}\n{code}") == set()


@pytest.mark.parametrize("code", ["def draw():\n    return torch.randn(3)", "ctx = 1"])
def test_what_is_only_defined_changes_nothing(code):
    assert passed(f"{ANSWER}\n{code}") == ALL
