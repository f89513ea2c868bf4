"""Gives each worker its own namespaces (process table, shared memory, mounts) and scratch folder.

Calls the kernel through ctypes. The caller needs CAP_SYS_ADMIN over its own user namespace. Root
has it, and so has everybody inside bubblewrap, where it gives no power over anything outside. Other
users need a new user namespace as well (`own_users`), if the machine lets them have one.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable

CLONE = {"x86_64": 56, "aarch64": 220}
CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWPID = 0x00020000, 0x08000000, 0x20000000
CLONE_NEWUSER = 0x10000000
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REC, MS_PRIVATE = 1 << 1, 1 << 2, 1 << 3, 1 << 14, 1 << 18

MOST_ENTRIES = 2_000
"""How many files a scratch folder holds: each takes kernel memory that the size limit ignores."""

KERNEL = ctypes.PyDLL(None, use_errno=True)
CALL_TO_CLONE = ctypes.c_long(CLONE.get(os.uname().machine, -1))


def supported() -> bool:
    """Whether `fork` works on this system and kind of processor."""
    return sys.platform.startswith("linux") and os.uname().machine in CLONE


def fork(flags: int = 0) -> int:
    """Fork like `os.fork`; the child gets the new namespaces of `flags`.

    The caller must have a single thread. Then Python needs no repair in the child, which `os.fork`
    does and which would touch some hundred shared pages. Raises OSError when the kernel refuses.
    """
    flags |= signal.SIGCHLD
    return checked(KERNEL.syscall(CALL_TO_CLONE, ctypes.c_ulong(flags), None, None, None, None))


def checked(result: int, what: str = "") -> int:
    """`result`, as returned by a call of `KERNEL`. Raises OSError if the call failed."""
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}{os.strerror(code)}")
    return result


def fork_init(run: Callable[[], int], own_users: bool = False) -> int:
    """Start a process that is the first in a new process table; it exits with `run()`'s status.

    The processes that it starts end with it. With `own_users` it also has a new user namespace,
    which contains only its own user. Returns its id. Raises OSError when the kernel refuses.
    """
    user, group = os.geteuid(), os.getegid()
    flags = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC | (CLONE_NEWUSER if own_users else 0)
    process = fork(flags)
    if process == 0:
        status = 1
        try:
            if own_users:
                _stay(user, group)
            status = run()
        finally:
            os._exit(status)
    return process


def works(folder: str, own_users: bool) -> bool:
    """Whether a worker can have its own namespaces and scratch `folder` here; tried out."""

    def mount() -> int:
        try:
            mount_scratch(folder, 4096)
        except OSError:
            return 1
        return 0

    if not supported():
        return False
    try:
        _, status = os.waitpid(fork_init(mount, own_users), 0)
    except OSError:
        return False
    return status == 0


def _stay(user: int, group: int) -> None:
    """Keep the same user in the new user namespace; without a user, files cannot be created."""
    for name, content in (
        ("uid_map", f"{user} {user} 1"),
        ("setgroups", "deny"),
        ("gid_map", f"{group} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as stream:
            stream.write(content)


def mount_scratch(folder: str, size: int) -> None:
    """Mount an empty file system in memory, of at most `size` bytes, over `folder`.

    It holds at most MOST_ENTRIES files and folders; none can be executed. Raises OSError when the
    kernel refuses.
    """
    _mount(None, "/", None, MS_REC | MS_PRIVATE, None)
    kept_small = f"size={size},nr_inodes={MOST_ENTRIES},mode=1777"
    _mount("tmpfs", folder, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, kept_small)


def _mount(source: str | None, target: str, kind: str | None, flags: int, data: str | None) -> None:
    texts = [text.encode() if text is not None else None for text in (source, target, kind, data)]
    result = KERNEL.mount(texts[0], texts[1], texts[2], ctypes.c_ulong(flags), texts[3])
    checked(result, f"mount {target}: ")


if __name__ == "__main__":
    # A program for callers that have threads and so must not fork. Arguments: folder ["users"].
    sys.exit(not works(sys.argv[1], "users" in sys.argv[2:]))
