"""Where the lessons' notebooks are, in a checkout as in an installation."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path


@contextmanager
def lessons_folder() -> Iterator[Path]:
    """Give the folder that holds the notebooks of all lessons."""
    with as_file(files("lessons")) as folder:
        yield folder
