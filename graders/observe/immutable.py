"""Immutable classes: makes classes written in Python so, and changes one that is so already."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from typing import Any

FLAGS_AT = 168
"""The offset of a class's flags in 64-bit CPython; it is verified before it is used."""

IMMUTABLE = 1 << 8


def freeze(classes: Iterable[type]) -> None:
    """Make `classes` immutable, like classes written in C.

    Otherwise code could replace a method for a moment and put it back, and nobody would notice.
    """
    for each in classes:
        flags = _flags_of(each)
        if flags is not None:
            flags.value |= IMMUTABLE


def set_members(kind: type, **members: Any) -> None:
    """Set `members` of `kind`, an immutable class; do nothing where its flags are not found."""
    flags = _flags_of(kind)
    if flags is None:
        return
    before = flags.value
    flags.value &= ~IMMUTABLE
    for name, member in members.items():
        setattr(kind, name, member)
    flags.value = before


def _flags_of(kind: type) -> ctypes.c_ulong | None:
    """The flags of `kind` in memory; None where their place is not known."""
    flags = ctypes.c_ulong.from_address(id(kind) + FLAGS_AT)
    known = ctypes.sizeof(ctypes.c_void_p) == 8 and flags.value == kind.__flags__
    return flags if known else None
