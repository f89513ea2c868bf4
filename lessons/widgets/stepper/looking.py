"""Reads tensors without leaving a trace in them, also those that raise when they are asked."""

from __future__ import annotations

from typing import Any, overload

import numpy as np

import autograd_core as torch
from autograd_core import Tensor
from autograd_core.graph import looking


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

    For a view whose `grad_fn` is out of date it is a new node each time, like the one that
    `grad_fn` would make. Also None for a view whose history was lost by a forbidden change.
    """
    try:
        return looking.maker_of(tensor)
    except RuntimeError:
        return None


def version_of(tensor: Tensor) -> int | None:
    """Return the version of a tensor's memory; None where that is an inference tensor's."""
    try:
        return tensor._version
    except RuntimeError:
        return None


def grad_of(tensor: Tensor) -> Tensor | None:
    """Return the gradient that a leaf holds; None for all others."""
    try:
        return tensor.grad if looking.maker_of(tensor) is None else None
    except RuntimeError:
        return None
