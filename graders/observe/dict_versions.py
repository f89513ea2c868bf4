"""The versions of dicts: CPython counts changes, and one number tells whether a dict has changed.

To look at all that is in some hundred dicts takes long, and in a forked process it takes a page of
memory for everything that is looked at. Their versions are one number each.
"""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import CellType, MappingProxyType
from typing import Any

import numpy as np

from graders.observe.dict_watcher import DictWatcher, is_another_after_each_change

VERSION_AT = 24
"""Where a dict has its version in 64-bit CPython up to 3.13; that it is so is seen before use."""

CONTENT_AT = 16
"""Where a cell has its content, behind what every object begins with."""

NUMBER_BYTES = 8


def versions_of(mappings: Iterable[Mapping[str, Any]]) -> list[ctypes.c_uint64] | None:
    """For each of `mappings`, dicts or views of them, where its version stands: see its `value`.

    None where dicts have no versions. The dicts are to outlive what is returned.
    """
    if not _dicts_have_versions():
        return None
    return [ctypes.c_uint64.from_address(id(_dict_behind(each)) + VERSION_AT) for each in mappings]


def contents_of(cells: Iterable[CellType]) -> list[ctypes.c_uint64]:
    """For each of `cells`, of closures, where the address of its content stands: see its `value`.

    Asked for where dicts have versions. The cells are to outlive what is returned.
    """
    return [ctypes.c_uint64.from_address(id(each) + CONTENT_AT) for each in cells]


def read_at_once(numbers: Sequence[ctypes.c_uint64]) -> Callable[[], bytes]:
    """A question: all of `numbers` as they now are, eight bytes each; some hundred in no time.

    They are to stand where `versions_of` and `contents_of` find them.
    """
    if not numbers:
        return bytes
    addresses = [ctypes.addressof(each) for each in numbers]
    first, last = min(addresses), max(addresses)
    # All the memory between them is described, and none is touched but what is asked for.
    whole = ctypes.c_uint64 * ((last - first) // NUMBER_BYTES + 1)
    between: Any = whole.from_address(first)
    take = np.frombuffer(between, dtype=np.uint64).take
    places = np.array([(each - first) // NUMBER_BYTES for each in addresses])
    return lambda: take(places).tobytes()


def noticing_changes(mappings: Iterable[Mapping[str, Any]]) -> Callable[[], bytes] | None:
    """A question whose answer is another after each change of one of these, and after nothing else.

    By their versions, or by a watcher where they have none; None where they cannot be watched.
    """
    dicts = [_dict_behind(each) for each in mappings]
    versions = versions_of(dicts)
    if versions is not None:
        return read_at_once(versions)
    watcher = DictWatcher.in_this_process()
    return None if watcher is None else watcher.watching(dicts)


def _dict_behind(mapping: Mapping[str, Any]) -> Any:
    # What a class has for a dict is shown by a view, which refers to nothing else.
    return gc.get_referents(mapping)[0] if type(mapping) is MappingProxyType else mapping


def _dicts_have_versions() -> bool:
    """Whether a number stands there that each change, and nothing but a change, makes another."""
    if ctypes.sizeof(ctypes.c_void_p) != 8 or dict.__basicsize__ < VERSION_AT + 8:
        return False
    probe: dict[str, int] = {}
    version = ctypes.c_uint64.from_address(id(probe) + VERSION_AT)
    return is_another_after_each_change(lambda: version.value, probe)
