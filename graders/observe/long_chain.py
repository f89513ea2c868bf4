"""A graph of thousands of operations. Making it takes much longer than walking it."""

from __future__ import annotations

import functools
from typing import Any

OPERATIONS = 3_000
"""Three times as many as Python allows calls within calls."""


@functools.cache
def long_chain(torch: Any) -> tuple[Any, Any]:
    """A leaf that requires grad, and what OPERATIONS negations make of it: made once, for all."""
    start = end = torch.tensor(1.0, requires_grad=True)
    for _ in range(OPERATIONS):
        end = -end
    return start, end
