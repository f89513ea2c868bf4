"""Small products of matrices are rounded once, in whatever order a processor adds."""

import math
import os
import subprocess
import sys

import numpy as np
import pytest

import autograd_core as torch

TRAINING = """
import autograd_core as torch

torch.manual_seed(0)
x = torch.randn(40, 1)
model = torch.nn.Sequential(torch.nn.Linear(1, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
for _ in range(100):
    # Never cleared, so that the smallest difference grows.
    loss = ((model(x) - x.sin()) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter -= 0.1 * parameter.grad
print(loss.item(), [parameter.tolist() for parameter in model.parameters()])
"""


@pytest.mark.parametrize("shapes", [((4, 30), (30, 7)), ((30, 5), (5, 30)), ((9,), (9,))])
def test_a_small_product_is_the_exact_one_rounded(shapes):
    rng = np.random.default_rng(0)
    a, b = [rng.normal(size=shape).astype(np.float32) for shape in shapes]

    product = torch.tensor(a) @ torch.tensor(b)

    assert product.dtype is torch.float32
    assert np.array_equal(product.numpy(), (a.astype(np.float64) @ b).astype(np.float32))


def test_erf_of_many_is_that_of_each_rounded():
    sizes = 10.0 ** np.linspace(-45, 2, 5000)
    x = np.concatenate([-sizes, sizes, [0.0, -0.0, np.inf, -np.inf, np.nan]]).astype(np.float32)

    erf = torch.from_numpy(x).erf().numpy()

    each = np.array([math.erf(one) for one in x.tolist()], np.float32)
    assert np.array_equal(erf, each, equal_nan=True)
    assert np.signbit(erf[:-1]).tolist() == np.signbit(x[:-1]).tolist()


def test_a_product_out_of_range_is_infinite_without_a_warning(recwarn):
    large = torch.full((2, 2), 1e30)

    assert (large @ large).tolist() == [[float("inf")] * 2] * 2
    assert not recwarn.list


def test_training_gives_the_same_digits_on_other_processors():
    # What NumPy multiplies matrices with takes the name of an old processor, and adds in its order.
    said = {
        subprocess.run(
            [sys.executable, "-c", TRAINING],
            env=os.environ | processor,
            capture_output=True,
            check=True,
        ).stdout
        for processor in ({}, {"OPENBLAS_CORETYPE": "Prescott"})
    }

    assert len(said) == 1
