"""What a node knows of the gradients that arrive at it: PyTorch's `node._input_metadata`."""

from __future__ import annotations

import types
from typing import Any

from autograd_core.tensors import dtypes
from autograd_core.tensors.device import CPU


def shown(metadata: tuple[tuple[int, ...], Any] | None) -> Any:
    """Return shape, dtype and device of one of a node's outputs; None for what was no tensor."""
    if metadata is None:
        return None
    shape, dtype = metadata
    return types.SimpleNamespace(
        shape=list(shape),
        dtype=dtypes.of(dtype),
        device=CPU,
        is_nested_tensor=False,
        is_cpp_nested_tensor=False,
    )
