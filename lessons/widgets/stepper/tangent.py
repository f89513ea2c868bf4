"""Forward mode over an existing graph: each node turns the tangents of its inputs into its own.

A node can only compute backward, from the output to the inputs. Asked for each element of the
output in turn, it gives the whole Jacobian matrix, which serves for the other direction as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import autograd_core as torch
from autograd_core import Tensor
from autograd_core.node import walk
from lessons.widgets.stepper.acts import Act, Push, Sent, Spot, Sweep
from lessons.widgets.stepper.atlas import Atlas, is_accumulator
from lessons.widgets.stepper.local import COLUMNS, call, is_custom, local_text, slopes
from lessons.widgets.stepper.own_backward import has_jvp

MOST_LEAVES = 4
MOST_NODES = 60


def sweeps(atlas: Atlas, root: Any) -> dict[Spot, list[Act]]:
    """Return for each leaf behind `root` what happens when it alone moves; nothing if too large.

    Also nothing if a learner's own Function without a `jvp` is in the way.
    """
    found: list[Any] = sorted(walk(root), key=lambda node: node._sequence_nr())
    nodes = [node for node in found if not is_accumulator(node)]
    leaves = [node for node in found if is_accumulator(node)]
    spots = atlas.picture.spots
    leaves.sort(key=lambda node: spots.index(atlas.leaf(node)))
    if not 0 < len(leaves) <= MOST_LEAVES or len(nodes) > MOST_NODES:
        return {}
    if any(leaf.variable.numel() != 1 for leaf in leaves):
        # A sweep would be needed for each element.
        return {}
    try:
        matrices = {node: _matrix(node) for node in nodes}
    except Exception:
        return {}
    places = [atlas.leaf(leaf) for leaf in leaves]
    return {atlas.leaf(leaf): _sweep(atlas, nodes, leaf, places, matrices) for leaf in leaves}


class _TooMuchError(Exception):
    """A node whose Jacobian matrix would be too large."""


def _matrix(node: Any) -> list[np.ndarray | None]:
    """Return for each of `next_functions` the derivative: first the output's axes, then its own."""
    metadata = node.output_metadata
    if is_custom(node) and not has_jvp(node):
        raise _TooMuchError
    if len(metadata) != 1 or metadata[0] is None:
        raise _TooMuchError
    shape, dtype = metadata[0]
    size = int(np.prod(shape))
    if not 0 < size <= COLUMNS:
        raise _TooMuchError
    columns: list[list[Tensor | None]] = []
    for at in range(size):
        one = np.zeros(size, dtype)
        one[at] = 1
        columns.append(call(node, [torch.tensor(one.reshape(shape))]))
    matrices: list[np.ndarray | None] = []
    for sent in zip(*columns, strict=True):
        if sent[0] is None:
            matrices.append(None)
        else:
            rows = np.stack([grad.numpy() for grad in sent])
            matrices.append(rows.reshape((*shape, *sent[0].shape)))
    return matrices


def _sweep(
    atlas: Atlas,
    nodes: Sequence[Any],
    leaf: Any,
    places: Sequence[Spot],
    matrices: dict[Any, list[np.ndarray | None]],
) -> list[Act]:
    moving = atlas.leaf(leaf)
    # The shape that the leaf had when it was used; its `.data` may have been replaced since.
    ones = np.ones(*leaf.output_metadata[0])
    tangents: dict[Any, np.ndarray] = {leaf: ones}
    acts: list[Act] = [Sweep(moving, ones, [spot for spot in places if spot is not moving])]
    for node in nodes:
        own = slopes(node)
        shape, dtype = node.output_metadata[0]
        total: Any = np.zeros(shape, dtype)
        sent = []
        for place, (provider, _) in enumerate(node.next_functions):
            link, matrix = atlas.link(node, place), matrices[node][place]
            if provider is None or link is None or provider not in tangents or matrix is None:
                continue
            tangent = tangents[provider]
            pushed = np.asarray(np.tensordot(matrix, tangent, tangent.ndim), dtype)
            slope = own[place] if own is not None else None
            sent.append(
                Sent(link, tangent, local_text(node, place, slope, tangent, pushed), pushed)
            )
            total = total + pushed
        total = np.asarray(total, dtype)
        if sent:
            tangents[node] = total
        acts.append(Push(atlas.source(node), sent, total))
    return acts
