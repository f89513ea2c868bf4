"""Where the lessons' notebooks are, in a checkout as in an installation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any


@contextmanager
def lessons_folder() -> Iterator[Path]:
    """Give the folder that holds the notebooks of all lessons."""
    with as_file(files("lessons")) as folder:
        yield folder


def code_cells(lesson: str) -> list[dict[str, Any]]:
    """Return the code cells of a lesson (`07_custom_functions`); none where it is not installed."""
    with lessons_folder() as folder:
        path = folder / f"{lesson}.ipynb"
        if not path.is_file():
            return []
        notebook = json.loads(path.read_text(encoding="utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
