"""`Parameter`: a tensor that learns."""

from __future__ import annotations

from typing import Any

from autograd_core import creation
from autograd_core.tensor import Tensor


class Parameter(Tensor):
    """A leaf that requires grad and that modules find by itself. Shares the memory of `data`.

    Raises RuntimeError for integers, which cannot require grad.
    """

    def __init__(self, data: Tensor | None = None, requires_grad: bool = True) -> None:
        data = creation.empty(0) if data is None else data.detach()
        if requires_grad and not data.is_floating_point():
            raise RuntimeError(
                "Only Tensors of floating point and complex dtype can require gradients"
            )
        self._array, self._storage = data.memory(), data._storage
        self.requires_grad_(requires_grad)

    def __deepcopy__(self, memo: dict[int, Any]) -> Parameter:
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.data.clone(), self.requires_grad)
        return memo[id(self)]

    def __repr__(self) -> str:
        return "Parameter containing:\n" + super().__repr__()
