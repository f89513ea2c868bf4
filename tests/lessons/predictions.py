"""The predictions of a lesson, made as learners make them: wrong, and then, once more, right."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence

from .notebooks import Cell, Notebook, plain_text, run

AGAIN = "-again"
"""What the id of a cell ends in that is run a second time."""

Guess = tuple[str, str, str]
"""A wrong guess, words of the idea that it is answered with, the truth: all as they are typed."""


def is_code(cell: Cell) -> bool:
    """Return whether a cell can be run."""
    kind: str = cell.cell_type
    return kind == "code"


def check(notebook: Notebook, guesses: Sequence[Guess]) -> None:
    """Assert that each prediction of a lesson, in its order, is judged as `guesses` say."""
    cards = [plain_text(cell) for cell in run(_made(notebook, guesses)).cells if reveals(cell)]
    assert len(cards) == 2 * len(guesses)
    for (_, idea, _), wrong, right in zip(guesses, cards[::2], cards[1::2], strict=True):
        assert wrong.startswith("✗ Not what happens")
        assert idea in wrong
        assert right.startswith("✓ Predicted right")


def _made(notebook: Notebook, guesses: Sequence[Guess]) -> Notebook:
    """The lesson in which each cell that reveals is met with a wrong guess, then with the right."""
    made, left = twice(notebook, reveals), iter(guesses)
    for cell in made.cells:
        if cell.source.startswith("guess = "):
            wrong, _, right = next(left)
            cell.source = f"guess = {wrong}"
        if cell.id.endswith(AGAIN):
            cell.source = f"guess = {right}\n{cell.source}"
    return made


def twice(notebook: Notebook, chosen: Callable[[Cell], bool] = is_code) -> Notebook:
    """Return a copy in which each `chosen` cell has one like it below."""
    made = copy.deepcopy(notebook)
    made.cells = []
    for cell in copy.deepcopy(notebook.cells):
        made.cells.append(cell)
        if chosen(cell):
            made.cells.append(copy.deepcopy(cell))
            made.cells[-1].id += AGAIN
    return made


def reveals(cell: Cell) -> bool:
    """Return whether a cell reveals an answer: its source, which tells it, is folded away."""
    hidden: bool = cell.metadata.get("jupyter", {}).get("source_hidden", False)
    return hidden
