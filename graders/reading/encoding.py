"""Bytes into text, in whatever encoding an editor has left them."""

from __future__ import annotations

import codecs
import io
import json
import tokenize

from graders.reading import Unreadable

MARKED = (
    (codecs.BOM_UTF32_LE, "utf-32"),  # which begins as UTF-16 does
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
OF_NAMES = frozenset({"idna", "punycode"})
"""Encodings of the names of computers: Python takes long to read a whole file as one of them."""

OLD = "cp1252"  # what matters to Python is the same in all of its kin


def as_utf8(raw: bytes) -> bytes:
    """`raw` in an encoding that spells ASCII as ASCII does: UTF-16 and UTF-32 become UTF-8.

    Raises Unreadable when there is nothing in it.
    """
    wide = _wide(raw)
    if wide:
        raw = raw.decode(wide, "replace").encode("utf-8", "replace")
    raw = raw.removeprefix(codecs.BOM_UTF8)
    if not raw or raw.isspace() or not raw.strip(b"\0 \t\r\n"):
        raise Unreadable("It is empty.")
    return raw


def text_of(raw: bytes) -> str:
    """`raw`, which `as_utf8` has seen to, as text. No byte makes it fail."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode(OLD, "replace")


def script_text(raw: bytes) -> str:
    """`raw`, which `as_utf8` has seen to, as Python would read it, with one kind of line end."""
    try:
        named, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
        known = codecs.lookup(named).name not in OF_NAMES
        text = raw.decode(named) if known else text_of(raw)
    except (SyntaxError, ValueError, LookupError):
        text = text_of(raw)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _wide(raw: bytes) -> str:
    """The name of the encoding that takes two or four bytes for a letter; empty for the others."""
    for mark, name in MARKED:
        if raw.startswith(mark):
            return name
    # Without a mark the zeros tell: neither notebooks nor scripts have any of their own.
    guess = json.detect_encoding(raw[:4])
    return guess if guess.startswith(("utf-16", "utf-32")) and b"\0" in raw[:4] else ""
