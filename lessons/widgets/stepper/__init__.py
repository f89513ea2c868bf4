"""The graph stepper: forward and backward of a learner's own tensors, one step at a time."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from types import TracebackType

import numpy as np

from autograd_core import Tensor, events
from lessons.widgets.stepper import recording
from lessons.widgets.stepper import step as stepping
from lessons.widgets.stepper.frames import Names
from lessons.widgets.stepper.record import Recorder
from lessons.widgets.stepper.stepper import Stepper

__all__ = ["Recording", "Stepper", "record", "step"]


def step(z: Tensor, /, **names: Tensor) -> Stepper:
    """Show backward from `z` as it would be now, one node at a time.

    It changes nothing: no `.grad`, no version, and it does not free the graph. Tensors are called
    as in `names`, or else as the variables where `step` is called. Values that no tensor and no
    node holds any more are not shown. Raises TypeError when `z` or a value of `names` is not a
    tensor.
    """
    for what, tensor in [("z", z), *names.items()]:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"step() needs tensors, but {what} is a {type(tensor).__name__}")
    known = Names(names)
    known.look(sys._getframe(1))
    with np.errstate(all="ignore"):
        return Stepper(stepping.story_of(z, known))


def record(**names: Tensor) -> Recording:
    """Return a context manager that records all the engine does within it, to be stepped through.

    Forward, backward, changes in place, `detach`, `no_grad`: everything is shown in the order in
    which it happened, and the program behaves as it would without. Tensors are called as in
    `names`, or else as the program's variables. RuntimeError inside another `record`.
    """
    for what, tensor in names.items():
        if not isinstance(tensor, Tensor):
            raise TypeError(f"record() needs tensors, but {what} is a {type(tensor).__name__}")
    return Recording(names)


class Recording(Stepper):
    """A program that is being recorded; afterwards it can be shown."""

    def __init__(self, names: dict[str, Tensor]) -> None:
        self._given = names
        self._recorder: Recorder | None = None
        self._stack = ExitStack()

    def __enter__(self) -> Recording:
        self._recorder = Recorder(Names(self._given), sys._getframe(1))
        self._stack.enter_context(events.listening(self._recorder.hear))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        recorder = self._recorder
        self._stack.close()
        if recorder is not None:
            with np.errstate(all="ignore"):
                recorder.close(error)
                self.story = recording.story_of(recorder)
            # The story is plain data: let go of the learner's tensors.
            self._recorder = None
            self.__dict__.pop("still", None)
            self.__dict__.pop("widget", None)
