"""Walks backward over a live graph once more by calling its nodes, correctly or with a mistake.

This disturbs nothing: no `.grad` changes, no hook runs, nothing is freed.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from typing import Any, Literal

import numpy as np

import autograd_core as torch
from autograd_core import Tensor
from autograd_core.node import walk
from lessons.widgets.stepper.acts import Act, Collect, Fail, Note, Sent, Spot, Visit
from lessons.widgets.stepper.atlas import Atlas, is_accumulator
from lessons.widgets.stepper.local import call, local_text, slopes
from lessons.widgets.stepper.looking import array, grad_of

Way = Literal["true", "overwrite", "unordered"]

ONLY_IN_A_WALK = (
    "From here the figure cannot go on: a checkpoint of this kind walks back through a graph of "
    "its own, and does so only within a walk that is really made. `record` shows such a walk."
)


def replay(atlas: Atlas, roots: Sequence[tuple[Any, int, Tensor]], way: Way = "true") -> list[Act]:
    """Return what happens when gradients go from roots (node, output's number, gradient).

    `overwrite` replaces the gradient at a node by each one that arrives, instead of adding it;
    `unordered` visits a node as soon as one gradient has arrived. An error in a node ends the walk.
    """
    acts: list[Act] = []
    try:
        acts.extend(_Walk(atlas, roots, way).run())
    except _RaisedError as raised:
        acts += raised.acts
    return acts


class _RaisedError(Exception):
    def __init__(self, acts: list[Act]) -> None:
        self.acts = acts


class _Walk:
    def __init__(self, atlas: Atlas, roots: Sequence[tuple[Any, int, Tensor]], way: Way) -> None:
        self._atlas, self._way = atlas, way
        self._arrived: dict[Any, list[Tensor | None]] = {}
        self._waits: dict[Any, int] = {}
        self._ready: list[tuple[int, int, Any]] = []
        self._turn = itertools.count()
        self._stack: list[Any] = []
        self._grads: dict[Any, Any] = {}
        self._slopes: dict[Any, Any] = {}
        seen: set[Any] = set()
        for root, _, _ in roots:
            for node in walk(root) if root not in seen else ():
                if node in seen:
                    continue
                seen.add(node)
                for provider, _ in node.next_functions:
                    if provider is not None:
                        self._waits[provider] = self._waits.get(provider, 0) + 1
        for root, output_nr, grad in roots:
            self._arrive(root, output_nr, grad)
        for root in dict.fromkeys(root for root, _, _ in roots):
            if not self._waits.get(root):
                self._is_ready(root)

    def run(self) -> Iterator[Act]:
        done: set[Any] = set()
        while self._ready or self._stack:
            node = heappop(self._ready)[2] if self._ready else self._stack.pop()
            if is_accumulator(node):
                yield self._collect(node)
                continue
            if node in done:
                continue
            done.add(node)
            yield self._visit(node)

    def _is_ready(self, node: Any) -> None:
        if self._way == "unordered":
            self._stack.append(node)
        else:
            heappush(self._ready, (-node._sequence_nr(), next(self._turn), node))

    def _arrive(self, node: Any, output_nr: int, grad: Tensor | None) -> None:
        buffer = self._arrived.setdefault(node, [None] * len(node.output_metadata))
        kept = buffer[output_nr]
        if grad is None:
            return
        with torch.no_grad():
            adds = kept is not None and self._way != "overwrite"
            buffer[output_nr] = kept + grad if adds and kept is not None else grad

    def _visit(self, node: Any) -> Visit:
        spot = self._atlas.source(node)
        arrived = self._arrived.get(node, [None] * len(node.output_metadata))
        try:
            grads = call(node, arrived)
        except Exception as error:
            visit = Visit(spot, array(_only(arrived)), ())
            raise _RaisedError([visit, _failed_alone(spot, error)]) from error
        if node not in self._slopes:
            self._slopes[node] = slopes(node)
        sent = sent_by(self._atlas, node, arrived, grads, self._slopes[node])
        for (provider, output_nr), grad in zip(node.next_functions, grads, strict=False):
            if provider is None:
                continue
            self._arrive(provider, output_nr, grad)
            self._waits[provider] -= 1
            if self._way == "unordered" or not self._waits[provider]:
                self._is_ready(provider)
        return Visit(spot, array(_only(arrived)), sent, kept=self._kept(spot, _only(arrived)))

    def _kept(self, spot: Spot, arrived: Tensor | None) -> np.ndarray | None:
        """What a result that was asked to keep its gradient would hold then."""
        asked, passes = self._atlas.asked(spot), array(arrived)
        if asked is None or passes is None:
            return None
        adds = asked.grad is not None and self._way != "overwrite"
        return passes + array(asked.grad) if adds else passes

    def _collect(self, node: Any) -> Collect:
        spot, leaf = self._atlas.leaf(node), node.variable
        (grad,) = self._arrived[node]
        if self._way == "unordered":
            # A gradient that has been added is not added again when another arrives.
            self._arrived[node] = [None]
        if node not in self._grads:
            self._grads[node] = array(grad_of(leaf))
        before, arrived = self._grads[node], array(grad)
        after = before
        if arrived is not None and leaf.requires_grad:
            adds = before is not None and self._way != "overwrite"
            after = before + arrived if adds else arrived
        self._grads[node] = after
        return Collect(spot, arrived, before, after)


def sent_by(
    atlas: Atlas,
    node: Any,
    arrived: Sequence[Tensor | None] | np.ndarray | None,
    grads: Sequence[Tensor | None],
    slopes: Sequence[np.ndarray | None] | None,
) -> list[Sent]:
    """Return what a visit sends, for each of `next_functions` that leads somewhere."""
    upstream = arrived if isinstance(arrived, np.ndarray) else array(_only(arrived or ()))
    sent = []
    for place, ((provider, _), grad) in enumerate(zip(node.next_functions, grads, strict=False)):
        link = atlas.link(node, place)
        if provider is None or link is None:
            continue
        contribution = array(grad)
        slope = slopes[place] if slopes is not None and place < len(slopes) else None
        local = local_text(node, place, slope, upstream, contribution)
        sent.append(Sent(link, upstream, local, contribution))
    return sent


def failed(spot: Any, error: BaseException, line: Any = None) -> Fail:
    """Return the act that says in PyTorch's words what was raised."""
    return Fail(spot, str(error).partition(" Hint: ")[0], line)


def _failed_alone(spot: Any, error: BaseException) -> Fail | Note:
    """Return the act that tells of a node that raises when it is called by hand, as here."""
    return Note(ONLY_IN_A_WALK) if "use_reentrant=True" in str(error) else failed(spot, error)


def _only(arrived: Sequence[Tensor | None]) -> Tensor | None:
    """The gradient that stands for all that arrived: of several outputs the first that got one."""
    return next((grad for grad in arrived if grad is not None), None)
