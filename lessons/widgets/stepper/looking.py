"""Looking at tensors without a trace in them, also at those that refuse to be asked."""

from __future__ import annotations

from typing import Any, overload

import numpy as np

import autograd_core as torch
from autograd_core import Tensor

# What a view raises whose history cannot be renewed, by the rules or in inference mode.
_REFUSALS = (RuntimeError, AssertionError)


@overload
def array(tensor: Tensor) -> np.ndarray: ...


@overload
def array(tensor: None) -> None: ...


def array(tensor: Tensor | None) -> np.ndarray | None:
    """Return a copy of a tensor's numbers."""
    if tensor is None:
        return None
    with torch.no_grad():
        return tensor.clone().numpy()


def maker_of(tensor: Tensor) -> Any:
    """Return the node that made a tensor, None for leaves.

    Also None for a view that has lost its history by a change that was forbidden.
    """
    try:
        return tensor.grad_fn
    except _REFUSALS:
        return None


def version_of(tensor: Tensor) -> int | None:
    """Return the version of a tensor's memory; None for inference tensors, which have none."""
    return None if tensor.is_inference() else tensor._version


def grad_of(tensor: Tensor) -> Tensor | None:
    """Return the gradient that a leaf holds; None for all others."""
    try:
        return tensor.grad if tensor.is_leaf else None
    except _REFUSALS:
        return None
