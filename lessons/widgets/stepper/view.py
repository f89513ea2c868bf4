"""The stepper in a notebook: an anywidget that shows a story, live or from saved state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lessons.widgets.stepper.browser_half import joined_module, joined_style

try:
    import anywidget
    import traitlets
except ImportError as error:
    raise ImportError(
        "The live stepper needs anywidget. Get it with: pip install 'autograd-lessons[lab]'."
        " Without it the stepper shows itself as a figure and a table."
    ) from error


class Stepper(anywidget.AnyWidget):
    """A widget over one story: a plain dict that says everything that is to be seen.

    `position` is the step that is shown, from 0; setting it moves the view. `committed` maps the
    token of each question to the learner's answer, None where it was skipped. `variant` is the
    id of the variant that is shown, "" for the first.
    """

    _esm = joined_module()
    _css = joined_style()

    story = traitlets.Dict().tag(sync=True)
    position = traitlets.Int(0, min=0).tag(sync=True)
    committed = traitlets.Dict().tag(sync=True)
    variant = traitlets.Unicode("").tag(sync=True)

    def __init__(
        self, story: Mapping[str, Any], still: Mapping[str, str] | None = None, **traits: Any
    ) -> None:
        super().__init__(story=dict(story), **traits)
        self._still = dict(still or {})

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """The live view, and beside it the still form for whatever cannot show that."""
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle
        return {**data, **self._still}, metadata

    def __repr__(self) -> str:
        return self._still.get("text/plain") or f"Stepper: {self.story.get('title', '')}"


def stepper_view(story: Mapping[str, Any], still: Mapping[str, str] | None = None) -> Stepper:
    """A live stepper over `story`; `still` is the mime bundle for where there is no live view."""
    return Stepper(story, still)
