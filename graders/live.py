"""Whether there is anybody to talk to: a kernel that a page is connected to, and widgets for it."""

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
"""The environment variable that asks, with `1`, for nothing but figures and text."""

VIEW = "application/vnd.jupyter.widget-view+json"


def is_live() -> bool:
    """Whether what is shown now may be a widget.

    Not so where `AUTOGRAD_LESSONS_STATIC=1` is set, outside of a notebook's kernel (in a terminal,
    a script, a grader), and where anywidget cannot be imported. Everything that can be a widget has
    a form without: figures and text. The first true answer takes the import of anywidget, about a
    tenth of a second.
    """
    return os.environ.get(STATIC) != "1" and _has_comms() and _has_widgets()


def _has_comms() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return getattr(getattr(shell, "kernel", None), "comm_manager", None) is not None


@functools.cache
def _has_widgets() -> bool:
    # An installation in disorder can raise anything; the lessons do without it then.
    try:
        importlib.import_module("anywidget")
    except Exception:
        return False
    return True


def still(card: Any) -> dict[str, str]:
    """Return what shows `card` without a kernel: text and HTML."""
    return {"text/plain": repr(card), "text/html": card._repr_html_()}


def mimebundle(card: Any, live: Callable[[], LiveCard | None]) -> dict[str, Any]:
    """Return what a notebook is given to show: text, HTML, and what `live` makes where it can.

    A front end takes the richest that it knows. What a notebook's file, a page or a printout shows
    without a kernel is the HTML, or the text.
    """
    bundle: dict[str, Any] = still(card)
    # A widget that cannot be made must not cost the learner what it would have shown.
    with contextlib.suppress(Exception):
        if is_live() and (widget := live()) is not None:
            bundle[VIEW] = widget.view()
    return bundle
