"""Damaged notebooks: cells that are whole are read, whatever befell the rest of the file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

CELLS = re.compile(r'"cells"\s*:\s*\[')
CELL = re.compile(
    r'\{\s*"(?:attachments|cell_type|collapsed|execution_count|id|input|metadata|outputs|source)"\s*:'
)
MAX_TRIES = 1_000
MAX_EFFORT = 2
"""How often, at most, the whole text may be gone through in vain."""
LINES_COUNTED = 16
"""For each error the lines above are counted, so many times as fast as text is read."""


def salvaged(text: str) -> list[Any]:
    """The cells that can still be read in `text`, which is no JSON; in their order.

    What was cut off, or is broken in itself, is missing.
    """
    begin = CELLS.search(text)
    return list(_whole_cells(text, begin.end())) if begin is not None else []


def _whole_cells(text: str, place: int) -> Iterator[Any]:
    decoder = json.JSONDecoder()
    effort = MAX_EFFORT * len(text)
    for _ in range(MAX_TRIES):
        found = CELL.search(text, place)
        if found is None or effort < 0:
            return
        try:
            value, place = decoder.raw_decode(text, found.start())
        except RecursionError:
            return  # as of a whole notebook that is nested so deeply
        except ValueError as error:
            effort -= _looked_at(text, error) - found.start()
            effort -= found.start() // LINES_COUNTED
            place = found.start() + 1
            continue
        # Outputs and metadata look alike, and are passed by.
        if isinstance(value, dict) and ("source" in value or "input" in value):
            yield value


def _looked_at(text: str, error: ValueError) -> int:
    """Up to where `text` was read before the `error` was found."""
    # Of a text without an end it tells the beginning; of a number with too many digits, nothing.
    if not isinstance(error, json.JSONDecodeError) or error.msg.startswith("Unterminated"):
        return len(text)
    return error.pos
