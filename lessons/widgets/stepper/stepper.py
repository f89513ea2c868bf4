"""What `step` and `record` return: shown as a live widget if possible, else as a still figure."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from autograd_core.drawing.svg import Figure
from graders.live import is_live
from lessons.widgets.stepper.still import still


class Stepper:
    """A graph that can be stepped through. `story` is all of it as plain data."""

    def __init__(self, story: dict[str, Any]) -> None:
        self.story = story

    @cached_property
    def still(self) -> Figure:
        """The static form: a figure of the end, and the steps as text."""
        return still(self.story)

    @cached_property
    def widget(self) -> Any:
        """The live form; ImportError without anywidget. `position` is the step it shows."""
        # Imported here because it needs anywidget, and nothing else does.
        from lessons.widgets.stepper.view import stepper_view

        return stepper_view(self.story, self.still._repr_mimebundle_())

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        if is_live():
            return self.widget._repr_mimebundle_(include=include, exclude=exclude)
        return self.still._repr_mimebundle_()

    def __repr__(self) -> str:
        return self.still.text
