"""What is timed against each other is the same work: every contestant finds the same numbers."""

import numpy as np
import pytest

from .contestants import OURS
from .workloads import CONTESTS

STEPS = 3


@pytest.mark.parametrize("name", CONTESTS)
def test_contestants_find_the_same(name):
    found = {}
    for contestant, make in CONTESTS[name].makers.items():
        runner = make()
        for _ in range(STEPS):
            runner.step()
        found[contestant] = [array_of(result) for result in runner.results()]
    for contestant, results in found.items():
        for ours, theirs in zip(found[OURS], results, strict=True):
            assert ours.shape == theirs.shape
            np.testing.assert_allclose(ours, theirs, rtol=2e-4, atol=1e-6, err_msg=contestant)


@pytest.mark.parametrize("name", [name for name in CONTESTS if name.startswith("mlp")])
def test_steps_train(name):
    runner = CONTESTS[name].makers[OURS]()
    before = [array_of(parameter).copy() for parameter in runner.results()]
    runner.step()
    for old, new in zip(before, runner.results(), strict=True):
        assert not np.array_equal(old, array_of(new))


def array_of(result):
    return np.asarray(result.detach() if hasattr(result, "detach") else result)
