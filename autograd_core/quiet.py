"""NumPy without its warnings: numbers leave the range and become nan without a word, as in PyTorch.

NumPy asks the context that it runs in whether to warn. To run in another one costs a tenth of what
`np.errstate` does, and the caller's own settings stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import Context, copy_context

import numpy as np

with np.errstate(all="ignore"):
    # A context can be entered once only, so that each call needs its own.
    quiet_context: Callable[[], Context] = copy_context().copy
"""Return a new context; NumPy does not warn of what it does for a function that is `run` in it."""
