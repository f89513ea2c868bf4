"""`Variable`: PyTorch's name for tensors with a history, before these became plain tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograd_core.creation.options import NO_GRAD_FOR_INTEGERS
from autograd_core.graph.running import running
from autograd_core.messages import warn
from autograd_core.tensor import Tensor
from autograd_core.tensors.inspection import VOLATILE_SET


class ImperativeEngine:
    """The engine, as far as PyTorch shows it to programs."""

    def queue_callback(self, callback: Callable[[], object]) -> None:
        """Call `callback()` at the end of the running backward; RuntimeError outside of one."""
        if running.task is None:
            raise RuntimeError("Final callbacks can only be installed during backward pass.")
        running.task.callbacks.append(callback)


class _VariableMeta(type):
    def __instancecheck__(cls, other: Any) -> bool:
        return isinstance(other, Tensor)


class Variable(metaclass=_VariableMeta):
    """`Variable(tensor, requires_grad)` returns a tensor of the same memory; all are instances."""

    _execution_engine = ImperativeEngine()

    def __new__(
        cls, data: Any = None, requires_grad: bool = False, volatile: bool | None = None
    ) -> Any:
        """Return a leaf that shares the memory of `data`; TypeError for anything but tensors."""
        if volatile:
            warn(VOLATILE_SET)
        if data is None:
            data = Tensor()
        if not isinstance(data, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(data).__name__}")
        if requires_grad and not data.is_floating_point():
            raise RuntimeError(NO_GRAD_FOR_INTEGERS)
        return data.detach().requires_grad_(requires_grad)
