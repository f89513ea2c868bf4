"""Backward inside backward, to any depth: deep nesting continues in a new thread."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from autograd_core.graph.running import running
from autograd_core.hooks import saved_tensor_hooks
from autograd_core.modes import grad_mode

# Python allows a thread about a thousand frames, and each level takes half a dozen or more.
DEEPEST = 50
_MODES_OF_A_THREAD = (grad_mode.mode, saved_tensor_hooks.entered)


def too_deep() -> bool:
    """Return whether the running backward is nested so deeply that the next needs a thread."""
    task = running.task
    return task is not None and task.depth >= DEEPEST


def in_a_thread(run: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Return what `run` returns, called in a new thread with this thread's modes."""
    from concurrent.futures import ThreadPoolExecutor

    modes = [dict(vars(mode)) for mode in _MODES_OF_A_THREAD]
    outer = copy.copy(running.task)

    def work() -> Any:
        for mode, values in zip(_MODES_OF_A_THREAD, modes, strict=True):
            vars(mode).update(values)
        assert outer is not None
        outer.depth, running.task = 0, outer
        return run(*args, **kwargs)

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()
