"""A process table for one worker alone, whose first process takes next to nothing to make.

The kernel ends everything in a table with its first process. That one has nothing to do; as a copy
of the nursery it would take as long to make and to take down as the worker itself. So it shares the
nursery's memory and sleeps in the C library, without any Python, until it is ended.

Needs Linux 5.8, and CAP_SYS_ADMIN over the namespace that the caller lives in.
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
    """A table, until it is closed.

    There is one at a time, for all have one stack in common.
    """

    _stack = mmap.mmap(-1, STACK_BYTES)

    def __init__(self, seconds: int) -> None:
        """It ends by itself after so many `seconds`: somebody else might end its maker.

        Raises OSError when the kernel refuses.
        """
        stack = ctypes.addressof(ctypes.c_char.from_buffer(self._stack)) + STACK_BYTES
        asleep = ctypes.cast(KERNEL.sleep, ctypes.c_void_p)
        # A signal that a handler waits for would wake it.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
        arguments = ctypes.c_void_p(stack), FLAGS, ctypes.c_void_p(seconds)
        try:
            self._first = checked(KERNEL.clone(asleep, *arguments))
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        self._process: int | None = None

    def close(self) -> None:
        """End all that is in the table, and wait for it."""
        self.kill()
        # The kernel keeps the first until nobody waits for the others any more.
        if self._process is not None:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(self._process, 0)
        os.waitpid(self._first, 0)

    def kill(self) -> None:
        """End all that is in the table, also what belongs to another user by now."""
        os.kill(self._first, signal.SIGKILL)

    def fork(self) -> int:
        """Go on as two processes, like `os.fork`; the new one, of which there is one, is here.

        It has mounts and shared memory of its own, too. Raises OSError when the kernel refuses.
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
    """Whether this process can make such tables, and fork into them; tried out."""
    try:
        with contextlib.closing(ProcessTable(1)) as table:
            if table.fork() == 0:
                os._exit(0)
    except (OSError, AttributeError):
        return False
    return True


def _children_go_to(process: int) -> None:
    """From now on have this process's children begin their lives in the table of `process`."""
    table = os.pidfd_open(process)
    try:
        checked(KERNEL.setns(table, CLONE_NEWPID))
    finally:
        os.close(table)
