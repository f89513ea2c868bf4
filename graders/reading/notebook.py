"""Reads notebooks of format 2 to 4 as plain data, and only their code."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graders.reading import Unreadable
from graders.reading.cells import parse
from graders.reading.encoding import text_of
from graders.reading.lessons import exercise_ids
from graders.reading.salvage import salvaged
from graders.reading.written import MAX_CELLS, MAX_CODE, Written

BULKY = re.compile(rb'"(?<!\\")(?:outputs|attachments|widgets)"\s*:\s*[\[{]')
"""Begins with a quotation mark, for which `re` searches ten times as fast as for a lookbehind."""
BRACKET = re.compile(rb'(?:[^"\[\]{}]++|"(?:[^"\\]++|\\.)*+")*+([\[\]{}])', re.DOTALL)
"""Everything up to the next bracket outside strings, and that bracket."""
SMALL = 256 * 1024  # below this, leaving out outputs takes longer than parsing them
MAX_BYTES = 16 * 1024 * 1024
MAX_VALUES = 1_000_000
MAX_BRACKETS = 400_000  # in the outputs that are left out; each bracket is looked at
PER_BRACKET = 16  # bytes; looking at one takes longer than parsing so many
LONGEST_NAME = 100

GIVEN_ID = re.compile(r"cell-\d+|check-.+")
"""The ids of a lesson's cells that are not exercises; cells that a student adds have others."""


def is_notebook(raw: bytes) -> bool:
    """Whether `raw` looks like a notebook rather than a script."""
    return raw[:100].lstrip().startswith(b"{")


@dataclass(frozen=True)
class NotebookCells:
    """A notebook's code cells; `damage` says what is wrong with a file that was read in parts."""

    written: list[Written]
    damage: str = ""


def notebook_cells(raw: bytes, spend: Callable[[int], None]) -> NotebookCells:
    """The code cells of the notebook `raw`; of a damaged one, those that are intact.

    `spend` is told how much work it is, in bytes to parse. Raises Unreadable when `raw` is no
    notebook.
    """
    try:
        notebook, damage = _loaded(raw, spend), ""
    except _Broken as broken:
        saved = salvaged(broken.text)
        notebook = {"cells": saved}
        if not any(_code_in(each) for each in saved):
            raise Unreadable(f"It is no notebook: its JSON is broken{broken.where}.") from None
        damage = (
            f"The file is damaged: its JSON is broken{broken.where}. The cells that are still"
            " whole are graded; what else there was is lost, so hand it in again if you can."
        )
    return NotebookCells(_checked(notebook), damage)


def _checked(notebook: Any) -> list[Written]:
    listed = _listed(notebook)
    if listed is None:
        raise Unreadable("It is no notebook: it has no list of cells.")
    if len(listed) > MAX_CELLS:
        raise Unreadable(f"It has more than {MAX_CELLS} cells.")
    written = list(_written(listed))
    language = _language(notebook)
    if language and not any(_is_python(each.source) for each in written):
        raise Unreadable(f"It is a notebook in {language}, not in Python.")
    return written


def without_bulk(raw: bytes) -> tuple[bytes, int]:
    """`raw` with empty outputs, attachments and widget states: most of a large notebook.

    Also returns how many brackets were looked at. In a damaged file, parts that have no end stay,
    and so does everything after MAX_BRACKETS.
    """
    kept, begun, left = [], 0, MAX_BRACKETS
    while found := BULKY.search(raw, begun):
        end, left = _end(raw, found.end() - 1, left)
        if end is None:
            break
        kept.append(raw[begun : found.end()])
        begun = end - 1
    return b"".join([*kept, raw[begun:]]), MAX_BRACKETS - left


def _end(raw: bytes, start: int, left: int) -> tuple[int | None, int]:
    """Where the list or object that begins at `start` ends, and how many brackets are left.

    The former is None when it does not end, or has more than `left` brackets.
    """
    depth, place = 0, start
    while left and (bracket := BRACKET.match(raw, place)):
        left -= 1
        place = bracket.end()
        depth += 1 if bracket[1] in b"[{" else -1
        if depth == 0:
            return place, left
    return None, left


