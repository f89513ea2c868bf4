"""A card that lives: its HTML comes from here, and what a learner does with it is answered here.

Imported only where `is_live` says so: it stands on anywidget.
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
    """A card as HTML, in which forms with `data-al-do` speak to the kernel.

    `html` is written by us alone, with everything foreign in it escaped. A form that is submitted
    calls `answer` with its fields and `do`, what it asks for; `answer` calls `show`. `note` is a
    sentence below the card about what was asked. By `address` the page finds the card among its
    widgets. `still` is the same as it is shown without a kernel, by MIME type: a notebook that is
    saved keeps that.
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
                # A page that waits for an answer has to get one.
                self.note = (
                    f"This did not work (`{type(error).__name__}`). Run this card's cell again."
                )
            self.answered += 1
