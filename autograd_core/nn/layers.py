"""The layers that the lessons use."""

from __future__ import annotations

import math

from autograd_core import creation
from autograd_core.grad_mode import no_grad
from autograd_core.nn import functional
from autograd_core.nn.module import Module
from autograd_core.nn.parameter import Parameter
from autograd_core.ops import functions, shape
from autograd_core.tensor import Tensor


class Linear(Module):
    """x W^T + b, with `weight` (out, in) and `bias` (out).

    Both start evenly distributed over +-1/sqrt(in), as PyTorch's do.
    """

    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = Parameter(creation.empty(out_features, in_features))
        self.bias = Parameter(creation.empty(out_features)) if bias else None
        self.reset_parameters()

    @no_grad()
    def reset_parameters(self) -> None:
        """Draw weight and bias anew."""
        bound = 1 / math.sqrt(self.in_features) if self.in_features else 0
        self.weight.uniform_(-bound, bound)
        if self.bias is not None:
            self.bias.uniform_(-bound, bound)

    def forward(self, input: Tensor) -> Tensor:
        """Map (..., in) to (..., out)."""
        return functional.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        """Return the sizes."""
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}"
        )


class ReLU(Module):
    """max(x, 0)."""

    def forward(self, input: Tensor) -> Tensor:
        """Map any shape to the same shape."""
        return functions.relu(input)


class Tanh(Module):
    """tanh x."""

    def forward(self, input: Tensor) -> Tensor:
        """Map any shape to the same shape."""
        return functions.tanh(input)


class Sigmoid(Module):
    """1 / (1 + e^-x)."""

    def forward(self, input: Tensor) -> Tensor:
        """Map any shape to the same shape."""
        return functions.sigmoid(input)


class Flatten(Module):
    """A range of dimensions made into one: all but the first, unless said otherwise."""

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input: Tensor) -> Tensor:
        """Map (n, ...) to (n, m)."""
        return shape.flatten(input, self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        """Return the range."""
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"
