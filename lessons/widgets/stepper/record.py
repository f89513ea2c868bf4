"""`record()`: what the engine does within a `with`, noted as it happens."""

from __future__ import annotations

from collections.abc import Sequence
from types import FrameType
from typing import Any

import numpy as np

import autograd_core as torch
from autograd_core import Tensor, events
from autograd_core.node import walk
from lessons.widgets.stepper import values
from lessons.widgets.stepper.acts import (
    Act,
    Alter,
    Appear,
    Ask,
    Collect,
    Note,
    Run,
    Spot,
    Start,
    Visit,
    without,
)
from lessons.widgets.stepper.atlas import NO_GRAD_NEEDED, Atlas, is_accumulator
from lessons.widgets.stepper.frames import Names, Source, expression_at, learners_frame
from lessons.widgets.stepper.local import name_of, own_name, slopes
from lessons.widgets.stepper.looking import array, grad_of, maker_of, version_of
from lessons.widgets.stepper.memory_lane import Memory
from lessons.widgets.stepper.replay import failed, sent_by
from lessons.widgets.stepper.switches import (
    Variant,
    broken,
    forward_mode,
    may_run_again,
    remarks,
)

MOST = 1200
DETACHED = "cut by detach"
NOT_RECORDED = "not recorded: no_grad"
NO_INPUT = "no input requires grad"
NO_SLOPE = "has no derivative"


