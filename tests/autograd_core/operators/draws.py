"""Numbers and indices on which the operators are tried."""

import numpy as np

import autograd_core as torch


def signed(*shape):
    """Numbers of either sign, away from zero and from each other."""
    rng = np.random.default_rng(sum(shape) + len(shape))
    size = int(np.prod(shape))
    values = np.linspace(0.41, 1.93, max(size, 1))[:size] * np.resize([1, -1], size)
    return rng.permutation(values).reshape(shape)


def positive(*shape):
    return np.abs(signed(*shape))


INDEX = torch.tensor([2, 0, 2])
GRID = torch.tensor([[0, 1, 1], [1, 0, 1]])
EACH_ONCE = torch.tensor([[0, 1, 0], [1, 0, 1]])
WEIGHT = torch.tensor([0.5, 1.0, 2.0], dtype=torch.float64)
PIXELS = torch.tensor([[[0, 2], [1, 2]]])
MASK = torch.tensor([[True, False, True], [False, True, True]])
