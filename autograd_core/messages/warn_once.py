"""Warnings that PyTorch gives once in a process, wherever they come from."""

from __future__ import annotations

import warnings

_given: set[str] = set()


def warn_once(message: str, stacklevel: int = 4) -> None:
    """Give a UserWarning, unless it was given before."""
    if message not in _given:
        _given.add(message)
        warnings.warn(message, stacklevel=stacklevel)
