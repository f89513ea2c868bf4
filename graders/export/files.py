"""Files that are there as a whole, or not at all."""

from __future__ import annotations

from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Put `text` at `path` as UTF-8 such that a reader, or a killed run, never meets half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_name(f".{path.name}.writing")
    try:
        scratch.write_bytes(text.encode("utf-8", "backslashreplace"))
        scratch.replace(path)
    except OSError as error:
        # A disk that is full does not say which file was too much for it.
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        scratch.unlink(missing_ok=True)
