"""A graph that is there already, read as if its operations had just run."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_core import Tensor
from autograd_core.node import walk
from lessons.widgets.stepper import values
from lessons.widgets.stepper.acts import Act, Appear, Run, Spot
from lessons.widgets.stepper.atlas import Atlas, is_accumulator
from lessons.widgets.stepper.frames import Names
from lessons.widgets.stepper.local import is_packed, name_of, own_name
from lessons.widgets.stepper.looking import array, maker_of, version_of
from lessons.widgets.stepper.memory_lane import Memory


def read(z: Tensor, root: Any, names: Names) -> tuple[Atlas, list[Act]]:
    """Return the places of the graph behind `z`, and its operations in the order they ran.

    `root` is the node that made `z`, if any. Results that no tensor and no node holds any more have
    no value.
    """
    atlas = Atlas()
    if root is None:
        spot = atlas.constant(z)
        return atlas, [Appear([spot]), *Memory(names).seen(z)]
    memory = Memory(names)
    found = sorted(walk(root), key=lambda node: node._sequence_nr())
    nodes = [node for node in found if not is_accumulator(node)]
    known = _known_values(nodes, names)
    if not z.output_nr:
        known[root] = z
    acts: list[Act] = []
    shown: set[Spot] = set()
    for node in nodes:
        kept = _kept(node)
        about = {"function": name_of(node), "own": own_name(node), "shape": _shape(node)}
        spot = atlas.put(atlas.picture.spot("function", **about), node)
        tensor = known.get(node)
        if tensor is not None:
            atlas.put(spot, None, (tensor,))
        atlas.connect(node, spot, _constants(node, kept))
        new = [link.source for link in atlas.picture.into(spot) if link.source not in shown]
        new = [each for each in dict.fromkeys(new) if each.kind != "function"]
        if new:
            shown.update(new)
            acts.append(Appear(new))
            for each in new:
                acts += memory.seen(atlas.tensors[each][0])
        shown.add(spot)
        acts.append(Run(spot, array(tensor), None if tensor is None else version_of(tensor)))
        if tensor is not None:
            acts += memory.seen(tensor)
        acts += memory.kept(node, spot)
    return atlas, acts


def _shape(node: Any) -> str:
    metadata = [each for each in node.output_metadata if each is not None]
    return ", ".join(values.shape_text(shape) for shape, _ in metadata)


def _kept(node: Any) -> list[Tensor]:
    """Return the tensors that a node has kept and can still read; none if hooks packed them."""
    if is_packed(node):
        return []
    try:
        return [each for each in node.saved_tensors if isinstance(each, Tensor)]
    except (AttributeError, RuntimeError):
        slots = node.saved_slots
        return [slot.tensor for slot in slots if slot.tensor is not None and not slot.is_stale]


def _known_values(nodes: list[Any], names: Names) -> dict[Any, Tensor]:
    """Find the tensors that nodes have made: the named ones, and those that others have kept."""
    known: dict[Any, Tensor] = {}
    candidates = [tensor for _, tensor in names.named()]
    for node in nodes:
        candidates += _kept(node)
    for tensor in candidates:
        maker = maker_of(tensor)
        if maker is not None and not tensor.output_nr:
            known.setdefault(maker, tensor)
    return known


def _constants(node: Any, kept: list[Tensor]) -> dict[int, Tensor]:
    """Find the tensors without a history that a node takes, among what it has kept.

    Only if it is certain which is which.
    """
    empty = [place for place, (provider, _) in enumerate(node.next_functions) if provider is None]
    apart = [
        tensor
        for tensor in kept
        if not tensor.requires_grad and np.issubdtype(array(tensor).dtype, np.floating)
    ]
    return dict(zip(empty, apart, strict=True)) if len(empty) == len(apart) else {}
