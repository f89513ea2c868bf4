"""`step(z)`: backward over the graph of `z`, one node at a time, without changing the graph."""

from __future__ import annotations

from typing import Any

import autograd_core as torch
from autograd_core import Tensor
from autograd_core.graph import looking
from lessons.widgets.stepper.acts import Act, Fail, Spot
from lessons.widgets.stepper.atlas import Atlas
from lessons.widgets.stepper.book import Material, write
from lessons.widgets.stepper.frames import Names
from lessons.widgets.stepper.looking import array, grad_of, version_of
from lessons.widgets.stepper.reading import read
from lessons.widgets.stepper.switches import (
    Variant,
    backward,
    broken,
    forward_mode,
    may_run_again,
    remarks,
)

HOOKS = "Hooks are not run here; in backward they would be."
NO_GRAPH = "element 0 of tensors does not require grad and does not have a grad_fn"


def story_of(z: Tensor, names: Names) -> dict[str, Any]:
    """Return the story of backward from `z`, as it would be now."""
    root, refusal = _root(z)
    atlas, forward = read(z, root, names)
    name = names.of(z)
    notes = []
    if root is None:
        fails: list[Act] = [*forward, Fail(atlas.of_tensor(z), refusal)]
        variants = [Variant("true", "as it is", "", fails)]
    else:
        if z.numel() > 1:
            notes.append(
                f"{name or 'The tensor'} has {z.numel()} elements: backward begins with a "
                "gradient of ones, as for their sum."
            )
        roots = [(root, z.output_nr, torch.ones_like(z))]
        true = backward(atlas, roots)
        variants = [Variant("true", "as it is", "", [*forward, *true])]
        may, why_not = may_run_again(roots)
        if may:
            variants += broken(atlas, roots, forward, true)
            variants += forward_mode(atlas, root, forward)
        notes += remarks(roots) if may else why_not
    known = [tensor for tensors in atlas.tensors.values() for tensor in tensors]
    if any(tensor._backward_hooks for tensor in known):
        notes.append(HOOKS)
    atlas.settle(names, {atlas.source(root)} if root is not None else ())
    title = f"The graph of {name}" if name else "A recorded graph"
    return write(Material(atlas.picture, variants, start_of(atlas), title, notes=notes))


def _root(z: Tensor) -> tuple[Any, str]:
    """Return the node that made `z`, and if there is none, the error that backward would raise."""
    try:
        return looking.maker_of(z), NO_GRAPH
    except RuntimeError as error:
        return None, str(error)


def start_of(atlas: Atlas) -> dict[Spot, tuple[Any, Any, Any]]:
    """Return what leaves and constants hold now."""
    start = {}
    for spot in atlas.picture.spots:
        tensors = atlas.tensors.get(spot)
        if tensors and spot.kind in ("leaf", "constant"):
            first = tensors[0]
            start[spot] = array(first), version_of(first), array(grad_of(first))
    return start
