"""What is touched during a check is noticed; who only solves exercises touches nothing."""

import math
import warnings

import numpy as np
import pytest

from autograd_core.ops import in_place_arithmetic
from graders.exercise import all_exercises
from graders.observe import scenarios
from graders.observe.dict_versions import versions_of
from graders.observe.lab import observe
from graders.observe.stillness import import_all, kept_still

pytestmark = pytest.mark.skipif(
    versions_of([{}]) is None, reason="dicts of this Python have no versions"
)


@pytest.fixture(scope="module")
def still():
    import_all()
    return kept_still()


@pytest.mark.parametrize(
    ("owner", "name"),
    [(np, "array_equal"), (math, "exp"), (scenarios, "np"), (in_place_arithmetic, "changed")],
)
def test_what_is_replaced_and_put_back_is_noticed(still, owner, name):
    before, kept = still(), getattr(owner, name)
    setattr(owner, name, None)
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
