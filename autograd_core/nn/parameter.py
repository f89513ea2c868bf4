"""`Parameter`, a tensor that is trained, and `Buffer`, one that a module only holds."""

from __future__ import annotations

from typing import Any

from autograd_core import creation
from autograd_core.creation.options import NO_GRAD_FOR_INTEGERS
from autograd_core.tensor import Tensor
from autograd_core.tensors.pickling import attributes_of


class Parameter(Tensor):
    """A leaf that requires grad, on the memory of `data`; modules register it when it is assigned.

    Raises RuntimeError for integers, which cannot require grad.
    """

    # For `tensors/printing.py`, which does not load this package.
    _is_parameter = True

    def __new__(cls, data: Tensor | None = None, requires_grad: bool = True) -> Parameter:
        """Make the leaf; here, so that a subclass's `__init__` need not call this class's."""
        data = creation.empty(0) if data is None else data.detach()
        if requires_grad and not data.is_floating_point():
            raise RuntimeError(NO_GRAD_FOR_INTEGERS)
        self = object.__new__(cls)
        self._array, self._storage = data.memory(), data._storage
        self.requires_grad_(requires_grad)
        return self

    def __init__(self, data: Tensor | None = None, requires_grad: bool = True) -> None:
        """Do nothing more."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Parameter:
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.data.clone(), self.requires_grad)
        return memo[id(self)]

    def __reduce_ex__(self, protocol: Any) -> Any:
        # As in PyTorch, a subclass is unpickled as a Parameter, without hooks.
        return Parameter, (self.data, self.requires_grad), attributes_of(self) or None

    def __repr__(self) -> str:
        return "Parameter containing:\n" + super().__repr__()


class _Marked(type):
    """Makes `isinstance(tensor, Buffer)` look for the mark that `Buffer` sets."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Tensor) and getattr(instance, "_is_buffer", False)


class Buffer(metaclass=_Marked):
    """A plain tensor, sharing the memory of `data`, that a module registers when it is assigned."""

    def __new__(cls, data: Tensor | None = None, *, persistent: bool = True) -> Tensor:  # type: ignore[misc]  # as in PyTorch
        """Make the tensor and mark it."""
        tensor: Any = creation.empty(0) if data is None else data.detach()
        tensor.requires_grad_(data is not None and data.requires_grad)
        tensor.persistent, tensor._is_buffer = persistent, True
        return tensor
