"""Dual levels: while one is open, tensors may carry tangents, and operators push them forward."""

from __future__ import annotations

import contextlib

from autograd_core.forward_mode import tangents
from autograd_core.modes.grad_mode import Setting, enable_fwd_grad, is_fwd_grad_enabled

# Whether a level is open: while none is, no operator looks for tangents.
entered = 0


def active() -> bool:
    """Return whether operators push tangents forward right now; inside forward they never do."""
    return bool(entered) and is_fwd_grad_enabled()


def enter_dual_level() -> int:
    """Open the level in which dual tensors live; as in PyTorch there is only one at a time."""
    global entered
    if entered:
        raise RuntimeError("Nested forward mode AD is not supported at the moment")
    entered = 1
    return 0


def exit_dual_level(*, level: int | None = None) -> None:
    """Close the level and drop all tangents."""
    global entered
    if level is not None and level != entered - 1:
        raise RuntimeError(
            "Trying to exit a forward AD level that was not the last one that was created. This is "
            "not supported."
        )
    if not entered:
        raise RuntimeError("Dual level must be a positive number.")
    entered = 0
    tangents.clear()


class dual_level(contextlib.ContextDecorator):  # noqa: N801 - PyTorch's name
    """Open a level for a `with`, or for each call of a decorated function."""

    def __enter__(self) -> int:
        return enter_dual_level()

    def __exit__(self, *exception: object) -> None:
        exit_dual_level()


class _set_fwd_grad_enabled(Setting):  # noqa: N801 - PyTorch's name
    """Switch pushing tangents on or off; as a context manager, restore the previous mode."""

    _called, _set = "set_fwd_grad_enabled", staticmethod(enable_fwd_grad)
