"""The versions of dicts: CPython numbers their changes, so one number shows if a dict has changed.

Comparing the contents of some hundred dicts takes long, and in a forked process it copies a page of
memory for each object that is touched. The version is one number for each dict.
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
"""The offset of a dict's version in 64-bit CPython up to 3.13; it is verified before it is used."""

CONTENT_AT = 16
"""The offset of a cell's content, after the header that every object has."""

NUMBER_BYTES = 8


def versions_of(mappings: Iterable[Mapping[str, Any]]) -> list[ctypes.c_uint64] | None:
    """The version of each of `mappings`, dicts or views of them: its `value` is always the current.

    None where dicts have no versions. The dicts must outlive what is returned, which is memory of
    theirs.
    """
    if not _dicts_have_versions():
        return None
    return [ctypes.c_uint64.from_address(id(_dict_behind(each)) + VERSION_AT) for each in mappings]


def contents_of(cells: Iterable[CellType]) -> list[ctypes.c_uint64]:
    """The address of what each of the closure `cells` holds: its `value` is always the current.

    Call this only where dicts have versions. The cells must outlive what is returned.
    """
    return [ctypes.c_uint64.from_address(id(each) + CONTENT_AT) for each in cells]


def read_at_once(numbers: Sequence[ctypes.c_uint64]) -> Callable[[], bytes]:
    """A function that returns all of `numbers` as they are then, eight bytes each, in no time.

    The numbers must come from `versions_of` or `contents_of`.
    """
    if not numbers:
        return bytes
    addresses = [ctypes.addressof(each) for each in numbers]
    first, last = min(addresses), max(addresses)
    # One array covers all memory from the first number to the last; only the numbers are read.
    whole = ctypes.c_uint64 * ((last - first) // NUMBER_BYTES + 1)
    between: Any = whole.from_address(first)
    take = np.frombuffer(between, dtype=np.uint64).take
    places = np.array([(each - first) // NUMBER_BYTES for each in addresses])
    return lambda: take(places).tobytes()


def noticing_changes(mappings: Iterable[Mapping[str, Any]]) -> Callable[[], bytes] | None:
    """A function whose result differs after each change of one of `mappings`, and only then.

    It uses their versions or, where dicts have none, a watcher; None where neither works.
    """
    dicts = [_dict_behind(each) for each in mappings]
    versions = versions_of(dicts)
    if versions is not None:
        return read_at_once(versions)
    watcher = DictWatcher.in_this_process()
    return None if watcher is None else watcher.watching(dicts)


def _dict_behind(mapping: Mapping[str, Any]) -> Any:
    # The dict of a class is only shown as a view, and this dict is all that the view refers to.
    return gc.get_referents(mapping)[0] if type(mapping) is MappingProxyType else mapping


def _dicts_have_versions() -> bool:
    """Whether the number at VERSION_AT changes with each change of a dict, and only then."""
    if ctypes.sizeof(ctypes.c_void_p) != 8 or dict.__basicsize__ < VERSION_AT + 8:
        return False
    probe: dict[str, int] = {}
    version = ctypes.c_uint64.from_address(id(probe) + VERSION_AT)
    return is_another_after_each_change(lambda: version.value, probe)
