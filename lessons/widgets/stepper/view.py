"""The stepper in a notebook: an anywidget that shows a story, live or from saved state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graders.saved_outputs import STANDS_ALONE
from lessons.widgets.stepper.browser_half import joined_module, joined_style
from lessons.widgets.stepper.standalone import PAGE, standalone_html

try:
    import anywidget
    import traitlets
except ImportError as error:
    raise ImportError(
        "The live stepper needs anywidget. Get it with: pip install 'autograd-lessons[lab]'."
        " Without it the stepper shows itself as a figure and a table."
    ) from error


class StepperView(anywidget.AnyWidget):
    """A widget that shows one story, a plain dict with everything to be shown.

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
        """Return the live view, together with forms that need no kernel or no scripts.

        A saved notebook keeps both. `autograd-lessons lab` saves only the latter, as the metadata
        ask for, because the view of a widget without its kernel would be shown as an error.
        """
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle
        page = {PAGE: standalone_html(self.story, self._still)}
        return {**data, **self._still, **page}, {**metadata, STANDS_ALONE: True}

    def __repr__(self) -> str:
        return self._still.get("text/plain") or f"Stepper: {self.story.get('title', '')}"


def stepper_view(story: Mapping[str, Any], still: Mapping[str, str] | None = None) -> StepperView:
    """A live stepper over `story`; `still` is the mime bundle for where there is no live view."""
    return StepperView(story, still)
