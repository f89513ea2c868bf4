"""What the cells of a lesson print and show is what PyTorch prints and shows, drawings aside."""

import ast
import contextlib
import io
import math
import re
import warnings
from types import SimpleNamespace

import pytest

import autograd_core
from tests.lessons import notebooks

from . import pytorch

try:
    torch = pytorch.load()
except ImportError as reason:
    pytest.skip(str(reason), allow_module_level=True)

NUMBER = re.compile(r"(-?\d+\.\d+(?:e[-+]?\d+)?)")
# The last digit of PyTorch's float32 depends on the processor that computes it.
RELATIVE = 3e-7


class Recording:
    """In the place of what records a program to be stepped through."""

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def __repr__(self):
        return "a drawing"


def drawing(*arguments, **named):
    return Recording()


DRAWING = {
    "memory": drawing,
    "record": Recording,
    "step": drawing,
    "stepper": SimpleNamespace(record=Recording),
}


@pytest.mark.parametrize("lesson", notebooks.lessons())
def test_a_lesson_says_the_same_on_pytorch(lesson, monkeypatch):
    for engine in (autograd_core, torch):
        monkeypatch.setattr(engine, "make_dot", drawing, raising=False)
    notebook = notebooks.with_solutions(notebooks.load(lesson))
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    sources = [cell.source for cell in cells if "check" not in cell.metadata.get("tags", ())]
    here = said(sources)
    there = said(source.replace("autograd_core", "torch") for source in sources)
    for source, one, other in zip(sources, here, there, strict=True):
        assert same(one, other), f"{source}\n\nhere:\n{one}\n\nin PyTorch:\n{other}"


def said(sources):
    """What each cell prints and shows. What the first one imports to draw draws nothing."""
    names = {}
    for place, source in enumerate(sources):
        tree = ast.parse(source)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        printed, shown = io.StringIO(), None
        with contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(tree, "<cell>", "exec"), names)
            if place == 0:
                names |= {name: DRAWING[name] for name in DRAWING.keys() & names.keys()}
            if last is not None:
                shown = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
        yield printed.getvalue() + repr(shown)


def same(one, other):
    """Whether two texts are the same, up to the last digit of their numbers."""
    ones, others = NUMBER.split(one), NUMBER.split(other)
    return ones[::2] == others[::2] and all(
        math.isclose(float(number), float(twin), rel_tol=RELATIVE)
        for number, twin in zip(ones[1::2], others[1::2], strict=True)
    )
