"""Variants of a story: with an engine that is broken on purpose, and in forward mode."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograd_core import Tensor
from autograd_core.node import walk
from lessons.widgets.stepper import own_backward, tangent
from lessons.widgets.stepper.acts import Act, Collect, Compared, Fail, Spot, Start
from lessons.widgets.stepper.atlas import Atlas
from lessons.widgets.stepper.local import is_custom, is_packed, name_of
from lessons.widgets.stepper.looking import array
from lessons.widgets.stepper.replay import Way, replay

LABELS: dict[Way, tuple[str, str]] = {
    "overwrite": (
        "overwrite instead of add",
        "What arrives takes the place of what was there, where paths meet and in .grad.",
    ),
    "unordered": (
        "no topological order",
        "A node is visited as soon as something arrives, whatever is still on its way to it.",
    ),
}
FORWARD = "One sweep tells how the result moves when one leaf does; each leaf needs its own."

NOT_AGAIN = "There are no switches here: they would run the backward of {} again, and it {}."
UNPACKS = "unpacks what hooks have packed"
NO_JVP = "There is no forward-mode view: {} has no jvp, which would take a tangent through it."
BY_BACKWARD = "Forward mode is shown as the backward of {} has it. Its jvp is not run again."

Root = tuple[Any, int, Tensor]


@dataclass(frozen=True)
class Variant:
    """A way to tell a graph: all its acts. `moving` are the leaves that forward mode moves."""

    id: str
    label: str
    why: str
    acts: Sequence[Act]
    way: Way = "true"
    moving: tuple[Spot, ...] = ()


def backward(atlas: Atlas, roots: Sequence[Root], way: Way = "true") -> list[Act]:
    """Return backward from some roots as it would be now."""
    starts: list[Act] = [
        Start(atlas.source(node), np.asarray(array(grad))) for node, _, grad in roots
    ]
    return [*starts, *replay(atlas, roots, way)]


def broken(
    atlas: Atlas, roots: Sequence[Root], forward: Sequence[Act], true: Sequence[Act] = ()
) -> list[Variant]:
    """Return the variants with a broken engine that make a difference."""
    true = true or backward(atlas, roots)
    if any(isinstance(act, Fail) for act in true):
        return []
    expected = _collected(true)
    variants = []
    for way, (label, why) in LABELS.items():
        acts = backward(atlas, roots, way)
        found = _collected(acts)
        wrong = {
            spot: (found.get(spot), value)
            for spot, value in expected.items()
            if not _same(found.get(spot), value)
        }
        if wrong:
            end = Compared(wrong)
            variants.append(Variant(way, label, why, [*forward, *acts, end], way))
    return variants


def forward_mode(atlas: Atlas, root: Any, forward: Sequence[Act]) -> list[Variant]:
    """Return a variant for each leaf that may move alone, and one for all of them in turn."""
    sweeps = tangent.sweeps(atlas, root)
    variants = [
        Variant("", "", FORWARD, [*forward, *acts], moving=(spot,)) for spot, acts in sweeps.items()
    ]
    if len(sweeps) > 1:
        every = [act for acts in sweeps.values() for act in acts]
        variants.append(Variant("", "", FORWARD, [*forward, *every], moving=tuple(sweeps)))
    return variants


def own_functions(roots: Sequence[Root]) -> list[Any]:
    """Return a node of each Function behind some roots that a learner has written."""
    nodes: list[Any] = [node for root, _, _ in roots for node in walk(root) if is_custom(node)]
    return list({node._forward_cls: node for node in nodes}.values())


def may_run_again(roots: Sequence[Root]) -> tuple[bool, list[str]]:
    """Return whether the learner's own code may be run again, and if not, a remark why."""
    packed = [node for root, _, _ in roots for node in walk(root) if is_packed(node)]
    if packed:
        return False, [NOT_AGAIN.format(name_of(packed[0]), UNPACKS)]
    for node in own_functions(roots):
        why = own_backward.why_not_again(node)
        if why:
            return False, [NOT_AGAIN.format(own_backward.name_of_function(node), why)]
    return True, []


def remarks(roots: Sequence[Root]) -> list[str]:
    """Return remarks about forward mode if a learner's own Function is in the graph."""
    for node in (own := own_functions(roots)):
        if not own_backward.has_jvp(node):
            return [NO_JVP.format(own_backward.name_of_function(node))]
    return [BY_BACKWARD.format(own_backward.name_of_function(own[0]))] if own else []


def _collected(acts: Sequence[Act]) -> dict[Spot, Any]:
    return {act.spot: act.after for act in acts if isinstance(act, Collect)}


def _same(one: Any, other: Any) -> bool:
    if one is None or other is None:
        return one is other
    return one.shape == other.shape and bool(np.allclose(one, other, 1e-5, 1e-8, equal_nan=True))
