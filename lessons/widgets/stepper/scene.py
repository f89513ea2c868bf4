"""What a recording has shown so far: which tensors are known, where, and with which values."""

from __future__ import annotations

from collections.abc import Sequence
from types import FrameType
from typing import Any

import numpy as np

from autograd_core import Tensor
from autograd_core.graph.looking import storage_of
from lessons.widgets.stepper.acts import Act, Alter, Appear, Ask, Run, Spot
from lessons.widgets.stepper.atlas import Atlas
from lessons.widgets.stepper.frames import Names, Source, learners_frame
from lessons.widgets.stepper.looking import array, grad_of, maker_of, version_of
from lessons.widgets.stepper.memory_lane import Memory


class Scene:
    """A picture, its memory, and the acts so far; `frame` is the frame of the program.

    `start` holds the value, version and `.grad` of leaves and constants when they were first seen.
    """

    def __init__(self, names: Names, frame: FrameType | None) -> None:
        self.names, self.source, self.frame = names, Source(), frame
        self.atlas = Atlas()
        self.memory = Memory(names)
        self.acts: list[Act] = []
        self.start: dict[Spot, tuple[Any, Any, Any]] = {}
        self.shown: set[Spot] = set()
        self.tensors: list[Tensor] = []
        # Storages whose change has not been told yet, with their new versions.
        self.altered: list[tuple[Any, int]] = []
        # The place of the operation that is being told, if it was recorded.
        self.latest: Spot | None = None
        self._asked: set[int] = set()

    def look(self) -> tuple[FrameType | None, Any]:
        """Learn the names where the learner's program is, and return its frame and its line."""
        frame = learners_frame()
        self.names.look(self.frame, *([] if frame is self.frame else [frame]))
        return frame, self.source.line(frame)

    def run(self, spot: Spot, tensors: Sequence[Tensor]) -> None:
        """Tell that a place has its value now, that of the first of `tensors`."""
        self.shown.add(spot)
        first = tensors[0]
        self.acts.append(Run(spot, array(first), version_of(first)))
        for tensor in tensors:
            self.know(tensor)

    def know(self, tensor: Tensor) -> None:
        """Follow a tensor, and the memory that it uses, from now on."""
        if not any(tensor is each for each in self.tensors):
            self.tensors.append(tensor)
        if not tensor.is_inference():
            self.acts += self.memory.seen(tensor)

    def place(self, tensor: Tensor) -> Spot:
        """Return where a tensor is, whether it has a history or not."""
        known = self.atlas.of_tensor(tensor)
        if known is not None:
            return known
        maker = maker_of(tensor)
        if maker is None:
            return self.atlas.constant(tensor)
        # Noted at once, because a view that is out of date has a new maker each time it is asked.
        return self.atlas.put(self.atlas.source(maker), None, (tensor,))

    def _is_altered(self, tensor: Tensor) -> bool:
        """Whether the operation that has just run has changed a tensor that was not seen before."""
        return any(storage_of(tensor) is storage for storage, _ in self.altered)

    def show_sources(self, spot: Spot, before: int, tensors: Sequence[Tensor]) -> None:
        """Show the inputs of `spot` that have not been shown yet, such as leaves."""
        new = [each for each in self.atlas.picture.spots[before:] if each is not spot]
        new += [link.source for link in self.atlas.picture.into(spot)]
        new = [each for each in dict.fromkeys(new) if each not in self.shown]
        still = [each for each in new if each.kind in ("leaf", "constant")]
        for each in still:
            tensor = self.atlas.tensors[each][0]
            grad = array(grad_of(tensor))
            value = None if self._is_altered(tensor) else array(tensor)
            self.start[each] = value, version_of(tensor), grad
        if still:
            self.acts.append(Appear(still))
            for each in still:
                self.know(self.atlas.tensors[each][0])
        self.shown.update(new)
        for each in new:
            if each in still:
                continue
            made = [
                one
                for one in tensors
                if each in (self.atlas.of_tensor(one), self.atlas.of_node(maker_of(one)))
            ]
            if made:
                self.atlas.put(each, None, made)
                self.run(each, made)
            else:
                self.acts.append(Run(each, None, None))

    def tell_alterations(
        self,
        own: Sequence[Tensor] | None,
        line: Any = None,
        by: str = "",
        told: Sequence[Tensor] = (),
    ) -> None:
        """Tell which places hold other values now; those of `own` are told with their operation.

        What an operation has `told` by having a place is not told again.
        """
        recorded = self.latest is not None
        for storage, version in self.altered:
            if own is not None and any(storage_of(each) is storage for each in own):
                continue
            values_now: dict[Spot, np.ndarray] = {}
            for tensor in self.tensors:
                spot = self.atlas.of_tensor(tensor)
                if spot is not None and storage_of(tensor) is storage:
                    if recorded and any(tensor is each for each in told):
                        continue
                    if recorded and spot is self.latest:
                        continue
                    values_now[spot] = array(tensor)
            if values_now:
                self.acts.append(Alter(values_now, version, line, plain(by)))
            self.acts += self.memory.changed(storage, version)
        if own is None:
            self.altered = []
        else:
            ours = [storage_of(each) for each in own]
            self.altered = [
                change for change in self.altered if any(change[0] is each for each in ours)
            ]

    def tell_requests(self, tensors: Sequence[Tensor]) -> None:
        """Tell which of some tensors have been asked to keep their gradients since last told."""
        for tensor in tensors:
            spot = self.atlas.of_tensor(tensor)
            new = spot is not None and tensor.retains_grad and id(tensor) not in self._asked
            if spot is not None and new:
                self._asked.add(id(tensor))
                self.acts.append(Ask(spot))


def plain(name: str) -> str:
    """Return what an operation that was not recorded is called: without the Backward."""
    return name.rpartition("::")[2].partition("Backward")[0]
