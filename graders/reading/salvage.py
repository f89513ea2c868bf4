"""Reads the intact cells of a damaged notebook."""

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
"""How many times the length of the text may be parsed in vain."""
LINES_COUNTED = 16
"""Each error also counts the lines before it, which is so many times as fast as parsing them."""


def salvaged(text: str) -> list[Any]:
    """The cells that can still be read in `text`, which is not valid JSON, in order.

    Cells that were cut off or are damaged themselves are missing.
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
            return  # a whole notebook that is nested so deeply is not read, either
        except ValueError as error:
            effort -= _looked_at(text, error) - found.start()
            effort -= found.start() // LINES_COUNTED
            place = found.start() + 1
            continue
        # Outputs and metadata may match CELL as well, but have no source.
        if isinstance(value, dict) and ("source" in value or "input" in value):
            yield value


def _looked_at(text: str, error: ValueError) -> int:
    """How far `text` was parsed before the `error`."""
    # For an unterminated string `pos` is its beginning; an error about a long number has none.
    if not isinstance(error, json.JSONDecodeError) or error.msg.startswith("Unterminated"):
        return len(text)
    return error.pos