def _loaded(raw: bytes, spend: Callable[[int], None]) -> Any:
    whole, brackets = raw, 0
    if len(raw) > SMALL:
        raw, brackets = without_bulk(raw)
    spend(brackets * PER_BRACKET)
    values = raw.count(b",") + raw.count(b"[") + raw.count(b"{")
    if len(raw) > MAX_BYTES or values > MAX_VALUES:
        most = MAX_BYTES // 2**20
        raise Unreadable(f"Even without its outputs it has more than {most} MiB or too many parts.")
    spend(len(raw))
    text = text_of(raw)
    try:
        return json.loads(text)
    except RecursionError:
        raise Unreadable("It is no notebook: its JSON is nested too deeply.") from None
    except ValueError as error:
        # In a text that was shortened the line number would not be that of the student's file.
        line = getattr(error, "lineno", 0) if len(raw) == len(whole) else 0
        raise _Broken(text, f" (line {line})" if line else "") from None


class _Broken(Exception):  # noqa: N818  (a state of somebody's file)
    def __init__(self, text: str, where: str) -> None:
        super().__init__(where)
        self.text, self.where = text, where


def _code_in(raw: Any) -> bool:
    return isinstance(raw, dict) and _is_code(raw) and bool(_source(raw).strip())


def _listed(notebook: Any) -> list[Any] | None:
    """The cells of a notebook of format 4, or of all worksheets of format 2 or 3; None for none."""
    if not isinstance(notebook, dict):
        return None
    cells, sheets = notebook.get("cells"), notebook.get("worksheets")
    if isinstance(cells, list) and (cells or not isinstance(sheets, list)):
        return cells
    if not isinstance(sheets, list):
        return None
    lists = [sheet.get("cells") for sheet in sheets if isinstance(sheet, dict)]
    return [cell for cells in lists if isinstance(cells, list) for cell in cells]


def _written(listed: list[Any]) -> Iterator[Written]:
    left = MAX_CODE
    for index, raw in enumerate(listed):
        if not isinstance(raw, dict):
            continue
        source, exercise = _source(raw), _exercise(raw)
        left -= len(source) if exercise is not None or _is_code(raw) else 0
        if left < 0:
            raise Unreadable(f"It has more than {MAX_CODE // 2**20} MiB of code.")
        if _is_code(raw) or (exercise is not None and _is_python(source)):
            own = not GIVEN_ID.fullmatch(_id(raw) or "cell-0")
            yield Written(index, source, exercise, own)


def _is_code(raw: Mapping[str, Any]) -> bool:
    kind = raw.get("cell_type")
    if isinstance(kind, str):
        return kind.lower() == "code"
    return "outputs" in raw or "execution_count" in raw or "input" in raw


def _is_python(source: str) -> bool:
    """Whether `source` is Python that may define something; prose may parse as well."""
    tree = parse(source)
    return tree is not None and bool(re.search(r"(?m)^(?:class|def|import|from)\s|=", source))


def _source(raw: Mapping[str, Any]) -> str:
    source = raw.get("source")
    if source is None:
        source = raw.get("input", "")
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    return source if isinstance(source, str) else ""


def _id(raw: Mapping[str, Any]) -> str:
    found = raw.get("id")
    return found if isinstance(found, str) else ""


def _exercise(raw: Mapping[str, Any]) -> str | None:
    """The exercise that a cell is marked with: by our mark, by nbgrader's, or by the cell's id."""
    metadata = raw.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    return exercise_in(metadata, _id(raw))


def exercise_in(metadata: Mapping[str, Any], id: str = "") -> str | None:
    """The id of the exercise that `metadata`, or else the cell's `id`, names; None for none."""
    marked = metadata.get("exercise")
    if isinstance(marked, str):
        return marked[:LONGEST_NAME]
    nbgrader = metadata.get("nbgrader")
    graded = nbgrader.get("grade_id") if isinstance(nbgrader, dict) else None
    for name in (graded, id):
        if isinstance(name, str) and name in exercise_ids():
            return name
    return None


def _language(notebook: Mapping[str, Any]) -> str:
    """The language that the notebook declares, if it is not Python; else empty."""
    metadata = notebook.get("metadata")
    if not isinstance(metadata, dict):
        return ""
    for part, key in (("language_info", "name"), ("kernelspec", "language")):
        about = metadata.get(part)
        named = about.get(key) if isinstance(about, dict) else None
        if isinstance(named, str) and named.strip():
            plain = re.sub(r"[^\w+#. -]", "", named)[:30].strip()
            return "" if "python" in plain.lower() else plain
    return ""
