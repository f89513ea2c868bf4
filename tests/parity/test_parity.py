"""Programs do the same in autograd_core as in PyTorch, side by side."""

import pytest

import autograd_core

from . import pytorch, record
from .harness import differences, observe
from .programs import PROGRAMS

try:
    torch = pytorch.load()
except ImportError as reason:
    pytest.skip(str(reason), allow_module_level=True)

RECORDED = record.read()


@pytest.mark.parametrize("name", PROGRAMS)
def test_engines_agree(name):
    program = PROGRAMS[name]
    assert differences(observe(program, torch), observe(program, autograd_core), ulps=1) == []


@pytest.mark.parametrize("name", PROGRAMS)
def test_record_is_what_pytorch_does(name):
    # The last digit of PyTorch's exponentials and arcs depends on the processor that computes them.
    assert differences(RECORDED.get(name), observe(PROGRAMS[name], torch), ulps=1) == []


def test_record_holds_no_program_that_is_gone():
    assert set(RECORDED) == set(PROGRAMS)
