"""A live card: a widget that shows HTML and passes what a learner does in it to the kernel.

Import this only where `is_live` is true: it needs anywidget.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

import traitlets
from anywidget import AnyWidget

STATIC = Path(__file__).parent / "static"

Answer = Callable[[Mapping[str, Any]], None]
Still = Mapping[str, str]


class LiveCard(AnyWidget):
    """A card as HTML, whose forms with `data-al-do` send messages to the kernel.

    `html` is trusted: whatever a learner or an exercise wrote in it has to be escaped. Submitting a
    form calls `answer` with its fields and `do`, the action asked for; `answer` then calls `show`.
    `note` is a sentence below the card about the result. The page finds the card among its widgets
    by `address`. `still` is the card without a kernel, by MIME type; a saved notebook keeps it.
    """

    _esm = STATIC / "card.js"
    _css = STATIC / "card.css"
    html = traitlets.Unicode().tag(sync=True)
    note = traitlets.Unicode().tag(sync=True)
    answered = traitlets.Int().tag(sync=True)
    address = traitlets.Unicode().tag(sync=True)
    still = traitlets.Dict().tag(sync=True)

    def __init__(self, html: str, still: Still, answer: Answer | None = None) -> None:
        address = uuid4().hex
        super().__init__(html=html, still=dict(still), address=address, model_id=address)
        self._answer = answer
        self.on_msg(self._hear)

    def show(self, html: str, still: Still, note: str = "") -> None:
        """Replace the card's content."""
        with self.hold_sync():
            self.html, self.still, self.note = html, dict(still), note

    def view(self) -> dict[str, Any]:
        """Return the reference to this widget that a notebook's output holds."""
        return {"version_major": 2, "version_minor": 0, "model_id": self.model_id}

    def _hear(self, widget: object, content: object, buffers: object) -> None:
        if self._answer is None or not isinstance(content, Mapping):
            return
        with self.hold_sync():
            try:
                self._answer(content)
            except Exception as error:
                # The page waits until `answered` counts up, also after an error.
                self.note = (
                    f"This did not work (`{type(error).__name__}`). Run this card's cell again."
                )
            self.answered += 1
