"""What is done another way for many numbers does what it does for few: the bounds are lowered."""

import math
import sys

import pytest

import autograd_core
from autograd_core.ops import blocks
from tests.parity import record
from tests.parity.harness import differences, observe
from tests.parity.programs import PROGRAMS

# Up to which count things are done one way, and a bound that nearly every program is above.
BOUNDS = {
    "EXACT_UP_TO": 1,
    "_MANY": 2,
    "WORTHWHILE": 1,
    "_PART": 3,
    "AT_ONCE": 4,
    "_ACROSS": 2,
    "_pays": True,
}
# Few numbers are rounded once where many are twice.
OF_LAST_DIGITS = {
    "operators.rounded_once.scaled_additions",
    "operators.rounded_once.products_added",
    "operators.rounded_once.ways_between",
    "operators.rounded_once.steps_of_optimizers",
}
# The steps of a dimension of length 1, which lead nowhere.
OF_LENGTH_ONE = {"memory.order.in_the_order_of_indices"}
RECORDED = record.read()


@pytest.fixture(autouse=True)
def low_bounds(monkeypatch):
    found = set()
    for name, module in list(sys.modules.items()):
        if name.startswith("autograd_core"):
            for bound in BOUNDS.keys() & vars(module).keys():
                monkeypatch.setattr(module, bound, BOUNDS[bound])
                found.add(bound)
    assert found == BOUNDS.keys()
    blocks._cut.cache_clear()
    yield
    blocks._cut.cache_clear()


@pytest.mark.parametrize("name", sorted(PROGRAMS.keys() - OF_LAST_DIGITS - OF_LENGTH_ONE))
def test_many_numbers_are_treated_as_few(name):
    got = observe(PROGRAMS[name], autograd_core)
    assert differences(RECORDED[name], _near_ones_replaced(got, RECORDED[name])) == []


def _near_ones_replaced(got, expected):
    """Return what was observed, in it the numbers that were expected in the place of near ones."""
    if isinstance(got, dict) and isinstance(expected, dict):
        return {key: _near_ones_replaced(each, expected.get(key)) for key, each in got.items()}
    if isinstance(got, list) and isinstance(expected, list) and len(got) == len(expected):
        pairs = zip(got, expected, strict=True)
        return [_near_ones_replaced(each, other) for each, other in pairs]
    if isinstance(got, float) and isinstance(expected, float):
        # As near as halves are.
        near = math.isclose(got, expected, rel_tol=2e-3, abs_tol=1e-6)
        return expected if near else got
    return got
