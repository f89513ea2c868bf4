import builtins
import sys
from types import ModuleType

import pytest

from graders.exercise import all_exercises
from graders.observe import pristine
from graders.observe.lab import observe
from graders.observe.parts import Parts
from graders.observe.pristine import Pristine

SOURCE = """
from math import sqrt

limit = 3
count = {"seen": 0}

def double(x, by=2):
    return x * by

def triple(x):
    return x * 3

def thrice(function):
    def called(x):
        return function(function(function(x)))
    return called

@thrice
def eightfold(x):
    return double(x)

class Base:
    def area(self):
        return 1
    def name(self):
        return "base"

class Square(Base):
    side = 4
    def area(self):
        return self.side**2
    @staticmethod
    def make():
        return Square()
    @property
    def width(self):
        return self.side

table = {"double": double, "triple": triple}
"""


@pytest.fixture
def shapes(monkeypatch):
    module = ModuleType("shapes")
    monkeypatch.setitem(sys.modules, "shapes", module)
    exec(compile(SOURCE, "<scenario>", "exec"), module.__dict__)
    return module


class Kept:
    """What is remembered of one module, with what no dict of it holds."""

    def __init__(self, module):
        self.pristine = Pristine([module], (module.__name__,))
        self.parts = Parts([module, *self.pristine.classes])

    def restore(self):
        changed = self.parts.restore()
        return self.pristine.restore() or changed


@pytest.fixture(params=["told by versions", "looked at one by one"])
def kept(shapes, request, monkeypatch):
    if request.param == "looked at one by one":
        monkeypatch.setattr(pristine, "versions_of", lambda mappings: None)
    return Kept(shapes)


def lie(*arguments, **options):
    return "a lie"


class Agreeable:
    """Says that it equals whatever it has replaced."""

    def __eq__(self, other):
        return True

    __hash__ = None
    __call__ = lie


class LyingModule(ModuleType):
    def __getattribute__(self, name):
        return lie


class LyingBase:
    area = name = make = lie


CONTENTS = "cell_contents"


def closed_over(shapes):
    (cell,) = shapes.eightfold.__closure__
    return cell


def describe(shapes):
    square = shapes.Square()
    return (
        shapes.double(4),
        shapes.table["triple"](2),
        shapes.sqrt(9),
        shapes.eightfold(1),
        square.area(),
        square.name(),
        square.make().width,
        len(str(shapes.double.__name__)),
    )


PATCHES = {
    "a function": lambda shapes: setattr(shapes, "double", lie),
    "an imported function": lambda shapes: setattr(shapes, "sqrt", lie),
    "by something that equals it": lambda shapes: setattr(shapes, "double", Agreeable()),
    "a function's code": lambda shapes: setattr(shapes.double, "__code__", lie.__code__),
    "a function's defaults": lambda shapes: setattr(shapes.double, "__defaults__", (0,)),
    "a function's defaults, taken away": lambda shapes: delattr(shapes.double, "__defaults__"),
    "code that no list of functions leads to": lambda shapes: setattr(
        closed_over(shapes).cell_contents, "__code__", lie.__code__
    ),
    "the bases of a class": lambda shapes: setattr(shapes.Square, "__bases__", (LyingBase,)),
    "a function taken away": lambda shapes: delattr(shapes, "double"),
    "a class": lambda shapes: setattr(shapes, "Square", lie),
    "a method": lambda shapes: setattr(shapes.Square, "area", lie),
    "a method's code": lambda shapes: setattr(shapes.Square.area, "__code__", lie.__code__),
    "an inherited method": lambda shapes: setattr(shapes.Square, "name", lie),
    "a static method": lambda shapes: setattr(shapes.Square, "make", lie),
    "a property": lambda shapes: setattr(shapes.Square, "width", 7),
    "an entry of a table": lambda shapes: shapes.table.update(triple=lie),
    "a table's entries": lambda shapes: shapes.table.clear(),
    "a builtin, for this module": lambda shapes: setattr(shapes, "len", lie),
    "the module's class": lambda shapes: setattr(shapes, "__class__", LyingModule),
    "the module": lambda shapes: sys.modules.update(shapes=ModuleType("shapes")),
    "the module, behind another dict of modules": lambda shapes: [
        modules.update(shapes=ModuleType("shapes"))
        for modules in [sys.modules]
        if not setattr(sys, "modules", dict(modules))
    ],
}


