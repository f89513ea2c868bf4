"""Large arrays: what counts is how often memory is gone through."""

from types import ModuleType

import numpy as np

from .contestants import Runner

SIZE = 1_000_000


def log_sin(torch: ModuleType) -> Runner:
    """The sum of log(ab) sin(ab) over many floats, forward and backward."""
    a, b = (torch.tensor(values, requires_grad=True) for values in _inputs())

    def step() -> None:
        a.grad = b.grad = None
        y = a * b
        (torch.log(y) * torch.sin(y)).sum().backward()

    return Runner(step, lambda: [a.grad, b.grad])


def log_sin_in_hips() -> Runner:
    """The same as a function of two arrays."""
    import autograd
    import autograd.numpy as anp

    def total(a: np.ndarray, b: np.ndarray) -> float:
        y = a * b
        return anp.sum(anp.log(y) * anp.sin(y))

    gradient, inputs = autograd.grad(total, (0, 1)), _inputs()
    found: list = []

    def step() -> None:
        found[:] = gradient(*inputs)

    return Runner(step, lambda: found)


def log_sin_in_numpy() -> Runner:
    """The same with the gradients worked out on paper."""
    a, b = _inputs()
    found: list = []

    def step() -> None:
        y = a * b
        log, sin = np.log(y), np.sin(y)
        (log * sin).sum()
        grad = sin / y + log * np.cos(y)
        found[:] = grad * b, grad * a

    return Runner(step, lambda: found)


def _inputs() -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [rng.uniform(1, 2, SIZE).astype(np.float32) for _ in range(2)]
