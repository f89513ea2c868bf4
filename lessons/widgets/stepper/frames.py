"""Where the learner's program is: the line that runs, and the names it gives to tensors."""

from __future__ import annotations

import itertools
import linecache
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

import autograd_core
from autograd_core import Tensor
from autograd_core.nn import Module
from lessons.widgets.stepper.looking import grad_of

_ENGINE = str(Path(autograd_core.__file__).parent)
_HERE = str(Path(__file__).parent)
# Modules whose frames may be between a learner's line and the engine.
_BETWEEN = ("contextlib.py", "functools.py", "threading.py")
# Names that IPython adds to the learner's.
_NOT_THEIRS = ("In", "Out", "exit", "quit", "get_ipython")
LISTED = 20
LINES_SHOWN = 40
LONGEST_EXPRESSION = 18


def learners_frame() -> FrameType | None:
    """Return the innermost frame that belongs neither to the engine nor to the stepper."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if not (file.startswith((_ENGINE, _HERE)) or file.endswith(_BETWEEN)):
            return frame
        frame = frame.f_back
    return None


def tensors_of(frame: FrameType | None) -> Iterator[tuple[str, Tensor]]:
    """Yield the tensors in a frame's variables with names, also those in lists and modules."""
    if frame is None:
        return
    for name, value in list(frame.f_locals.items()):
        if name.startswith("_") or name in _NOT_THEIRS or not name.isidentifier():
            continue
        if isinstance(value, Tensor):
            yield name, value
            grad = grad_of(value)
            if grad is not None:
                yield f"{name}.grad", grad
        elif isinstance(value, list | tuple):
            for place, each in enumerate(value[:LISTED]):
                if isinstance(each, Tensor):
                    yield f"{name}[{place}]", each
        elif isinstance(value, dict):
            for key, each in list(value.items())[:LISTED]:
                if isinstance(each, Tensor) and isinstance(key, str | int):
                    yield f"{name}[{key!r}]", each
        # Other objects are the learner's, and are not touched.
        elif isinstance(value, Module):
            yield from [(f"{name}.{path}", each) for path, each in value.named_parameters()]


def expression_at(frame: FrameType | None) -> str:
    """Return the source of the expression that a frame runs, such as `2 * y`, if it is short."""
    if frame is None:
        return ""
    positions = itertools.islice(frame.f_code.co_positions(), frame.f_lasti // 2, None)
    first, last, begin, end = next(positions, (None,) * 4)
    if first is None or first != last or begin is None or end is None:
        return ""
    line = linecache.getline(frame.f_code.co_filename, first).encode()
    found = line[begin:end].decode(errors="replace").replace("torch.", "")
    return found if 0 < len(found) <= LONGEST_EXPRESSION else ""


class Names:
    """The names of tensors: those that were given, and those that are seen in frames."""

    def __init__(self, given: Mapping[str, Tensor]) -> None:
        self._by_id: dict[int, str] = {}
        # Kept alive, so that no other tensor gets the id, and so the name, of one that is gone.
        self._held: list[Tensor] = []
        for name, tensor in given.items():
            self._add(name, tensor)

    def look(self, *frames: FrameType | None) -> None:
        """Learn the names in frames; the first name of a tensor stays."""
        for frame in frames:
            for name, tensor in tensors_of(frame):
                self._add(name, tensor)

    def _add(self, name: str, tensor: Tensor) -> None:
        if id(tensor) not in self._by_id:
            self._by_id[id(tensor)] = name
            self._held.append(tensor)

    def of(self, tensor: Any) -> str:
        """Return the name of a tensor, or nothing."""
        return self._by_id.get(id(tensor), "")

    def named(self) -> Iterator[tuple[str, Tensor]]:
        """Yield all names with their tensors, in the order in which they were learnt."""
        for tensor in self._held:
            yield self._by_id[id(tensor)], tensor


class Source:
    """The lines of the learner's program, numbered from one across all its files."""

    def __init__(self) -> None:
        self._used: dict[str, list[int]] = {}

    def line(self, frame: FrameType | None) -> tuple[str, int] | None:
        """Note the line at which a frame is, and return where that is."""
        return None if frame is None else self.at(frame.f_code.co_filename, frame.f_lineno)

    def at(self, file: str, number: int) -> tuple[str, int] | None:
        """Note a line of a file; None if its text cannot be had."""
        if not linecache.getline(file, number).strip():
            return None
        self._used.setdefault(file, []).append(number)
        return file, number

    def listing(self) -> tuple[list[dict[str, Any]], dict[tuple[str, int], int]]:
        """Return the lines to show, and the number in that list of each line that was noted."""
        shown: list[dict[str, Any]] = []
        number_of: dict[tuple[str, int], int] = {}
        for file, used in self._used.items():
            lines = linecache.getlines(file)
            first, last = 1, len(lines)
            if last > LINES_SHOWN:
                first, last = max(min(used) - 1, 1), min(max(used) + 1, len(lines))
                last = min(last, first + LINES_SHOWN - 1)
            block = [lines[number - 1].rstrip("\n") for number in range(first, last + 1)]
            indent = min(
                (len(line) - len(line.lstrip()) for line in block if line.strip()), default=0
            )
            if shown:
                shown.append({"number": len(shown) + 1, "text": ""})
            for number, line in enumerate(block, first):
                number_of[file, number] = len(shown) + 1
                shown.append({"number": len(shown) + 1, "text": line[indent:]})
        return shown, number_of

    @staticmethod
    def text(place: tuple[str, int] | None) -> str:
        """Return one line without its indent."""
        return linecache.getline(*place).strip() if place else ""
