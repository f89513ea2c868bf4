"""Puts a built site into its folder: replaces the files of an earlier build, and no others."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path, PurePosixPath

from graders.site import SiteError

MARK = ".autograd-lessons-site.json"
"""The file that lists all files of the build with their SHA-256."""

NAMED = 5
"""How many files a message names."""


def check_folder(folder: Path) -> dict[str, str]:
    """The files that an earlier build has put in `folder`: SHA-256 by path.

    Raises SiteError unless `folder` is new, is empty, or holds a site unchanged since it was built.
    """
    if not folder.exists() or not any(folder.iterdir()):
        return {}
    own = _listed(folder / MARK)
    if own is None:
        raise SiteError(
            f"{folder} is not empty, and what is in it was not put there by this command."
            " Nothing was changed. Choose a new folder with --out."
        )
    changed = [name for name, digest in own.items() if _digest(folder / name) not in (digest, None)]
    if changed:
        raise SiteError(
            f"Since the site in {folder} was built, {_some(changed)} {_was(changed)} changed."
            " Nothing was overwritten. Keep what you need of it elsewhere, remove it here, and run"
            " this command again."
        )
    return own


def put_in_place(built: Path, folder: Path) -> int:
    """Move the site in `built` to `folder`, replacing an earlier one; return its size in bytes.

    Both folders have to be on one file system. Files that do not belong to the site stay. Raises
    SiteError before anything is changed when one of them is in the way.
    """
    own = check_folder(folder)
    names = sorted(
        path.relative_to(built).as_posix() for path in built.rglob("*") if path.is_file()
    )
    found = (_in_the_way(folder, name) for name in names if name not in own)
    in_the_way = [name for name in dict.fromkeys(found) if name and name not in own]
    if in_the_way:
        raise SiteError(
            f"{_some(in_the_way)} in {folder} {_was(in_the_way)} not put there by this command,"
            " but the site has something of that name. Nothing was changed."
        )
    folder.mkdir(parents=True, exist_ok=True)
    for name in own:
        (folder / name).unlink(missing_ok=True)
    listing = {name: _digest(built / name) for name in names}
    text = json.dumps({"files": listing}, indent=1) + "\n"
    (folder / MARK).write_text(text, encoding="utf-8")
    size = 0
    for name in names:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        size += (built / name).stat().st_size
        (built / name).replace(target)
    _remove_empty_folders(folder, own)
    return size


def _listed(mark: Path) -> dict[str, str] | None:
    try:
        files = json.loads(mark.read_text(encoding="utf-8"))["files"]
        inside = all(
            ".." not in (path := PurePosixPath(name)).parts and not path.is_absolute()
            for name in files
        )
        return dict(files) if inside else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _in_the_way(folder: Path, name: str) -> str:
    """The path that prevents writing `name` in `folder`: the same, or a file in place of a folder.

    Empty when there is none.
    """
    path = PurePosixPath(name)
    if (folder / path).exists():
        return name
    return next((str(each) for each in path.parents if (folder / each).is_file()), "")


def _digest(path: Path) -> str | None:
    try:
        return sha256(path.read_bytes()).hexdigest()
    except FileNotFoundError:
        return None


def _remove_empty_folders(folder: Path, names: dict[str, str]) -> None:
    parents = {parent for name in names for parent in (folder / name).parents}
    for parent in sorted(parents, key=lambda each: -len(each.parts)):
        inside = parent != folder and parent.is_relative_to(folder) and parent.is_dir()
        if inside and not any(parent.iterdir()):
            parent.rmdir()


def _some(names: list[str]) -> str:
    rest = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {rest} more" if rest > 0 else "")


def _was(names: list[str]) -> str:
    return "was" if len(names) == 1 else "were"
