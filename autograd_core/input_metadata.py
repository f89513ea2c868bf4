"""What a node knows of the gradients that arrive at it: PyTorch's `node._input_metadata`."""

from __future__ import annotations

import types
from typing import Any

from autograd_core import dtypes
from autograd_core.device import device
from autograd_core.node import AccumulateGrad, metadata_of


def of(node: Any) -> tuple[Any, ...]:
    """Return shape, dtype and device for each output of `node`; None for what was no tensor."""
    if isinstance(node, AccumulateGrad):
        # Whatever dtype its gradients are told to have.
        return (_shown(*metadata_of(node.variable._array)),)
    return tuple([each if each is None else _shown(*each) for each in node.output_metadata])


def _shown(shape: tuple[int, ...], dtype: Any) -> Any:
    return types.SimpleNamespace(
        shape=list(shape),
        dtype=dtypes.of(dtype),
        device=device("cpu"),
        is_nested_tensor=False,
        is_cpp_nested_tensor=False,
    )
