"""Decodes bytes into text, in any encoding that an editor may have used."""

from __future__ import annotations

import codecs
import io
import json
import tokenize

from graders.reading import Unreadable

MARKED = (
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
OF_NAMES = frozenset({"idna", "punycode"})
"""Encodings of domain names, with which Python takes very long to decode a whole file."""

OLD = "cp1252"  # Python's own syntax is the same in all encodings of this kind


def as_utf8(raw: bytes) -> bytes:
    """`raw` in an encoding that extends ASCII: UTF-16 and UTF-32 become UTF-8.

    Raises Unreadable when `raw` is empty.
    """
    wide = _wide(raw)
    if wide:
        raw = raw.decode(wide, "replace").encode("utf-8", "replace")
    raw = raw.removeprefix(codecs.BOM_UTF8)
    if not raw or raw.isspace() or not raw.strip(b"\0 \t\r\n"):
        raise Unreadable("It is empty.")
    return raw


def text_of(raw: bytes) -> str:
    """`raw`, as returned by `as_utf8`, decoded. Never fails, whatever the bytes are."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode(OLD, "replace")


def script_text(raw: bytes) -> str:
    """`raw`, as returned by `as_utf8`, decoded as Python would do it; lines end in newlines."""
    try:
        named, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
        known = codecs.lookup(named).name not in OF_NAMES
        text = raw.decode(named) if known else text_of(raw)
    except (SyntaxError, ValueError, LookupError):
        text = text_of(raw)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _wide(raw: bytes) -> str:
    """UTF-16 or UTF-32, by the name of the codec to use; empty for any other encoding."""
    for mark, name in MARKED:
        if raw.startswith(mark):
            return name
    # Without a mark, zero bytes show it: notebooks and scripts have no others.
    guess = json.detect_encoding(raw[:4])
    return guess if guess.startswith(("utf-16", "utf-32")) and b"\0" in raw[:4] else ""
