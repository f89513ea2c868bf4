"""Hooks around an optimizer's step."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any


def around(step: Callable[..., Any]) -> Callable[..., Any]:
    """Return `step`, which runs the optimizer's hooks ahead and after it."""

    @wraps(step)
    def hooked(*args: Any, **kwargs: Any) -> Any:
        optimizer = args[0]
        for hook in list(optimizer._optimizer_step_pre_hooks.values()):
            given = hook(optimizer, args, kwargs)
            if given is None:
                continue
            if not (isinstance(given, tuple) and len(given) == 2):
                raise RuntimeError(
                    f"{step} must return None or a tuple of (new_args, new_kwargs), but got "
                    f"{given}."
                )
            args, kwargs = given
        result = step(*args, **kwargs)
        for hook in list(optimizer._optimizer_step_post_hooks.values()):
            hook(optimizer, args, kwargs)
        return result

    return hooked


def replaced(new: Any, old: Any) -> Any:
    """Return what a hook returned, or what it left as it was."""
    return old if new is None else new
