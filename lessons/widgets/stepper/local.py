"""Nodes called by hand: their backward on given gradients, and what each contributes locally.

A node is called as PyTorch lets everybody call it, `grad_fn(grad)`: that runs no hooks, frees
nothing, and accumulates nowhere.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Sequence
from typing import Any

import numpy as np

import autograd_core as torch
from autograd_core import Tensor
from lessons.widgets.stepper import own_backward

# Tensors with more elements are not asked for their derivatives, number by number.
PROBED = 4096
COLUMNS = 64
# Derivatives that are no number for each element: what stands beside the upstream gradient.
_FORMS: dict[str, tuple[str, ...]] = {
    "MmBackward0": ("· right factorᵀ", "left factorᵀ ·"),
    "AddmmBackward0": ("1", "· right factorᵀ", "left factorᵀ ·"),
    "BmmBackward0": ("· right factorᵀ", "left factorᵀ ·"),
    "MvBackward0": ("⊗ vector", "matrixᵀ ·"),
    "SumBackward0": ("1 for each element",),
    "SumBackward1": ("1 for each element",),
    "MeanBackward0": ("1/n for each element",),
    "MeanBackward1": ("1/n for each element",),
    "TBackward0": ("transposed",),
    "TransposeBackward0": ("transposed",),
    "PermuteBackward0": ("put back in order",),
    "ViewBackward0": ("in the old shape",),
    "ReshapeAliasBackward0": ("in the old shape",),
    "UnsafeViewBackward0": ("in the old shape",),
    "ExpandBackward0": ("summed up again",),
    "SelectBackward0": ("zeros elsewhere",),
    "SliceBackward0": ("zeros elsewhere",),
    "IndexBackward0": ("zeros elsewhere",),
    "CopySlices": ("zeros in the part", "the part"),
}


def name_of(node: Any) -> str:
    """Return a node's name as figures write it, without a C++ namespace."""
    return node.name().rpartition("::")[2]


def is_custom(node: Any) -> bool:
    """Return whether a node belongs to a Function that a user has written."""
    return hasattr(node, "apply")


def is_packed(node: Any) -> bool:
    """Return whether hooks unpack what a node keeps; the hooks are the learner's, and not run."""
    return getattr(getattr(node, "operation", node), "is_packed", False)


def own_name(node: Any) -> str:
    """Return what a user has called the Function of a node, "" for this package's own."""
    return own_backward.name_of_function(node) if is_custom(node) else ""


def positions(node: Any) -> list[tuple[Any, int] | None]:
    """Return for each argument the edge that belongs to it, None for what is no tensor."""
    edges = iter(node.next_functions)
    return [next(edges) if shown else None for shown in node.arguments_that_are_tensors()]


def call(node: Any, grads: Sequence[Tensor | None]) -> list[Tensor | None]:
    """Return what a node sends along each of `next_functions`, fitted to where it arrives.

    Raises what backward would.
    """
    with torch.no_grad(), contextlib.redirect_stdout(io.StringIO()):
        if is_custom(node):
            backward = own_backward.of(node)
            results = backward(own_backward.StandIn(node), *_materialized(node, grads))
        else:
            results = node(*grads)
    results = results if isinstance(results, tuple) else (results,)
    if is_custom(node):
        tensors = node.arguments_that_are_tensors()
        results = tuple([each for each, shown in zip(results, tensors, strict=False) if shown])
    return [
        _fitted(result, edge) for result, edge in zip(results, node.next_functions, strict=False)
    ]


def _materialized(node: Any, grads: Sequence[Tensor | None]) -> list[Tensor | None]:
    """Copies, because a backward of one's own may change what it gets; zeros for nothing."""
    ready: list[Tensor | None] = []
    for grad, metadata in zip(grads, node.output_metadata, strict=True):
        if grad is None and metadata is not None and node.materializes:
            ready.append(torch.tensor(np.zeros(*metadata)))
        else:
            ready.append(None if grad is None else grad.clone())
    return ready


def _fitted(result: Any, edge: tuple[Any, int]) -> Tensor | None:
    node, output_nr = edge
    if node is None or result is None:
        return None
    shape = node.output_metadata[output_nr][0]
    return result.sum_to_size(shape) if tuple(result.shape) != tuple(shape) else result


def ones_for(node: Any) -> Tensor | None:
    """Return a gradient of ones for a node with one small output, else None."""
    metadata = node.output_metadata
    if len(metadata) != 1 or metadata[0] is None:
        return None
    shape, dtype = metadata[0]
    if int(np.prod(shape)) > PROBED:
        return None
    return torch.tensor(np.ones(shape, dtype))


def slopes(node: Any) -> list[np.ndarray | None] | None:
    """Return what a node of this package sends for a gradient of ones, None if it is not useful.

    For an operation that works element by element these are its local derivatives.
    """
    if is_custom(node) or is_packed(node) or not node.next_functions:
        return None
    ones = ones_for(node)
    if ones is None:
        return None
    try:
        sent = call(node, [ones])
    except (RuntimeError, TypeError, NotImplementedError):
        return None
    return [None if grad is None else grad.numpy().copy() for grad in sent]


def local_text(
    node: Any, place: int, slope: np.ndarray | None, upstream: Any, contribution: Any
) -> Any:
    """Return what stands between upstream gradient and contribution: an array, or words."""
    if contribution is None or upstream is None:
        return ""
    if slope is not None and _works_by_element(slope, upstream, contribution):
        return slope
    if slope is None and not upstream.ndim and not contribution.ndim and upstream:
        return np.asarray(contribution / upstream)
    forms = _FORMS.get(name_of(node), ())
    if place < len(forms):
        return forms[place]
    return "its backward" if is_custom(node) else "its derivative"


def _works_by_element(slope: np.ndarray, upstream: np.ndarray, contribution: np.ndarray) -> bool:
    with np.errstate(all="ignore"):
        if slope.shape == upstream.shape == contribution.shape:
            product = upstream * slope
            return bool(np.allclose(product, contribution, 1e-4, 1e-30, equal_nan=True))
    return False
