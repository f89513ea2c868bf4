"""Where new tensors begin in memory: large ones at a multiple of 64 bytes, as PyTorch's do."""

import numpy as np
import pytest

import autograd_core as torch
from autograd_core.rules import alignment

SHAPE = 129, 131
MAKERS = {
    "zeros": lambda: torch.zeros(SHAPE),
    "ones": lambda: torch.ones(SHAPE),
    "empty": lambda: torch.empty(SHAPE),
    "full": lambda: torch.full(SHAPE, 2.5),
    "rand": lambda: torch.rand(SHAPE),
    "randn": lambda: torch.randn(SHAPE),
    "zeros_like": lambda: torch.zeros_like(torch.ones(SHAPE)),
    "of an array": lambda: torch.tensor(np.ones(SHAPE, np.float32)),
    "of a tensor": lambda: torch.ones(SHAPE).clone(),
    "in another dtype": lambda: torch.ones(SHAPE, dtype=torch.float64).float(),
    "a weight": lambda: torch.nn.Linear(*SHAPE).weight,
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=list(MAKERS))
def test_a_large_new_tensor_begins_at_a_multiple_of_64_bytes(make):
    # Several at once: by chance one in four would.
    made = [make() for _ in range(8)]

    assert [each.data_ptr() % 64 for each in made] == [0] * 8
    assert all(each.is_contiguous() for each in made)


@pytest.mark.parametrize("make", [alignment.empty, alignment.zeros])
@pytest.mark.parametrize("shape", [(), (0, 5), (3,), (300, 301)])
@pytest.mark.parametrize("kind", [np.float64, np.int16, np.bool_])
def test_the_memory_is_as_large_as_asked_for_and_can_be_written(make, shape, kind):
    array = make(shape, np.dtype(kind))

    assert (array.shape, array.dtype) == (shape, kind)
    array[...] = 1
    assert array.sum() == array.size


def test_a_copy_in_another_dtype_is_what_numpy_makes():
    data = np.linspace(-3, 300, 90_000).reshape(300, 300)

    for laid in (data, np.asfortranarray(data), data[::2, ::3]):
        copy = alignment.copied(laid, np.dtype(np.int16))

        expected = laid.astype(np.int16)
        assert (copy == expected).all()
        assert (copy.dtype, copy.strides) == (expected.dtype, expected.strides)
        assert not np.shares_memory(copy, laid)
