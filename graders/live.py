"""Whether cards can be live: widgets that talk to a notebook's kernel, and what replaces them."""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graders.widget import LiveCard

STATIC = "AUTOGRAD_LESSONS_STATIC"
"""The environment variable that, set to `1`, asks for figures and text without widgets."""

VIEW = "application/vnd.jupyter.widget-view+json"


def is_live() -> bool:
    """Whether cards and figures may be shown as widgets now.

    False where `AUTOGRAD_LESSONS_STATIC=1` is set, outside of a notebook's kernel (in a terminal,
    a script, a grader), and where anywidget cannot be imported. Everything that can be a widget can
    also be shown as figures and text. The first call in a kernel imports anywidget, which takes
    about a tenth of a second.
    """
    return os.environ.get(STATIC) != "1" and _has_comms() and _has_widgets()


def _has_comms() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return getattr(getattr(shell, "kernel", None), "comm_manager", None) is not None


@functools.cache
def _has_widgets() -> bool:
    # A broken installation can raise anything; the lessons then do without widgets.
    try:
        importlib.import_module("anywidget")
    except Exception:
        return False
    return True


def still(card: Any) -> dict[str, str]:
    """Return `card` as it is shown without a kernel: text and HTML."""
    return {"text/plain": repr(card), "text/html": card._repr_html_()}


def mimebundle(card: Any, live: Callable[[], LiveCard | None]) -> dict[str, Any]:
    """Return `card` as text, as HTML and, where widgets work, as the widget that `live` makes.

    A front end shows the richest form that it knows. Without a kernel, as in an exported page, that
    is the HTML or the text.
    """
    bundle: dict[str, Any] = still(card)
    # A widget that cannot be made must not cost the learner what it would have shown.
    with contextlib.suppress(Exception):
        if is_live() and (widget := live()) is not None:
            bundle[VIEW] = widget.view()
    return bundle
