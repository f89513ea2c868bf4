"""What tests of memory share."""

import gc

import pytest


@pytest.fixture
def collector_off():
    """What is gone now went by itself, without the help of the garbage collector."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()
