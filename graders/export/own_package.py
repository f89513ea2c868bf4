"""This package itself, as it is packed for other machines: files, version and requirements.

It may be installed or a copy of its repository.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires
from importlib.metadata import version as installed_version
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

NAME = "autograd-lessons"
PACKAGES = ("autograd_core", "graders", "lessons")
COMPILED = re.compile(r"\.(so|pyd|dylib|dll|py[co])$|__pycache__/")
"""Files that were made for this machine or this version of Python; others do without them."""


class PackageError(Exception):
    """Nothing describes this package; the message says why and what to do."""


def contents() -> Iterator[tuple[str, bytes]]:
    """Every file of our packages, with its path: the same wherever they are packed."""
    for package in PACKAGES:
        yield from _contents(files(package), package)


def version() -> str:
    """The version of this package. Raises PackageError."""
    try:
        return installed_version(NAME)
    except PackageNotFoundError:
        return str(_described("version"))


def requirements() -> list[str]:
    """What this package depends on, without extras. Raises PackageError."""
    try:
        wanted = requires(NAME) or []
    except PackageNotFoundError:
        wanted = list(_described("dependencies"))
    return sorted(each for each in wanted if "extra ==" not in each)


def _described(entry: str) -> Any:
    """The `entry` for the project in a repository's `pyproject.toml`."""
    description = Path(str(files("graders"))).parent / "pyproject.toml"
    try:
        return tomllib.loads(description.read_text("utf-8"))["project"][entry]
    except (OSError, KeyError, ValueError) as error:
        raise PackageError(
            f"It is not known what {entry} autograd-lessons has: it is neither installed nor a copy"
            " of its repository. Install it with pip, then run this command again."
        ) from error


def _contents(folder: Traversable, name: str) -> Iterator[tuple[str, bytes]]:
    for place in sorted(folder.iterdir(), key=lambda each: each.name):
        path = f"{name}/{place.name}"
        if place.is_dir():
            yield from _contents(place, path)
        elif not COMPILED.search(path):
            yield path, place.read_bytes()