@pytest.mark.parametrize("patch", PATCHES.values(), ids=PATCHES)
def test_what_was_replaced_is_put_back(shapes, kept, patch):
    before = describe(shapes)
    patch(shapes)

    assert kept.restore()
    assert describe(shapes) == before
    assert "len" not in vars(shapes)
    assert sys.modules["shapes"] is shapes
    assert not kept.restore()


def test_state_and_additions_are_left_alone(shapes, kept):
    shapes.limit = 10
    shapes.count["seen"] += 1
    shapes.Square.side = 5
    shapes.halve = shapes.Square.perimeter = lie

    assert not kept.restore()
    assert (shapes.limit, shapes.count, shapes.Square.side) == (10, {"seen": 1}, 5)
    assert shapes.halve is lie
    assert shapes.Square.perimeter is lie


OF_OBSERVERS = {
    "what a function closes over": lambda shapes: setattr(closed_over(shapes), CONTENTS, lie),
    "a closure, emptied": lambda shapes: delattr(closed_over(shapes), CONTENTS),
    "a number": lambda shapes: setattr(shapes, "limit", 0),
    "a number of a class": lambda shapes: setattr(shapes.Square, "side", 0),
}


@pytest.mark.parametrize("patch", OF_OBSERVERS.values(), ids=OF_OBSERVERS)
@pytest.mark.parametrize("versions", [True, False], ids=["told by versions", "looked at"])
def test_of_observers_everything_is_put_back(shapes, monkeypatch, patch, versions):
    # The module is below no other, and its classes are below nothing.
    monkeypatch.setattr(pristine, "OBSERVERS", ("",))
    if not versions:
        monkeypatch.setattr(pristine, "versions_of", lambda mappings: None)
    kept = Kept(shapes)
    before = shapes.limit, *describe(shapes)
    patch(shapes)

    assert kept.restore()
    assert (shapes.limit, *describe(shapes)) == before
    assert not kept.restore()


def test_replacing_beside_an_addition_is_seen(shapes, kept):
    shapes.halve = lie
    kept.restore()
    shapes.double = lie

    assert kept.restore()
    assert shapes.double(4) == 8


class Successor:
    """Replaces something else as it goes itself."""

    def __init__(self, shapes):
        self.shapes = shapes

    def __call__(self, x, by=2):
        return "a lie"

    def __del__(self):
        self.shapes.Square.area = lie


def test_what_is_replaced_by_putting_back_is_put_back_too(shapes, kept):
    before = describe(shapes)
    shapes.double = Successor(shapes)

    assert kept.restore()
    kept.restore()
    assert describe(shapes) == before


def test_the_same_function_by_another_name_is_not_what_it_was(shapes):
    shapes.last = lie
    kept = Pristine([shapes], ("shapes",))
    vars(shapes)["another"] = vars(shapes).pop("last")

    assert kept.restore()
    assert shapes.last is lie


def test_a_builtin_is_put_back(monkeypatch):
    kept = Pristine([builtins], ())
    true_all = all
    monkeypatch.setattr(builtins, "all", lie)

    assert kept.restore()
    assert builtins.all is true_all


@pytest.mark.parametrize("exercise", all_exercises(), ids=lambda each: each.id)
def test_right_solutions_change_nothing(exercise):
    observers, surroundings = pristine.observers(), pristine.surroundings()
    for check in exercise.checks:
        observe(check.scenario, exercise.reference, exercise.inputs(check, 1))

    assert not observers.restore()
    assert not surroundings.restore()
