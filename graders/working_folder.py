"""The learner's working folder: copies of the lessons, which are never overwritten."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from graders.installed_lessons import lessons_folder


class LabError(Exception):
    """The lessons cannot be opened; the message says why and what to do."""


@dataclass(frozen=True)
class Copied:
    """What copying the lessons did; names are relative to the working folder."""

    added: tuple[str, ...]
    kept: tuple[str, ...]


def copy_lessons(folder: Path, source: Path | None = None) -> Copied:
    """Copy every lesson that `folder` does not have yet; a file that is there is never touched.

    `source` is the folder of the lessons, by default the installed package's. Python packages
    inside it are not copied: the lessons import them from where they are installed. `kept` names
    the files in `folder` that differ from the lesson's own. Raises LabError when `folder` cannot be
    written.
    """
    added, kept = [], []
    try:
        with lessons_folder() if source is None else nullcontext(source) as lessons:
            for name in sorted(_files_of_lessons(lessons)):
                target = folder / name
                if not os.path.lexists(target):
                    _place(lessons / name, target)
                    added.append(name.as_posix())
                elif _differs(lessons / name, target):
                    kept.append(name.as_posix())
            folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LabError(
            f"Cannot write to {folder}: {error.strerror or error}."
            " Choose another working folder with --dir."
        ) from error
    return Copied(tuple(added), tuple(kept))


def _files_of_lessons(lessons: Path) -> Iterator[Path]:
    for folder, subfolders, names in os.walk(lessons):
        subfolders[:] = [
            name
            for name in subfolders
            if name != "__pycache__"
            and not name.startswith(".")
            and not (Path(folder) / name / "__init__.py").exists()
        ]
        for name in names:
            if not name.endswith((".py", ".pyc")) and name != "py.typed":
                yield (Path(folder) / name).relative_to(lessons)


def _place(source: Path, target: Path) -> None:
    """Copy by way of a scratch file: half a copy would later pass for the learner's own file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    scratch = target.with_name(f".{target.name}.copying")
    try:
        scratch.write_bytes(_as_handed_out(source))
        scratch.replace(target)
    finally:
        scratch.unlink(missing_ok=True)


def _differs(source: Path, target: Path) -> bool:
    return not target.is_file() or _as_handed_out(source) != target.read_bytes()


def _as_handed_out(source: Path) -> bytes:
    """A file without the outputs of its cells, which would give away what learners predict."""
    content = source.read_bytes()
    if source.suffix != ".ipynb":
        return content
    notebook = json.loads(content)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
    return (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode()
