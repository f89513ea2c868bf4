"""Random tensors print the same in both engines, whatever the print options."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import autograd_core

from . import pytorch

try:
    torch = pytorch.load()
except ImportError as reason:
    pytest.skip(str(reason), allow_module_level=True)

DTYPES = (
    "float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "bool",
)  # fmt: skip
NUMBERS = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, -1.0, 0.5, 100.0, 1e-5, 1e8, 123456.0, 999.5, 1e-4, 0.1]),
    st.sampled_from([float("inf"), -float("inf"), float("nan")]),
    st.floats(-1000, 1000),
    st.floats(allow_nan=True, allow_infinity=True),
    st.integers(-300, 300).map(float),
)
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "precision": st.integers(0, 8),
        "threshold": st.integers(0, 30),
        "edgeitems": st.integers(0, 4),
        "linewidth": st.integers(10, 120),
        "sci_mode": st.sampled_from([None, True, False]),
        "profile": st.sampled_from(["default", "short", "full"]),
    },
)


def printed(engine, array, requires_grad, computed, options):
    engine.set_printoptions(profile="default")
    engine.set_printoptions(**options)
    try:
        tensor = engine.tensor(array)
        if requires_grad and tensor.is_floating_point():
            tensor.requires_grad_()
            if computed:
                tensor = tensor * 1
        return repr(tensor)
    finally:
        engine.set_printoptions(profile="default")


@settings(
    max_examples=800,
    derandomize=True,
    database=None,
)
@given(
    st.lists(NUMBERS, min_size=1, max_size=12),
    st.lists(st.integers(0, 9), max_size=4).filter(lambda shape: np.prod(shape) <= 300),
    st.sampled_from(DTYPES),
    st.booleans(),
    st.booleans(),
    st.one_of(st.just({}), OPTIONS),
)
def test_tensors_print_alike(values, shape, dtype, requires_grad, computed, options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        array = np.resize(np.array(values), shape).astype(dtype)
    ours, theirs = (
        printed(engine, array, requires_grad, computed, options)
        for engine in (autograd_core, torch)
    )
    assert ours == theirs
