"""Landlock: the kernel's own restriction of which files a process may open, through ctypes.

See the kernel's documentation, userspace-api/landlock. No system package is needed; the kernel must
be 5.13 or newer with Landlock switched on.
"""

from __future__ import annotations

import ctypes
import functools
import os
from collections.abc import Iterable

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
VERSION_FLAG = 1
RULE_PATH_BENEATH = 1

WRITE_FILE, READ_FILE, READ_DIR = 1 << 1, 1 << 2, 1 << 3
TRUNCATE = 1 << 14
# All rights of version 1: execute, write, read, list, and make or remove each kind of entry.
FILE_RIGHTS = (1 << 13) - 1
RIGHTS_SINCE = {2: 1 << 13, 3: TRUNCATE, 5: 1 << 15}  # refer, truncate, ioctl on devices
NETWORK_SINCE, NETWORK_RIGHTS = 4, 0b11  # bind and connect
SCOPE_SINCE, SCOPES = 6, 0b11  # abstract sockets, signals
# Never granted: to execute, and to make devices, sockets and pipes.
SPECIAL_RIGHTS = 1 << 0 | 1 << 6 | 1 << 9 | 1 << 10 | 1 << 11


LIBC = ctypes.CDLL(None, use_errno=True)


class _RulesetAttributes(ctypes.Structure):
    _fields_ = (
        ("handled_files", ctypes.c_uint64),
        ("handled_network", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def _call(number: int, *arguments: object) -> int:
    result = LIBC.syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return int(result)


@functools.cache
def version() -> int:
    """The version of Landlock's interface that the running kernel offers; 0 when there is none."""
    try:
        return _call(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(VERSION_FLAG))
    except (OSError, AttributeError):
        return 0


def restrict(readable: Iterable[str], writable: Iterable[str]) -> None:
    """Irrevocably allow this thread to open only what lies below these paths.

    Nothing below them can be executed. As far as the kernel's version supports it, network,
    abstract sockets and signals to the outside are closed, too. Paths that do not exist are
    ignored. The caller has set no_new_privs. Raises OSError when the kernel refuses.
    """
    offered = version()
    rights = FILE_RIGHTS
    for since, right in RIGHTS_SINCE.items():
        rights |= right if offered >= since else 0
    attributes = _RulesetAttributes(
        rights,
        NETWORK_RIGHTS if offered >= NETWORK_SINCE else 0,
        SCOPES if offered >= SCOPE_SINCE else 0,
    )
    # Older kernels accept a longer structure only if the fields that they do not know are zero.
    ruleset = _call(
        CREATE_RULESET,
        ctypes.byref(attributes),
        ctypes.c_size_t(ctypes.sizeof(attributes)),
        ctypes.c_uint32(0),
    )
    try:
        for path in readable:
            _allow(ruleset, path, READ_FILE | READ_DIR)
        for path in writable:
            _allow(ruleset, path, rights & ~SPECIAL_RIGHTS)
        _call(RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not os.path.isdir(path):
            rights &= READ_FILE | WRITE_FILE | (TRUNCATE if version() >= 3 else 0)
        rule = _PathBeneath(rights, opened)
        _call(
            ADD_RULE,
            ctypes.c_int(ruleset),
            ctypes.c_int(RULE_PATH_BENEATH),
            ctypes.byref(rule),
            ctypes.c_uint32(0),
        )
    finally:
        os.close(opened)
