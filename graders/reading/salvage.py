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


def salvaged(text: str) -> list[Any]:
    """The cells that can still be read in `text`, which is no JSON; in their order.

    What was cut off, or is broken in itself, is missing.
    """
    begin = CELLS.search(text)
    return list(_whole_cells(text, begin.end())) if begin is not None else []


def _whole_cells(text: str, place: int) -> Iterator[Any]:
    decoder = json.JSONDecoder()
    for _ in range(MAX_TRIES):
        found = CELL.search(text, place)
        if found is None:
            return
        try:
            value, place = decoder.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            place = found.start() + 1
            continue
        # Outputs and metadata look alike, and are passed by.
        if isinstance(value, dict) and ("source" in value or "input" in value):
            yield value
