"""Escapes characters that a terminal or a page would obey instead of showing them."""

from __future__ import annotations

import re

OBEYED = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
)
"""Control characters and marks of writing direction; line ends and tabs may stay."""


def spelled(text: str) -> str:
    """`text` with these characters escaped, such as `\\x1b`."""
    if text.isascii() and text.isprintable():
        return text
    return OBEYED.sub(lambda found: ascii(found[0])[1:-1], text)
