"""Whether there is anybody to talk to: a kernel that a page is connected to, and widgets for it."""

from __future__ import annotations

import functools
import importlib
import os
import sys

STATIC = "AUTOGRAD_LESSONS_STATIC"
"""The environment variable that asks, with `1`, for nothing but figures and text."""


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
