"""Describes a student's exception: its type, its text, and the student's line that raised it."""

from __future__ import annotations

import linecache
import sysconfig
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

import autograd_core

MAX_MESSAGE = 1_000
MAX_LINE = 300


def describe(error: BaseException) -> dict[str, Any]:
    """Return type, message, line number and source line of `error` as plain data.

    The line is the innermost one outside of this project, NumPy and the standard library: the
    student's own. It is None, and the source line empty, where there is no such line.
    """
    line, source = _own_line(error)
    return {
        "type": type.__getattribute__(type(error), "__name__")[:MAX_MESSAGE],
        "message": _message(error),
        "line": line,
        "source_line": source[:MAX_LINE],
    }


def line_in(error: BaseException, name: str) -> int | None:
    """The line at the top level of the source `name` that `error` passed through, or None."""
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename == name and code.co_name == "<module>":
            return trace.tb_lineno
        trace = trace.tb_next
    return None


def _message(error: BaseException) -> str:
    try:
        # The text of a syntax error ends in a file name that says nothing to a student, and the
        # line, which is told apart.
        words = error.msg if isinstance(error, SyntaxError) else str(error)
        text = str.__getitem__(words, slice(0, MAX_MESSAGE))
    except Exception:
        return ""
    return text.encode("utf-8", "replace").decode()


def _own_line(error: BaseException) -> tuple[int | None, str]:
    if isinstance(error, SyntaxError) and type(error.lineno) is int:
        return error.lineno, (error.text or "").rstrip()
    found: tuple[int | None, str] = None, ""
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if not code.co_filename.startswith(foreign()):
            source = linecache.getline(code.co_filename, trace.tb_lineno, trace.tb_frame.f_globals)
            found = trace.tb_lineno, source.strip()
        trace = trace.tb_next
    return found


@cache
def foreign() -> tuple[str, ...]:
    """How the file names of code that is not the student's begin."""
    graders = Path(__file__).resolve().parents[1]
    packages = [Path(str(module.__path__[0])) for module in (autograd_core, np)]
    library = [Path(sysconfig.get_paths()[name]) for name in ("stdlib", "platstdlib")]
    return (*(f"{folder}/" for folder in (graders, *packages, *library)), "<frozen ", "<scenario>")
