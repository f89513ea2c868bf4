"""Walks of the engine as they happen: what each node receives, sends on, collects and frees."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_core import Tensor, events
from autograd_core.node import walk
from lessons.widgets.stepper.acts import Collect, Note, Spot, Start, Visit
from lessons.widgets.stepper.atlas import is_accumulator
from lessons.widgets.stepper.local import slopes
from lessons.widgets.stepper.looking import array, grad_of
from lessons.widgets.stepper.replay import failed, sent_by
from lessons.widgets.stepper.scene import Scene
from lessons.widgets.stepper.switches import (
    Variant,
    broken,
    forward_mode,
    may_run_again,
    remarks,
)


class Walks:
    """Puts what backward does into a scene, and makes the variants of the first walk."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.variants: list[Variant] = []
        # Why some of them are not there, or how they were made.
        self.remarks: list[str] = []
        self.error: BaseException | None = None
        self._visiting: tuple[Any, Any, Any] | None = None
        self._arrived: dict[Spot, Any] = {}
        self._needed: set[Any] | None = None
        self._walks = 0

    def begin(self, event: events.Begin) -> None:
        """Tell where a walk begins, and with which gradient."""
        self.scene.tell_alterations(None)
        _, line = self.scene.look()
        self.scene.tell_requests(self.scene.tensors)
        self._arrived = {}
        self._needed = None if event.targets is None else _needed(event)
        before = len(self.scene.atlas.picture.spots)
        for (root, _), grad in zip(event.roots, event.grads, strict=True):
            spot = self.scene.atlas.source(root)
            self.scene.show_sources(spot, before, ())
            call = "backward()" if event.accumulate else "grad, asked for by autograd.grad"
            self.scene.acts.append(Start(spot, array(grad), self._walks, call, line))
            self._arrived[spot] = array(grad)
        if self._walks == 0 and event.accumulate and not (event.create_graph or event.targets):
            pairs = zip(event.roots, event.grads, strict=True)
            self._vary([(*root, grad) for root, grad in pairs])
        self._walks += 1

    def visit(self, event: events.Visit) -> None:
        """Keep in mind the node that is about to run, and what arrived there."""
        node: Any = event.node
        arrived = next((grad for grad in event.grads if grad is not None), None)
        # Asked before the node runs, because afterwards it may be freed.
        known: Any = slopes(node)
        if is_accumulator(node):
            known = array(grad_of(node.variable))
        self._visiting = node, array(arrived), known

    def send(self, event: events.Send) -> None:
        """Tell what the visited node sends on."""
        if self._visiting is None:
            return
        node, arrived, known = self._visiting
        self._visiting = None
        spot = self.scene.atlas.source(node)
        shown = node.arguments_that_are_tensors()
        grads = [grad for grad, is_tensor in zip(event.grads, shown, strict=True) if is_tensor]
        sent = sent_by(
            self.scene.atlas,
            node,
            arrived,
            [self._if_needed(*pair) for pair in zip(node.next_functions, grads, strict=False)],
            known,
        )
        for each in sent:
            if each.contribution is not None:
                source = each.link.source
                so_far = self._arrived.get(source)
                total = each.contribution if so_far is None else so_far + each.contribution
                self._arrived[source] = total
        asked = self.scene.atlas.asked(spot)
        kept = None if asked is None else array(asked.grad)
        self.scene.acts.append(Visit(spot, arrived, sent, self._is_replaced(spot, arrived), kept))

    def accumulate(self, event: events.Accumulate) -> None:
        """Tell what the `.grad` of a leaf was and is."""
        if self._visiting is None:
            return
        node, arrived, before = self._visiting
        self._visiting = None
        spot = self.scene.atlas.leaf(node)
        self.scene.acts.append(Collect(spot, arrived, before, array(event.leaf.grad)))

    def free(self, event: events.Free) -> None:
        """Tell that a node keeps nothing any more."""
        spot = self.scene.atlas.of_node(event.node)
        if spot is not None:
            self.scene.acts += self.scene.memory.freed(spot)

    def end(self, event: events.End) -> None:
        """Tell how a walk has ended: with an error, or with what was asked for."""
        if event.error is None:
            if self._needed is not None:
                self.scene.acts.append(
                    Note("What was asked for is returned; no .grad has changed.")
                )
            return
        spot = None
        if self._visiting is not None:
            node, arrived, _ = self._visiting
            spot = self.scene.atlas.source(node)
            self.scene.acts.append(Visit(spot, arrived, ()))
            self._visiting = None
        self.error = event.error
        self.scene.acts.append(failed(spot, event.error))

    def _vary(self, roots: list[Any]) -> None:
        """Make the variants of the backward that begins."""
        forward = self.scene.acts[: len(self.scene.acts) - len(roots)]
        may, self.remarks = may_run_again(roots)
        if not may:
            return
        sweeps = forward_mode(self.scene.atlas, roots[0][0], forward)
        self.variants = [*broken(self.scene.atlas, roots, forward), *sweeps]
        self.remarks = remarks(roots)

    def _if_needed(self, edge: Any, grad: Tensor | None) -> Tensor | None:
        needed = self._needed is None or edge[0] in self._needed
        return grad if needed else None

    def _is_replaced(self, spot: Spot, arrived: np.ndarray | None) -> bool:
        expected = self._arrived.get(spot)
        if expected is None or arrived is None or expected.shape != arrived.shape:
            return False
        return not np.allclose(expected, arrived, 1e-4, 1e-6, equal_nan=True)


def _needed(event: events.Begin) -> set[Any]:
    """Return the nodes behind the roots that are targets or lead to one."""
    needed = {target for target, _ in event.targets or ()}
    feeders: dict[Any, list[Any]] = {}
    for root, _ in event.roots:
        for node in walk(root):
            for provider, _ in node.next_functions:
                if provider is not None:
                    feeders.setdefault(provider, []).append(node)
    waiting = list(needed)
    while waiting:
        for feeder in feeders.get(waiting.pop(), ()):
            if feeder not in needed:
                needed.add(feeder)
                waiting.append(feeder)
    return needed
