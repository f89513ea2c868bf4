"""Random programs of views, in-place changes, modes and flags do the same in both engines."""

import pytest
from hypothesis import given, settings

import autograd_core

from . import pytorch
from .drawn import programs, run
from .harness import differences

try:
    torch = pytorch.load()
except ImportError as reason:
    pytest.skip(str(reason), allow_module_level=True)


# The same programs in every run: a difference that turns up belongs to a change of the engine.
@settings(
    max_examples=1500,
    derandomize=True,
    database=None,
)
@given(programs)
def test_engines_agree_on_drawn_programs(program):
    assert differences(run(program, torch), run(program, autograd_core)) == []
