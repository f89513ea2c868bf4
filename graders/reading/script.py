"""Scripts: in cells where editors, jupytext and nbconvert have marked them, else in one piece."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from graders.reading.notebook import exercise_in
from graders.reading.written import Written

MARK = re.compile(
    r"^\#[ \t]?(?:%%|In[ ]?\[|[ ]?<(?:codecell|markdowncell)>|COMMAND[ ]-{5,}|\+(?=[ \t\n{]|$))"
    r"[^\n]*",
    re.MULTILINE | re.VERBOSE,
)
OPTION = re.compile(r"""\b(exercise|grade_id)\s*=\s*["']([\w-]{1,100})["']""")
PROSE = re.compile(r"\[(?:markdown|md|raw)\]|<markdowncell>")


def script_cells(text: str) -> list[Written]:
    """The cells of the script `text`, whose lines end in newlines."""
    return [
        Written(index, part, _exercise(part))
        for index, part in enumerate(_parts(text))
        if not _is_prose(part)
    ]


def _parts(text: str) -> Iterator[str]:
    begun = 0
    for mark in MARK.finditer(text):
        if text[begun : mark.start()].strip():
            yield text[begun : mark.start()]
            begun = mark.start()
    yield text[begun:]


def _is_prose(part: str) -> bool:
    """Whether `part` is a cell of text: comments need no running, and a string is no answer."""
    mark = MARK.match(part)
    return mark is not None and PROSE.search(mark.group()) is not None


def _exercise(part: str) -> str | None:
    """The exercise that the part's first line is marked with, in either way of writing options."""
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
