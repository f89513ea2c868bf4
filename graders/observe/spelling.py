"""Texts as they may be shown: what a terminal or a page would obey is spelled out."""

from __future__ import annotations

import re

OBEYED = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
)
"""What is obeyed instead of being shown; ends of lines and tabs may stay."""


def spelled(text: str) -> str:
    """`text` with what would be obeyed spelled out, as `\\x1b` is."""
    if text.isascii() and text.isprintable():
        return text
    return OBEYED.sub(lambda found: ascii(found[0])[1:-1], text)
