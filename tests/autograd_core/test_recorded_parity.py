"""Programs do the same in autograd_core as PyTorch was recorded to do."""

import pytest

import autograd_core
from tests.parity import record
from tests.parity.harness import differences, observe
from tests.parity.programs import PROGRAMS

RECORDED = record.read()


@pytest.mark.parametrize("name", PROGRAMS)
def test_engine_agrees_with_the_record(name):
    observed = observe(PROGRAMS[name], autograd_core)
    assert differences(RECORDED[name], observed, ulps=1) == []
