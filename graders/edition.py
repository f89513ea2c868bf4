"""The edition of the exercise set: a name that changes whenever a verdict could."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

ABOUT_VERDICTS = frozenset(
    {
        "__main__.py",
        "batch.py",
        "cli.py",
        "edition.py",
        "export.py",
        "filenames.py",
        "gradebook.py",
        "grading_run.py",
        "installed_lessons.py",
        "lab.py",
        "progress.py",
        "progress_card.py",
        "report",
        "selftest.py",
        "selftest_table.py",
        "working_folder.py",
    }
)
"""What in `graders` writes about verdicts; whatever is new counts as having a say in them."""


@functools.cache
def edition() -> str:
    """Twelve hexadecimal digits made of every source file that has a say in a verdict.

    The engine is among them: what it computes is what the reference answers.
    """
    deciding = [place for place in files("graders").iterdir() if place.name not in ABOUT_VERDICTS]
    return digest_of([files("autograd_core"), *deciding])


def digest_of(places: Iterable[Traversable]) -> str:
    """Twelve hexadecimal digits made of the names and contents of all Python files in `places`."""
    digest = sha256()
    found = [source for place in places for source in _sources(place, place.name)]
    for name, content in sorted(found):
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:12]


def _sources(place: Traversable, name: str) -> Iterator[tuple[str, bytes]]:
    if place.is_dir():
        for child in place.iterdir():
            yield from _sources(child, f"{name}/{child.name}")
    elif name.endswith(".py"):
        yield name, place.read_bytes()
