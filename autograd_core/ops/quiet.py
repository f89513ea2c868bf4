"""NumPy without its warnings: numbers leave the range and become nan without a word, as in PyTorch.

NumPy asks the context that it runs in whether to warn. To run in another one costs a tenth of what
`np.errstate` does, and the caller's own settings stay as they are.
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
    # A context can be entered once only, so that each call needs its own.
    quiet_context: Callable[[], Context] = copy_context().copy
"""Return a new context; NumPy does not warn of what it does for a function that is `run` in it."""


def already_quiet(forward: Any) -> Any:
    """Mark an operator's `forward` that sees to it itself that NumPy does not warn."""
    forward.is_quiet = True
    return forward


def quietly(function: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """Return `function`, in which NumPy does not warn; for what runs nothing of the user's."""

    @wraps(function)
    def run(*args: _Arguments.args, **options: _Arguments.kwargs) -> _Result:
        return quiet_context().run(function, *args, **options)

    return run
