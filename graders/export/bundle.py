"""Makes an autograder for Gradescope: one archive to upload, which contains all our packages."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from graders.autograder import SETTINGS, Assignment

PACKAGES = ("autograd_core", "graders", "lessons")
SCRIPTS = {"setup.sh": "setup.sh", "run_autograder": "run_autograder.sh"}
EXECUTABLE, READABLE = 0o100755, 0o100644
OLDEST = (1980, 1, 1, 0, 0, 0)
"""A date for every file, so that the same contents make the same archive."""


class BundleError(Exception):
    """The archive cannot be made; the message says why and what to do."""


def bundle(assignment: Assignment) -> bytes:
    """The archive that grades `assignment` on Gradescope. BundleError when parts are missing."""
    raw = io.BytesIO()
    with ZipFile(raw, "w", ZIP_DEFLATED) as archive:
        for name, kept_as in SCRIPTS.items():
            script = files("graders.export") / "gradescope_image" / kept_as
            _add(archive, name, script.read_bytes(), EXECUTABLE)
        _add(archive, SETTINGS, assignment.to_json().encode())
        _add(archive, "requirements.txt", "".join(f"{r}\n" for r in requirements()).encode())
        for package in PACKAGES:
            for name, content in _contents(files(package), package):
                _add(archive, f"packages/{name}", content)
    return raw.getvalue()


def requirements() -> list[str]:
    """The requirements to install for grading: this package's dependencies, without extras."""
    try:
        wanted = requires("autograd-lessons") or []
    except PackageNotFoundError:
        wanted = _from_source()
    return sorted(each for each in wanted if "extra ==" not in each)


def _from_source() -> list[str]:
    import tomllib

    described = Path(str(files("graders"))).parent / "pyproject.toml"
    try:
        return list(tomllib.loads(described.read_text("utf-8"))["project"]["dependencies"])
    except (OSError, KeyError, ValueError) as error:
        raise BundleError(
            "The dependencies of autograd-lessons are unknown: it is neither installed nor a copy"
            " of its repository. Install it with pip, then run this command again."
        ) from error


def _contents(folder: Traversable, name: str) -> Iterator[tuple[str, bytes]]:
    for place in sorted(folder.iterdir(), key=lambda each: each.name):
        if place.name == "__pycache__" or re.search(r"\.py[co]$", place.name):
            continue
        if place.is_dir():
            yield from _contents(place, f"{name}/{place.name}")
        else:
            yield f"{name}/{place.name}", place.read_bytes()


def _add(archive: ZipFile, name: str, content: bytes, mode: int = READABLE) -> None:
    entry = ZipInfo(name, OLDEST)
    entry.external_attr = mode << 16
    entry.compress_type = ZIP_DEFLATED
    archive.writestr(entry, content)
