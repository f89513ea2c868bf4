"""Sums of many numbers, which PyTorch adds in groups: they stay as close to it as its own order."""

import numpy as np


def of_columns(torch):
    """Whether each sum is within a few units in the last place of the exact one."""

    def close(shape, units):
        torch.manual_seed(0)
        numbers = torch.rand(shape) + 0.5
        exact = numbers.double().sum(0)
        sums = [numbers.sum(0), numbers.mean(0) * shape[0], (numbers * 1).sum((0,))]
        leaf = torch.zeros(shape[1], requires_grad=True)
        (leaf + numbers).backward(numbers)
        spacing = torch.from_numpy(np.spacing(exact.float().numpy())).double()
        return [
            bool(((each.double() - exact).abs() <= units * spacing).all())
            for each in (*sums, leaf.grad)
        ]

    return [close(shape, 8) for shape in ((512, 10), (784, 64), (1000, 100))]


def of_columns_that_are_not_finite(torch):
    numbers = torch.ones(128, 16)
    numbers[3, 1], numbers[4, 2], numbers[5, 2] = float("nan"), float("inf"), -float("inf")
    numbers[6, 3] = float("inf")
    whole = torch.arange(128 * 16).reshape(128, 16)
    return [
        numbers.sum(0),
        numbers.mean(0),
        whole.sum(0),
        numbers.t().sum(1),
        numbers[:, :1].sum(0),
    ]
