"""Notices changes of dicts from CPython 3.14 on, where dicts have no versions but watchers.

A watcher written in Python could be made to fail unnoticed: code that changes the dict at the end
of its stack leaves the watcher none. So the watcher is the C library's function `random`. It never
fails, it ignores its arguments, and each call changes the state in memory that it was given.
"""

from __future__ import annotations

import ctypes
import functools
import sys
from collections.abc import Callable, Iterable
from typing import Any

STATE_BYTES = 8
"""The smallest state for `random`, which repeats only after all numbers of 31 bits."""


class DictWatcher:
    """The dict watcher of this process: one for all dicts, because CPython allows only a few."""

    def __init__(self) -> None:
        """AttributeError or OSError where CPython or the C library has no such functions."""
        library, python = ctypes.CDLL(None), ctypes.pythonapi
        self._number = ctypes.c_uint64()
        library.initstate.argtypes = [ctypes.c_uint, ctypes.c_void_p, ctypes.c_size_t]
        library.initstate(1, ctypes.addressof(self._number), STATE_BYTES)
        python.PyDict_AddWatcher.argtypes = [ctypes.c_void_p]
        self._id = python.PyDict_AddWatcher(ctypes.cast(library.random, ctypes.c_void_p))
        python.PyDict_Watch.argtypes = [ctypes.c_int, ctypes.py_object]
        self._watch: Any = python.PyDict_Watch

    @classmethod
    @functools.cache
    def in_this_process(cls) -> DictWatcher | None:
        """Return the watcher; None where dicts cannot be watched, or some change goes unnoticed."""
        if sys.platform == "emscripten":
            return None
        try:
            watcher = cls()
        except (AttributeError, OSError):
            return None
        probe: dict[str, int] = {}
        return watcher if is_another_after_each_change(watcher.watching([probe]), probe) else None

    def watching(self, dicts: Iterable[dict[str, Any]]) -> Callable[[], bytes]:
        """A function whose result differs after each change of a watched dict.

        These are `dicts` and all that have been watched before.
        """
        for each in dicts:
            self._watch(self._id, each)
        return lambda: bytes(self._number)


def is_another_after_each_change(number: Callable[[], Any], probe: dict[str, int]) -> bool:
    """Whether `number()` differs after each change of an empty `probe`, and only then."""
    seen = [number()]
    changes = (
        lambda: probe.update(kept=1),
        lambda: probe.update(kept=2),
        lambda: probe.update(added=1),
        lambda: probe.pop("added"),
        lambda: probe.setdefault("added", 2),
        probe.clear,
    )
    for change in changes:
        change()
        seen.append(number())
        if number() != seen[-1] or probe.get("kept") == seen[-1]:
            return False
    return len(set(seen)) == len(seen)
