"""Small numbers and many operators: what counts is what an operator costs beside its arithmetic."""

from types import ModuleType

import numpy as np

from .contestants import Runner

LINKS = 1_000
FACTOR = 1.0001
FUNCTIONS = 10
FLOATS = np.linspace(0.99, 1.01, 16, dtype=np.float32)


def log_sin(torch: ModuleType) -> Runner:
    """z = log(x1 x2) sin(x1 x2), forward and backward."""
    x1 = torch.tensor(1.5, requires_grad=True)
    x2 = torch.tensor(2.0, requires_grad=True)

    def step() -> None:
        x1.grad = x2.grad = None
        y = x1 * x2
        (torch.log(y) * torch.sin(y)).backward()

    return Runner(step, lambda: [x1.grad, x2.grad])


def log_sin_in_hips() -> Runner:
    """The same as a function of two numbers."""
    import autograd
    import autograd.numpy as anp

    def z(x1: float, x2: float) -> float:
        y = x1 * x2
        return anp.log(y) * anp.sin(y)

    return _gradients(autograd.grad(z, (0, 1)), 1.5, 2.0)


def chain(torch: ModuleType, links: int = LINKS) -> Runner:
    """One number multiplied again and again, forward and backward."""
    x = torch.tensor(1.0, requires_grad=True)
    factor = torch.tensor(FACTOR)

    def step() -> None:
        x.grad = None
        y = x
        for _ in range(links):
            y = y * factor
        y.backward()

    return Runner(step, lambda: [x.grad])


def chain_in_hips() -> Runner:
    """The same as a function of one number."""
    import autograd

    factor = np.float32(FACTOR)

    def product(x: float) -> float:
        for _ in range(LINKS):
            x = x * factor
        return x

    return _gradients(autograd.grad(product), 1.0)


def custom_functions(torch: ModuleType) -> Runner:
    """A Function as students write it, ten times on 16 floats, forward and backward."""

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, grad_output):
            (x,) = ctx.saved_tensors
            return grad_output * 2 * x

    x = torch.tensor(FLOATS, requires_grad=True)

    def step() -> None:
        x.grad = None
        y = x
        for _ in range(FUNCTIONS):
            y = Square.apply(y)
        y.sum().backward()

    return Runner(step, lambda: [x.grad])


def custom_functions_in_hips() -> Runner:
    """The same as a primitive with a rule of its own."""
    import autograd
    import autograd.numpy as anp
    from autograd.extend import defvjp, primitive

    @primitive
    def square(x: np.ndarray) -> np.ndarray:
        return x * x

    defvjp(square, lambda _, x: lambda grad_output: grad_output * 2 * x)

    def total(x: np.ndarray) -> float:
        for _ in range(FUNCTIONS):
            x = square(x)
        return anp.sum(x)

    return _gradients(autograd.grad(total), FLOATS)


def _gradients(gradient, *inputs) -> Runner:
    found: list = []

    def step() -> None:
        found[:] = [gradient(*inputs)]

    return Runner(step, lambda: found[0] if isinstance(found[0], tuple) else found)
