"""Random numbers are PyTorch's to the bit, as it draws them on processors with AVX2."""

import math

import numpy as np
import pytest

import autograd_core as torch
from autograd_core.random.box_muller import normal_from_uniform

# The first numbers of torch.randn(20) after manual_seed(0): the first four, which are of the first
# block of sixteen, and the four after, which are of the sixteen that end the tensor.
OF_SEED_ZERO = [
    "-0x1.20370a0000000p+0",
    "-0x1.2701140000000p+0",
    "-0x1.0097ac0000000p-2",
    "-0x1.bc4aba0000000p-2",
    "0x1.329b160000000p-1",
    "-0x1.8e1ab60000000p+0",
    "-0x1.5d8d940000000p-2",
    "0x1.da5e9c0000000p+0",
]


def test_normal_numbers_are_those_of_pytorch_to_the_bit():
    torch.manual_seed(0)
    assert [each.hex() for each in torch.randn(20)[:8].tolist()] == OF_SEED_ZERO


def test_the_last_digit_of_many_normal_numbers_is_that_of_pytorch():
    torch.manual_seed(0)
    total = math.fsum(torch.randn(4096).tolist())
    assert total == float.fromhex("-0x1.3b91f5b2ec000p+5")


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sixteen_uniform_numbers_give_eight_radii_at_eight_angles(dtype):
    uniform = (np.arange(16) / 16).astype(dtype)
    radius = np.sqrt(-2 * np.log(1 - uniform[:8].astype(np.float64)))
    angle = 2 * np.pi * uniform[8:].astype(np.float64)
    expected = [*(radius * np.cos(angle)), *(radius * np.sin(angle))]
    assert normal_from_uniform(uniform) == pytest.approx(expected, rel=1e-5, abs=1e-6)


def test_half_a_number_that_would_round_up_to_the_end_is_the_start():
    torch.manual_seed(0)
    assert torch.rand(10_000, dtype=torch.float16).max() < 1


def test_numbers_lie_in_the_order_of_memory():
    torch.manual_seed(0)
    in_order = torch.rand(3, 2)
    torch.manual_seed(0)
    assert torch.equal(torch.zeros(3, 2).t().uniform_(), in_order.t())
