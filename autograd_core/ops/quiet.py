"""NumPy without its warnings: numbers overflow or become nan silently, as in PyTorch.

NumPy reads from the context (`contextvars`) that it runs in whether to warn. To run in another
context costs a tenth of what `np.errstate` does, and leaves the caller's own settings alone.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import Context, copy_context
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")

with np.errstate(all="ignore"):
    # A context can be entered only once, so that each call needs its own copy.
    quiet_context: Callable[[], Context] = copy_context().copy
"""Return a new context: NumPy does not warn in functions that are `run` in it."""


def already_quiet(forward: Any) -> Any:
    """Mark an operator's `forward` that silences NumPy's warnings itself."""
    forward.is_quiet = True
    return forward


def quietly(function: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """Return `function` without NumPy's warnings; only for functions that call no code of users."""

    @wraps(function)
    def run(*args: _Arguments.args, **options: _Arguments.kwargs) -> _Result:
        return quiet_context().run(function, *args, **options)

    return run
