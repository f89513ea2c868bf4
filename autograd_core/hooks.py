"""Hooks on gradients: how they are run, what they may return, how they are taken away."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograd_core.tensor import Tensor


class RemovableHandle:
    """Takes a hook away again with `remove()`, or at the end of a `with`."""

    def __init__(self, hooks: dict[int, Callable], key: int) -> None:
        self._hooks = hooks
        self._key = key

    def remove(self) -> None:
        """Take the hook away; a second time does nothing."""
        self._hooks.pop(self._key, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *exception: object) -> None:
        self.remove()


def after_hooks(hooks: dict[int, Callable], grad: Tensor | None) -> Tensor | None:
    """Return what is left of `grad` after each hook has seen it and perhaps replaced it."""
    for hook in list(hooks.values()):
        if grad is not None:
            replaced = hook(grad)
            if replaced is not None:
                _check_replacement(hook, grad, replaced)
                grad = replaced
    return grad


def _check_replacement(hook: Callable, grad: Any, replaced: Any) -> None:
    """Raise PyTorch's errors for what cannot stand in for `grad`."""
    name = getattr(hook, "__name__", repr(hook))
    if not isinstance(replaced, type(grad)):
        raise TypeError(f"expected Variable, but hook returned '{type(replaced).__name__}'")
    if replaced.dtype is not grad.dtype:
        raise RuntimeError(
            f"hook '{name}' has changed the type of value (was torch.{grad.dtype.legacy} got "
            f"torch.{replaced.dtype.legacy})"
        )
    if replaced.shape != grad.shape:
        raise RuntimeError(f"hook '{name}' has changed the size of value")
