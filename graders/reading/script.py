"""Reads scripts, cut into cells as editors, jupytext, nbconvert and marimo have marked them.

A script without marks is cut before and after its classes and functions, so that an error or an
endless loop between them does not cost more than in a notebook.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator

from graders.reading.cells import parse
from graders.reading.marimo import marimo_cells
from graders.reading.notebook import exercise_in
from graders.reading.written import Written

MARK = re.compile(
    r"^\#[ \t]?(?:%%|In[ ]?\[|[ ]?<(?:codecell|markdowncell)>|COMMAND[ ]-{5,}|\+(?=[ \t\n{]|$))"
    r"[^\n]*",
    re.MULTILINE | re.VERBOSE,
)
SHELL = re.compile(r"^[!%][^\n]*", re.MULTILINE)
MAX_PIECES, MAX_LINES = 200, 2000
OPTION = re.compile(r"""\b(exercise|grade_id)\s*=\s*["']([\w-]{1,100})["']""")
PROSE = re.compile(r"\[(?:markdown|md|raw)\]|<markdowncell>")


def script_cells(text: str) -> list[Written]:
    """The cells of the script `text`, whose lines end in newlines."""
    own = marimo_cells(text)
    if own is not None:
        return [Written(index, part) for index, part in enumerate(own)]
    return [
        Written(index, part, _exercise(part))
        for index, part in enumerate(_parts(text))
        if not _is_prose(part)
    ]


def _parts(text: str) -> Iterator[str]:
    if MARK.search(text) is None:
        yield from _pieces(text)
        return
    begun = 0
    for mark in MARK.finditer(text):
        if text[begun : mark.start()].strip():
            yield text[begun : mark.start()]
            begun = mark.start()
    yield text[begun:]


def _pieces(text: str) -> Iterator[str]:
    """The script in pieces; empty lines before each keep its line numbers."""
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)
    starts = _starts(text)
    if len(starts) > MAX_PIECES or len(lines) > MAX_LINES:
        starts = [0]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield "\n" * start + "".join(lines[start:end])


def _starts(text: str) -> list[int]:
    """The lines, counted from 0, at which the pieces of the script begin."""
    # Colab leaves shell lines and magics in its scripts, which do not parse.
    tree = parse(text) or parse(SHELL.sub("pass", text))
    starts = [0]
    end, defining = 0, True
    for statement in tree.body if tree is not None else ():
        decorators = getattr(statement, "decorator_list", [])
        first = min([statement.lineno, *(each.lineno for each in decorators)]) - 1
        defines = isinstance(statement, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if (defines or defining) and first >= end > 0:
            starts.append(end)
        end, defining = statement.end_lineno or first + 1, defines
    return starts


def _is_prose(part: str) -> bool:
    """Whether `part` is marked as a text cell, which is not code."""
    mark = MARK.match(part)
    return mark is not None and PROSE.search(mark.group()) is not None


def _exercise(part: str) -> str | None:
    """The exercise that the part's first line names, as an option or in JSON."""
    mark = MARK.match(part)
    if mark is None:
        return None
    option = OPTION.search(mark.group())
    if option is not None:
        return exercise_in({"exercise": option[2]})
    _, brace, rest = mark.group().partition("{")
    try:
        metadata = json.loads(brace + rest)
    except (ValueError, RecursionError):
        return None
    return exercise_in(metadata) if isinstance(metadata, dict) else None
