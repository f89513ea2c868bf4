"""The layers that the lessons use."""

from __future__ import annotations

import math
from collections.abc import Iterator

from autograd_core import creation
from autograd_core.nn import functional
from autograd_core.nn.module import Module, Parameter
from autograd_core.ops import functions, shape
from autograd_core.tensor import Tensor, wrap


class Linear(Module):
    """x W^T + b, with `weight` (out, in) and `bias` (out).

    Both start evenly distributed over +-1/sqrt(in), as PyTorch's do.
    """

    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        bound = 1 / math.sqrt(in_features) if in_features else 0
        self.weight = Parameter(_uniform((out_features, in_features), bound))
        self.bias = Parameter(_uniform((out_features,), bound)) if bias else None

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
    """All dimensions but the first made into one."""

    def forward(self, input: Tensor) -> Tensor:
        """Map (n, ...) to (n, m)."""
        return shape.flatten(input, 1)


class MSELoss(Module):
    """Mean squared error."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Map two tensors of the same shape to a 0-d tensor."""
        return functional.mse_loss(input, target)


class Sequential(Module):
    """Modules one after the other."""

    def __init__(self, *modules: Module) -> None:
        super().__init__()
        for position, module in enumerate(modules):
            setattr(self, str(position), module)

    def forward(self, input: Tensor) -> Tensor:
        """Map through every module in turn."""
        for module in self:
            input = module(input)
        return input

    def __iter__(self) -> Iterator[Module]:
        return iter(self._modules.values())

    def __len__(self) -> int:
        return len(self._modules)

    def __getitem__(self, index: int | slice) -> Module:
        modules = list(self._modules.values())
        if isinstance(index, slice):
            return Sequential(*modules[index])
        if not -len(modules) <= index < len(modules):
            raise IndexError(f"index {index} is out of range")
        return modules[index]


def _uniform(size: tuple[int, ...], bound: float) -> Tensor:
    return wrap(creation.uniform(size, -bound, bound).astype("float32"))
