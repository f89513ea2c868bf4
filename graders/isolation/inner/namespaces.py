"""Namespaces of its own for each worker: a process table, shared memory, and a scratch folder.

Calls the kernel through ctypes. The caller has CAP_SYS_ADMIN over the namespace it lives in: root
has it, and so has everybody inside bubblewrap, from where nothing outside is reached by it. Whoever
has not gets a user namespace as well, where the machine lets ordinary users have one.
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
"""An entry takes the kernel's own memory, which no limit on size counts: empty folders are many."""

KERNEL = ctypes.PyDLL(None, use_errno=True)
CALL_TO_CLONE = ctypes.c_long(CLONE.get(os.uname().machine, -1))


def supported() -> bool:
    """Whether processes can be started so on this kind of processor."""
    return sys.platform.startswith("linux") and os.uname().machine in CLONE


def fork(flags: int = 0) -> int:
    """Go on as two processes, like `os.fork`; the new one has the namespaces of `flags`.

    The caller has one thread alone. So nothing of Python's has to be put in order in the copy,
    which would touch some hundred pages of memory. Raises OSError when the kernel refuses.
    """
    flags |= signal.SIGCHLD
    return checked(KERNEL.syscall(CALL_TO_CLONE, ctypes.c_ulong(flags), None, None, None, None))


def checked(result: int, what: str = "") -> int:
    """`result`, which a call of `KERNEL` has returned. Raises OSError where that was refused."""
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}{os.strerror(code)}")
    return result


def fork_init(run: Callable[[], int], own_users: bool = False) -> int:
    """Start a process that is the first of its own process table; it ends with `run()`'s status.

    Whatever it starts ends with it. With `own_users` it has a user namespace, too, in which there
    is nobody but its user. Returns its id. Raises OSError when the kernel refuses.
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
    """Whether a worker can have namespaces here, and `folder` for its own; tried out once."""

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
    """Be the same user in a new user namespace, so that files can be made."""
    for name, content in (
        ("uid_map", f"{user} {user} 1"),
        ("setgroups", "deny"),
        ("gid_map", f"{group} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as stream:
            stream.write(content)


def mount_scratch(folder: str, size: int) -> None:
    """Put an empty folder in memory, of at most `size` bytes, in the place of `folder`.

    It holds MOST_ENTRIES files and folders, of which nothing can be run. Raises OSError when the
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
    # For who has threads, and so better starts no copy of itself: folder, and "users" or nothing.
    sys.exit(not works(sys.argv[1], "users" in sys.argv[2:]))