class Recorder:
    """Listens to the engine, and keeps what it hears as acts over one picture."""

    def __init__(self, names: Names, frame: FrameType | None) -> None:
        self.names, self.source = names, Source()
        self.atlas = Atlas()
        self.memory = Memory(names)
        self.acts: list[Act] = []
        self.start: dict[Spot, tuple[Any, Any, Any]] = {}
        self.variants: list[Variant] = []
        # Why some of them are not there, or how they were made.
        self.remarks: list[str] = []
        self.left_out = 0
        self._is_full = False
        self.error: BaseException | None = None
        self._frame = frame
        self._shown: set[Spot] = set()
        self._tensors: list[Tensor] = []
        self._altered: list[tuple[Any, int]] = []
        self._visiting: tuple[Any, Any, Any] | None = None
        self._arrived: dict[Spot, Any] = {}
        self._needed: set[Any] | None = None
        self._walks = 0
        self._asked: set[int] = set()
        # Where the operation that is being told has its place, if it was recorded.
        self._latest: Spot | None = None

    def hear(self, event: events.Event) -> None:
        """Note one event; of a program that does very much only the beginning."""
        if isinstance(event, events.Create | events.Begin) and len(self.acts) > MOST:
            self._is_full = True
        if self._is_full:
            self.left_out += isinstance(event, events.Create)
            return
        match event:
            case events.Create():
                self._create(event)
            case events.Save():
                self._save(event)
            case events.Mutate():
                self._altered.append((event.storage, event.version))
            case events.Begin():
                self._begin(event)
            case events.Visit():
                self._visit(event)
            case events.Send():
                self._send(event)
            case events.Accumulate():
                self._accumulate(event)
            case events.Free():
                self._free(event)
            case events.End():
                self._end(event)

    def close(self, error: BaseException | None = None) -> None:
        """Note what has changed last, or what was raised, and learn the last names."""
        self._tell_alterations(None)
        if isinstance(error, RuntimeError) and error is not self.error:
            line = self._line_of(error)
            self.acts.append(failed(None, error, line))
        self.names.look(self._frame)
        results = {act.spot for act in self.acts if isinstance(act, Start)}
        self.atlas.settle(self.names, results)
        aside = self.atlas.picture.aside()
        self.acts = [kept for act in self.acts if (kept := without(act, aside)) is not None]

    def _line_of(self, error: BaseException) -> Any:
        """Return where the recorded program was when it raised."""
        trace = error.__traceback__
        while trace is not None and trace.tb_frame is not self._frame:
            trace = trace.tb_next
        if trace is None:
            return None
        return self.source.at(trace.tb_frame.f_code.co_filename, trace.tb_lineno)

    def _create(self, event: events.Create) -> None:
        frame = learners_frame()
        self.names.look(self._frame, *([] if frame is self._frame else [frame]))
        changed = [each for each in event.outputs if any(each is one for one in event.inputs)]
        self._tell_alterations(changed)
        line = self.source.line(frame)
        self._tell_requests([each for each in event.inputs if isinstance(each, Tensor)])
        self._latest = None
        if event.node is not None:
            self._recorded(event, line, expression_at(frame))
        elif event.name == "detach_":
            self._cut(event.outputs[0], event.outputs[0], "detach_", line)
        elif event.name == "detach":
            self._cut(event.inputs[0], event.outputs[0], "detach", line)
        elif not changed:
            self._not_recorded(event, line, expression_at(frame))
        self._tell_alterations(None, line, event.name if changed else "", changed)
        self._latest = None

    def _recorded(self, event: events.Create, line: Any, expression: str) -> None:
        node, output = event.node, event.outputs[0]
        base = output._base
        # Changed through a view, it is the base that has got a new maker.
        tensors: Sequence[Tensor] = event.outputs
        if base is not None and node is not maker_of(output):
            tensors = [base]
        before = len(self.atlas.picture.spots)
        spot = self.atlas.picture.spot("function", function=name_of(node), line=line)
        spot.expression, spot.own = expression, own_name(node)
        spot.shape = ", ".join(values.shape_text(each.shape) for each in tensors)
        # First what it takes: changed in place, that is the same tensor as what it makes.
        self.atlas.connect(node, spot, _constants(event))
        inputs = [each for each in event.inputs if isinstance(each, Tensor)]
        self._show_sources(spot, before, inputs)
        self.atlas.put(spot, node, tensors)
        self._run(spot, tensors)
        self._latest = spot

    def _not_recorded(self, event: events.Create, line: Any, expression: str) -> None:
        inputs = [each for each in event.inputs if isinstance(each, Tensor)]
        if not event.outputs:
            return
        if not torch.is_grad_enabled():
            why = NOT_RECORDED
        else:
            why = NO_SLOPE if any(each.requires_grad for each in inputs) else NO_INPUT
        before = len(self.atlas.picture.spots)
        spot = self.atlas.picture.spot("absent", function=_plain(event.name), why=why, line=line)
        spot.expression = expression
        spot.shape = values.shape_text(event.outputs[0].shape)
        for tensor in inputs:
            reason = why if tensor.requires_grad else NO_GRAD_NEEDED
            self.atlas.picture.link(self._place(tensor), spot, reason)
        self.atlas.put(spot, None, event.outputs)
        self._show_sources(spot, before, inputs)
        self._run(spot, event.outputs)

    def _cut(self, tensor: Tensor, output: Tensor, function: str, line: Any) -> None:
        before = len(self.atlas.picture.spots)
        source = self.atlas.of_tensor(tensor) if tensor is output else self._place(tensor)
        if source is None:
            return
        shape = values.shape_text(output.shape)
        spot = self.atlas.picture.spot("constant", function=function, shape=shape, line=line)
        self.atlas.picture.link(source, spot, DETACHED)
        self.atlas.put(spot, None, (output,))
        self._show_sources(spot, before, [tensor])
        self._run(spot, (output,))

    def _run(self, spot: Spot, tensors: Sequence[Tensor]) -> None:
        self._shown.add(spot)
        first = tensors[0]
        self.acts.append(Run(spot, array(first), version_of(first)))
        for tensor in tensors:
            self._know(tensor)

    def _know(self, tensor: Tensor) -> None:
        if not any(tensor is each for each in self._tensors):
            self._tensors.append(tensor)
        if not tensor.is_inference():
            self.acts += self.memory.seen(tensor)

    def _place(self, tensor: Tensor) -> Spot:
        """Return where a tensor is, whether it has a history or not."""
        known = self.atlas.of_tensor(tensor)
        if known is not None:
            return known
        maker = maker_of(tensor)
        return self.atlas.constant(tensor) if maker is None else self.atlas.source(maker)

    def _is_altered(self, tensor: Tensor) -> bool:
        """Whether the operation that has just run has changed a tensor that is met only now."""
        return any(tensor.untyped_storage() is storage for storage, _ in self._altered)

    def _show_sources(self, spot: Spot, before: int, tensors: Sequence[Tensor]) -> None:
        """Show what `spot` takes, as far as it has not been shown: leaves, and what came unseen."""
        new = [each for each in self.atlas.picture.spots[before:] if each is not spot]
        new += [link.source for link in self.atlas.picture.into(spot)]
        new = [each for each in dict.fromkeys(new) if each not in self._shown]
        still = [each for each in new if each.kind in ("leaf", "constant")]
        for each in still:
            tensor = self.atlas.tensors[each][0]
            grad = array(grad_of(tensor))
            value = None if self._is_altered(tensor) else array(tensor)
            self.start[each] = value, version_of(tensor), grad
        if still:
            self.acts.append(Appear(still))
            for each in still:
                self._know(self.atlas.tensors[each][0])
        self._shown.update(new)
        for each in new:
            if each in still:
                continue
            makers = [(one, maker_of(one)) for one in tensors]
            made = [one for one, maker in makers if maker and self.atlas.of_node(maker) is each]
            if made:
                self.atlas.put(each, None, made)
                self._run(each, made)
            else:
                self.acts.append(Run(each, None, None))

    def _save(self, event: events.Save) -> None:
        spot = self.atlas.of_node(event.node)
        if spot is not None and spot in self._shown:
            self.acts += self.memory.kept(event.node, spot)

    def _tell_alterations(
        self,
        own: Sequence[Tensor] | None,
        line: Any = None,
        by: str = "",
        told: Sequence[Tensor] = (),
    ) -> None:
        """Tell which places hold other values now; those of `own` are told with their operation.

        What an operation has `told` by having a place is not told again.
        """
        recorded = self._latest is not None
        for storage, version in self._altered:
            if own is not None and any(each.untyped_storage() is storage for each in own):
                continue
            values_now: dict[Spot, np.ndarray] = {}
            for tensor in self._tensors:
                spot = self.atlas.of_tensor(tensor)
                if spot is not None and tensor.untyped_storage() is storage:
                    if recorded and any(tensor is each for each in told):
                        continue
                    if recorded and spot is self._latest:
                        continue
                    values_now[spot] = array(tensor)
            if values_now:
                self.acts.append(Alter(values_now, version, line, _plain(by)))
            self.acts += self.memory.changed(storage, version)
        if own is None:
            self._altered = []
        else:
            ours = [each.untyped_storage() for each in own]
            self._altered = [
                change for change in self._altered if any(change[0] is each for each in ours)
            ]

    def _begin(self, event: events.Begin) -> None:
        self._tell_alterations(None)
        frame = learners_frame()
        self.names.look(self._frame, *([] if frame is self._frame else [frame]))
        line = self.source.line(frame)
        self._tell_requests(self._tensors)
        self._arrived = {}
        self._needed = None if event.targets is None else _needed(event)
        before = len(self.atlas.picture.spots)
        for (root, _), grad in zip(event.roots, event.grads, strict=True):
            spot = self.atlas.source(root)
            self._show_sources(spot, before, ())
            call = "backward()" if event.accumulate else "grad, asked for by autograd.grad"
            self.acts.append(Start(spot, array(grad), self._walks, call, line))
            self._arrived[spot] = array(grad)
        if self._walks == 0 and event.accumulate and not (event.create_graph or event.targets):
            pairs = zip(event.roots, event.grads, strict=True)
            self._vary([(*root, grad) for root, grad in pairs])
        self._walks += 1

    def _tell_requests(self, tensors: Sequence[Tensor]) -> None:
        """Tell which of some tensors have been asked to keep their gradients since last told."""
        for tensor in tensors:
            spot = self.atlas.of_tensor(tensor)
            new = spot is not None and tensor.retains_grad and id(tensor) not in self._asked
            if spot is not None and new:
                self._asked.add(id(tensor))
                self.acts.append(Ask(spot))

    def _vary(self, roots: list[Any]) -> None:
        """Tell the backward that begins in the other ways that it has."""
        forward = self.acts[: len(self.acts) - len(roots)]
        may, self.remarks = may_run_again(roots)
        if not may:
            return
        sweeps = forward_mode(self.atlas, roots[0][0], forward)
        self.variants = [*broken(self.atlas, roots, forward), *sweeps]
        self.remarks = remarks(roots)

    def _visit(self, event: events.Visit) -> None:
        node: Any = event.node
        arrived = next((grad for grad in event.grads if grad is not None), None)
        # Asked before it runs, for then it may be freed.
        known: Any = array(node.variable.grad) if is_accumulator(node) else slopes(node)
        self._visiting = node, array(arrived), known

    def _send(self, event: events.Send) -> None:
        if self._visiting is None:
            return
        node, arrived, known = self._visiting
        self._visiting = None
        spot = self.atlas.source(node)
        shown = node.arguments_that_are_tensors()
        grads = [grad for grad, is_tensor in zip(event.grads, shown, strict=True) if is_tensor]
        sent = sent_by(
            self.atlas,
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
        asked = self.atlas.asked(spot)
        kept = None if asked is None else array(asked.grad)
        self.acts.append(Visit(spot, arrived, sent, self._is_replaced(spot, arrived), kept))

    def _if_needed(self, edge: Any, grad: Tensor | None) -> Tensor | None:
        needed = self._needed is None or edge[0] in self._needed
        return grad if needed else None

    def _is_replaced(self, spot: Spot, arrived: np.ndarray | None) -> bool:
        expected = self._arrived.get(spot)
        if expected is None or arrived is None or expected.shape != arrived.shape:
            return False
        return not np.allclose(expected, arrived, 1e-4, 1e-6, equal_nan=True)

    def _accumulate(self, event: events.Accumulate) -> None:
        if self._visiting is None:
            return
        node, arrived, before = self._visiting
        self._visiting = None
        spot = self.atlas.leaf(node)
        self.acts.append(Collect(spot, arrived, before, array(event.leaf.grad)))

    def _free(self, event: events.Free) -> None:
        spot = self.atlas.of_node(event.node)
        if spot is not None:
            self.acts += self.memory.freed(spot)

    def _end(self, event: events.End) -> None:
        if event.error is None:
            if self._needed is not None:
                self.acts.append(Note("What was asked for is returned; no .grad has changed."))
            return
        spot = None
        if self._visiting is not None:
            node, arrived, _ = self._visiting
            spot = self.atlas.source(node)
            self.acts.append(Visit(spot, arrived, ()))
            self._visiting = None
        self.error = event.error
        self.acts.append(failed(spot, event.error))


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


def _constants(event: events.Create) -> dict[int, Tensor]:
    """Return the tensors without a history that an operation has taken, by place."""
    shown = event.node.arguments_that_are_tensors()  # type: ignore[union-attr]
    if len(shown) != len(event.inputs):
        return {}
    taken = [each for each, is_tensor in zip(event.inputs, shown, strict=True) if is_tensor]
    return {place: each for place, each in enumerate(taken) if isinstance(each, Tensor)}


def _plain(name: str) -> str:
    """Return what an operation that was not recorded is called: without the Backward."""
    return name.rpartition("::")[2].partition("Backward")[0]
