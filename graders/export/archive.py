"""Zip archives that are the same, to the byte, whenever their contents are."""

from __future__ import annotations

import io
from collections.abc import Collection, Mapping
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

OLDEST = (1980, 1, 1, 0, 0, 0)
"""The date of every file, for want of one that depends on nothing but the contents."""

EXECUTABLE, READABLE = 0o100755, 0o100644


def zipped(contents: Mapping[str, bytes], executable: Collection[str] = ()) -> bytes:
    """An archive of `contents` by their paths, in this order; the paths `executable` can be run."""
    raw = io.BytesIO()
    with ZipFile(raw, "w", ZIP_DEFLATED) as archive:
        for path, content in contents.items():
            entry = ZipInfo(path, OLDEST)
            entry.external_attr = (EXECUTABLE if path in executable else READABLE) << 16
            entry.compress_type = ZIP_DEFLATED
            archive.writestr(entry, content)
    return raw.getvalue()
