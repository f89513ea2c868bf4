"""A graph of thousands of operations. Making it takes much longer than walking it."""

from __future__ import annotations

import functools
from typing import Any

OPERATIONS = 3_000
"""Three times Python's recursion limit, which a recursive walk would exceed."""


@functools.cache
def long_chain(torch: Any) -> tuple[Any, Any]:
    """A leaf that requires grad, and the result of OPERATIONS negations of it, made only once."""
    start = end = torch.tensor(1.0, requires_grad=True)
    for _ in range(OPERATIONS):
        end = -end
    return start, end
