"""Operations of a program as they happen: recorded, not recorded, cut off, or in place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import autograd_core as torch
from autograd_core import Tensor, events
from lessons.widgets.stepper import values
from lessons.widgets.stepper.atlas import NO_GRAD_NEEDED
from lessons.widgets.stepper.frames import expression_at
from lessons.widgets.stepper.local import name_of, own_name
from lessons.widgets.stepper.looking import maker_of
from lessons.widgets.stepper.scene import Scene, plain

DETACHED = "cut by detach"
NOT_RECORDED = "not recorded: no_grad"
NO_INPUT = "no input requires grad"
NO_SLOPE = "has no derivative"


class Operations:
    """Puts what forward does into a scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    def mutate(self, event: events.Mutate) -> None:
        """Keep in mind a change in place; it is told with the operation that has made it."""
        self.scene.altered.append((event.storage, event.version))

    def create(self, event: events.Create) -> None:
        """Tell what an operation has made, and what it has changed."""
        frame, line = self.scene.look()
        changed = [each for each in event.outputs if any(each is one for one in event.inputs)]
        self.scene.tell_alterations(changed)
        self.scene.tell_requests([each for each in event.inputs if isinstance(each, Tensor)])
        self.scene.latest = None
        if event.node is not None:
            self._recorded(event, line, expression_at(frame))
        elif event.name == "detach_":
            self._cut(event.outputs[0], event.outputs[0], "detach_", line)
        elif event.name == "detach":
            self._cut(event.inputs[0], event.outputs[0], "detach", line)
        elif not changed:
            self._not_recorded(event, line, expression_at(frame))
        self.scene.tell_alterations(None, line, event.name if changed else "", changed)
        self.scene.latest = None

    def save(self, event: events.Save) -> None:
        """Tell what a node keeps for backward."""
        spot = self.scene.atlas.of_node(event.node)
        if spot is not None and spot in self.scene.shown:
            self.scene.acts += self.scene.memory.kept(event.node, spot)

    def _recorded(self, event: events.Create, line: Any, expression: str) -> None:
        node, output = event.node, event.outputs[0]
        base = output._base
        # Changed through a view, it is the base that has got a new maker.
        tensors: Sequence[Tensor] = event.outputs
        if base is not None and node is not maker_of(output):
            tensors = [base]
        before = len(self.scene.atlas.picture.spots)
        spot = self.scene.atlas.picture.spot("function", function=name_of(node), line=line)
        spot.expression, spot.own = expression, own_name(node)
        spot.shape = ", ".join(values.shape_text(each.shape) for each in tensors)
        # First what it takes: changed in place, that is the same tensor as what it makes.
        self.scene.atlas.connect(node, spot, _constants(event))
        inputs = [each for each in event.inputs if isinstance(each, Tensor)]
        self.scene.show_sources(spot, before, inputs)
        self.scene.atlas.put(spot, node, tensors)
        self.scene.run(spot, tensors)
        self.scene.latest = spot

    def _not_recorded(self, event: events.Create, line: Any, expression: str) -> None:
        inputs = [each for each in event.inputs if isinstance(each, Tensor)]
        if not event.outputs:
            return
        if not torch.is_grad_enabled():
            why = NOT_RECORDED
        else:
            why = NO_SLOPE if any(each.requires_grad for each in inputs) else NO_INPUT
        before = len(self.scene.atlas.picture.spots)
        spot = self.scene.atlas.picture.spot(
            "absent", function=plain(event.name), why=why, line=line
        )
        spot.expression = expression
        spot.shape = values.shape_text(event.outputs[0].shape)
        for tensor in inputs:
            reason = why if tensor.requires_grad else NO_GRAD_NEEDED
            self.scene.atlas.picture.link(self.scene.place(tensor), spot, reason)
        self.scene.atlas.put(spot, None, event.outputs)
        self.scene.show_sources(spot, before, inputs)
        self.scene.run(spot, event.outputs)

    def _cut(self, tensor: Tensor, output: Tensor, function: str, line: Any) -> None:
        before = len(self.scene.atlas.picture.spots)
        source = (
            self.scene.atlas.of_tensor(tensor) if tensor is output else self.scene.place(tensor)
        )
        if source is None:
            return
        shape = values.shape_text(output.shape)
        spot = self.scene.atlas.picture.spot("constant", function=function, shape=shape, line=line)
        self.scene.atlas.picture.link(source, spot, DETACHED)
        self.scene.atlas.put(spot, None, (output,))
        self.scene.show_sources(spot, before, [tensor])
        self.scene.run(spot, (output,))


def _constants(event: events.Create) -> dict[int, Tensor]:
    """Return the tensors without a history that an operation has taken, by place."""
    node: Any = event.node
    shown = node.arguments_that_are_tensors()
    if len(shown) != len(event.inputs):
        return {}
    taken = [each for each, is_tensor in zip(event.inputs, shown, strict=True) if is_tensor]
    return {place: each for place, each in enumerate(taken) if isinstance(each, Tensor)}
