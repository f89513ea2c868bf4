"""Writes files atomically: as a whole, or not at all."""

from __future__ import annotations

from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Write `text` to `path` as UTF-8; neither a reader nor a killed run leaves half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_name(f".{path.name}.writing")
    try:
        scratch.write_bytes(text.encode("utf-8", "backslashreplace"))
        scratch.replace(path)
    except OSError as error:
        # The error of a full disk does not name the file.
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        scratch.unlink(missing_ok=True)
