"""A student's code cells, compressed until they are graded."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import overload

from graders.reading import Unreadable
from graders.reading.cells import Cell
from graders.reading.magics import Patience, runnable

MAX_CODE = 1024 * 1024
MAX_CELLS = 5_000


@dataclass(frozen=True, slots=True)
class Written:
    """One code cell as it was read; see `graders.reading.cells.Cell`."""

    index: int
    source: str
    exercise: str | None = None
    own: bool = False


class PackedCells(Sequence[Cell]):
    """The cells of one notebook, compressed because a whole class has to fit into memory.

    Each iteration unpacks them and makes them runnable anew: to use them more than once, keep a
    tuple.
    """

    def __init__(self, written: Iterable[Written]) -> None:
        """Raises Unreadable when there is more than MAX_CODE of code or MAX_CELLS of cells."""
        cells = [(each.index, _clean(each.source), each.exercise, each.own) for each in written]
        if len(cells) > MAX_CELLS:
            raise Unreadable(f"It has more than {MAX_CELLS} cells.")
        if sum(len(source) for _, source, _, _ in cells) > MAX_CODE:
            raise Unreadable(f"It has more than {MAX_CODE // 2**20} MiB of code.")
        content = json.dumps(cells).encode()
        self._length = len(cells)
        self._packed = zlib.compress(content, 1)
        self.digest = sha256(content).hexdigest()

    @property
    def packed_bytes(self) -> int:
        """How much memory the compressed cells take."""
        return len(self._packed)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Cell]:
        patience = Patience()
        for index, source, exercise, own in json.loads(zlib.decompress(self._packed)):
            yield Cell(index, source, runnable(source, patience), exercise, own)

    @overload
    def __getitem__(self, place: int) -> Cell: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Cell, ...]: ...

    def __getitem__(self, place: int | slice) -> Cell | tuple[Cell, ...]:
        return tuple(self)[place]


def _clean(source: str) -> str:
    """`source` without lone surrogates, which JSON allows but UTF-8 cannot encode."""
    return source if source.isascii() else source.encode("utf-8", "replace").decode()
