"""`record()`: what the engine does within a `with`, noted as it happens."""

from __future__ import annotations

from types import FrameType
from typing import Any

import numpy as np

from autograd_core import events
from lessons.widgets.stepper.acts import Start, without
from lessons.widgets.stepper.frames import Names
from lessons.widgets.stepper.operations import Operations
from lessons.widgets.stepper.replay import failed
from lessons.widgets.stepper.scene import Scene
from lessons.widgets.stepper.walks import Walks

MOST = 1200


class Recorder:
    """Listens to the engine's events, and keeps them as acts over one picture, its `scene`."""

    def __init__(self, names: Names, frame: FrameType | None) -> None:
        self.scene = Scene(names, frame)
        self.walks = Walks(self.scene)
        self.left_out = 0
        # Whether an event could not be recorded.
        self.is_lost = False
        self._operations = Operations(self.scene)
        self._is_full = False

    def hear(self, event: events.Event) -> None:
        """Record one event; of a program with very many, only the first ones."""
        if isinstance(event, events.Create | events.Begin) and len(self.scene.acts) > MOST:
            self._is_full = True
        if self._is_full:
            self.left_out += isinstance(event, events.Create)
        elif not self.is_lost:
            try:
                # Otherwise NumPy would warn the learner about our computations.
                with np.errstate(all="ignore"):
                    self._note(event)
            except Exception:
                # Whatever fails here must not stop the learner's program.
                self.is_lost = True

    def _note(self, event: events.Event) -> None:
        match event:
            case events.Create():
                self._operations.create(event)
            case events.Save():
                self._operations.save(event)
            case events.Mutate():
                self._operations.mutate(event)
            case events.Begin():
                self.walks.begin(event)
            case events.Visit():
                self.walks.visit(event)
            case events.Send():
                self.walks.send(event)
            case events.Accumulate():
                self.walks.accumulate(event)
            case events.Free():
                self.walks.free(event)
            case events.End():
                self.walks.end(event)

    def close(self, error: BaseException | None = None) -> None:
        """Note what has changed last, or what was raised, and learn the last names."""
        scene = self.scene
        scene.tell_alterations(None)
        if isinstance(error, RuntimeError) and error is not self.walks.error:
            scene.acts.append(failed(None, error, self._line_of(error)))
        scene.names.look(scene.frame)
        results = {act.spot for act in scene.acts if isinstance(act, Start)}
        scene.atlas.settle(scene.names, results)
        aside = scene.atlas.picture.aside()
        scene.acts = [kept for act in scene.acts if (kept := without(act, aside)) is not None]

    def _line_of(self, error: BaseException) -> Any:
        """Return where the recorded program was when it raised."""
        trace = error.__traceback__
        while trace is not None and trace.tb_frame is not self.scene.frame:
            trace = trace.tb_next
        if trace is None:
            return None
        return self.scene.source.at(trace.tb_frame.f_code.co_filename, trace.tb_lineno)
