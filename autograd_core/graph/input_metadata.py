"""What a node expects of the gradients that arrive at it: PyTorch's `node._input_metadata`."""

from __future__ import annotations

import types
from typing import Any

import numpy as np

from autograd_core.tensors import dtypes
from autograd_core.tensors.device import CPU

_UNDEFINED = (), np.dtype(np.float32)


def shown(metadata: tuple[tuple[int, ...], Any] | None) -> Any:
    """Return shape, dtype and device of one of a node's outputs.

    As in PyTorch, an output that can have no gradient is shown as a float32 scalar.
    """
    shape, dtype = _UNDEFINED if metadata is None or metadata[1].kind != "f" else metadata
    return types.SimpleNamespace(
        shape=list(shape),
        dtype=dtypes.of(dtype),
        device=CPU,
        is_nested_tensor=False,
        is_cpp_nested_tensor=False,
    )
