"""What is touched during a check is noticed; who only solves exercises touches nothing."""

import contextlib
import math
import warnings
import weakref
from types import ModuleType

import numpy as np
import pytest

from autograd_core.ops import in_place_arithmetic
from graders.exercise import all_exercises
from graders.observe import scenarios
from graders.observe.dict_versions import noticing_changes
from graders.observe.lab import observe
from graders.observe.parts import Parts
from graders.observe.pristine import operators, surroundings
from graders.observe.stillness import import_all, kept_still

pytestmark = pytest.mark.skipif(
    noticing_changes([{}]) is None, reason="dicts of this Python tell of no changes"
)


OTHERS = {"__class__": type("Another", (ModuleType,), {}), "__code__": (lambda *a: True).__code__}
"""What can be put where nothing will not do."""


@pytest.fixture(scope="module")
def still():
    import_all()
    others = [*surroundings().modules, *operators().modules]
    return kept_still(Parts(others), [contextlib.suppress])


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        (np, "array_equal"),
        (math, "exp"),
        (weakref, "ref"),
        (scenarios, "np"),
        (in_place_arithmetic, "changed"),
        (in_place_arithmetic, "__class__"),
        (contextlib.suppress, "__exit__"),
        (np.array_equal.__wrapped__, "__code__"),
        (scenarios.resolve, "__defaults__"),
    ],
)
def test_what_is_replaced_and_put_back_is_noticed(still, owner, name):
    before, kept = still(), getattr(owner, name)
    setattr(owner, name, OTHERS.get(name))
    setattr(owner, name, kept)

    assert still() != before


def test_a_name_that_hides_a_builtin_for_a_moment_is_noticed(still):
    before = still()
    scenarios.all = bool
    del scenarios.all

    assert still() != before


def test_a_warning_and_a_late_part_of_numpy_are_no_change(still):
    before = still()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec("import warnings\nwarnings.warn('told', stacklevel=1)", vars(scenarios).copy())
        _ = np.ma.zeros(2), np.polynomial.Polynomial([1]), np.fft.fft([1.0])

    assert still() == before


@pytest.mark.parametrize("exercise", all_exercises(), ids=lambda each: each.id)
def test_solutions_touch_nothing(exercise, still):
    solutions = [exercise.reference, *(each.solution for each in exercise.variants)]
    for check in exercise.checks:
        inputs = exercise.inputs(check, 1)
        for solution in solutions[: 1 if check.costly else None]:
            before = still()
            observe(check.scenario, solution, inputs)
            assert still() == before
