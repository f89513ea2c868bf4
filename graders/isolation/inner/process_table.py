"""A process table (PID namespace) for one worker, whose first process costs almost nothing.

When the first process of a table ends, the kernel ends all others in it. The first process has
nothing else to do, but forking it from the nursery would take as long as forking the worker. So it
shares the nursery's memory and sleeps inside the C library, without running Python, until it is
killed.

Needs Linux 5.8, and CAP_SYS_ADMIN over the caller's user namespace.
"""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os
import signal

from graders.isolation.inner.namespaces import (
    CLONE_NEWIPC,
    CLONE_NEWNS,
    CLONE_NEWPID,
    KERNEL,
    checked,
    fork,
)

CLONE_VM, CLONE_FILES = 0x100, 0x400
FLAGS = ctypes.c_int(CLONE_VM | CLONE_FILES | CLONE_NEWPID | signal.SIGCHLD)
STACK_BYTES = 64 * 1024


class ProcessTable:
    """A table that exists until it is closed.

    Only one may exist at a time, because the first processes of all tables use the same stack.
    """

    _stack = mmap.mmap(-1, STACK_BYTES)

    def __init__(self, seconds: int) -> None:
        """Make a table that ends by itself after `seconds`, in case its maker is killed before.

        Raises OSError when the kernel refuses.
        """
        stack = ctypes.addressof(ctypes.c_char.from_buffer(self._stack)) + STACK_BYTES
        asleep = ctypes.cast(KERNEL.sleep, ctypes.c_void_p)
        # The new process inherits this mask: SIGCHLD, which has a handler, would end its sleep.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
        arguments = ctypes.c_void_p(stack), FLAGS, ctypes.c_void_p(seconds)
        try:
            self._first = checked(KERNEL.clone(asleep, *arguments))
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        self._process: int | None = None

    def close(self) -> None:
        """End all processes of the table, and wait for them."""
        self.kill()
        # The first process can be waited for only after all others of its table.
        if self._process is not None:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(self._process, 0)
        os.waitpid(self._first, 0)

    def kill(self) -> None:
        """End all processes of the table, also those that have become another user's."""
        os.kill(self._first, signal.SIGKILL)

    def fork(self) -> int:
        """Fork like `os.fork`, once; the child is in this table.

        It also has its own mounts and shared memory. Raises OSError when the kernel refuses.
        """
        _children_go_to(self._first)
        try:
            process = fork(CLONE_NEWNS | CLONE_NEWIPC)
        except OSError:
            _children_go_to(os.getpid())
            raise
        if process != 0:
            self._process = process
            _children_go_to(os.getpid())
        return process


def works() -> bool:
    """Whether this process can make tables and fork into them; tried out."""
    try:
        with contextlib.closing(ProcessTable(1)) as table:
            if table.fork() == 0:
                os._exit(0)
    except (OSError, AttributeError):
        return False
    return True


def _children_go_to(process: int) -> None:
    """From now on this process's children are born in the table of `process`."""
    table = os.pidfd_open(process)
    try:
        checked(KERNEL.setns(table, CLONE_NEWPID))
    finally:
        os.close(table)
