"""Nurseries, from the trusted side: each is started once, and forks one worker after another."""

from __future__ import annotations

import atexit
import contextlib
import errno
import os
import select
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterable
from typing import IO

from graders.isolation.backend import ENVIRONMENT, Isolation
from graders.isolation.inner.protocol import END, READY, START, STATUS
from graders.isolation.limits import Limits

DIAGNOSTIC_BYTES = 2000
END_SECONDS = 10.0
"""A nursery that takes longer than this to end a worker is killed."""


class WorkerFailed(Exception):  # noqa: N818  (told of a worker, not of the grader's code)
    """A worker ended before any student's code ran; the message is the system's."""


class Nursery:
    """One isolated process that makes workers, one at a time."""

    def __init__(self, isolation: Isolation, limits: Limits) -> None:
        """Start the process. Raises OSError when the program cannot be started."""
        self.isolation = isolation
        self.limits = limits
        self._control, theirs = socket.socketpair()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  (closed in close)
        self._ready = False
        self.busy = False
        try:
            self._process: subprocess.Popen[bytes] | Elsewhere = subprocess.Popen(
                isolation.command(limits, theirs.fileno()),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                env=ENVIRONMENT,
                cwd="/",
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        except BaseException:
            self._control.close()
            self._errors.close()
            raise
        finally:
            theirs.close()

    def start_worker(self, request: int, channel: int, errors: int) -> None:
        """Start a worker with these descriptors. Raises WorkerFailed if the nursery has failed."""
        self._wait_until_ready()
        try:
            socket.send_fds(self._control, [START], [request, channel, errors])
        except OSError:
            raise WorkerFailed(self._last_words()) from None
        self.busy = True

    def worker_status(self, seconds: float) -> int | None:
        """The exit status of the worker, as in a shell; None when it does not end in time."""
        if not self.busy:
            return None
        told = self._receive(STATUS.size, seconds)
        if told is None:
            return None
        self.busy = False
        return int(STATUS.unpack(told)[0])

    def end_worker(self) -> None:
        """End the worker and all processes that it started, and wait until they are gone."""
        if not self.busy:
            return
        with contextlib.suppress(OSError):
            self._control.sendall(END)
        try:
            if self.worker_status(END_SECONDS) is None:
                self.close()
        except WorkerFailed:
            self.close()

    @property
    def usable(self) -> bool:
        """Whether a worker can be started now."""
        return not self.busy and self._process.poll() is None

    def close(self) -> None:
        """End the nursery and everything in it."""
        if self._process.poll() is None:
            try:
                os.killpg(self._process.pid, signal.SIGKILL)
            except ProcessLookupError:
                self._process.kill()
        self._process.wait()
        self._control.close()
        self._errors.close()

    def hand_over(self) -> None:
        """Leave the nursery to a fork of this process, in which `take_over` is called.

        After that this process must call `close`, and nothing else.
        """
        self._control.close()
        self._errors.close()

    def take_over(self) -> None:
        """Make the nursery usable in a fork of the process that has started it.

        Raises OSError where a process can wait for its own children only (Linux < 5.3).
        """
        if isinstance(self._process, subprocess.Popen):
            self._process = Elsewhere(self._process)

    def _wait_until_ready(self) -> None:
        if self._ready:
            return
        if self._receive(len(READY), self.limits.start_seconds) is None:
            self.close()
            raise WorkerFailed("the nursery of workers did not get ready in time")
        self._ready = True

    def _receive(self, size: int, seconds: float) -> bytes | None:
        self._control.settimeout(seconds)
        try:
            told = self._control.recv(size, socket.MSG_WAITALL)
        except (TimeoutError, BlockingIOError):
            return None
        except OSError:
            told = b""
        if len(told) < size:
            raise WorkerFailed(self._last_words())
        return told

    def _last_words(self) -> str:
        if self._process.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(END_SECONDS)
        return last_words(self._errors) or f"it ended with status {self._process.returncode}"


class Elsewhere:
    """A running process that is a child of another process; it has the methods used of Popen.

    The parent does not wait for it meanwhile: so its process id is not reused and can be killed by.
    """

    returncode = "unknown"

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        """Raises OSError where the system has no process descriptors (pidfd)."""
        self.pid = process.pid
        self._process = process
        if not hasattr(os, "pidfd_open"):
            raise OSError(errno.ENOSYS, "no descriptors of processes")
        self._ends = os.pidfd_open(self.pid)
        self._ended = False

    def poll(self) -> str | None:
        """None while the process runs."""
        return self._wait(0)

    def wait(self, timeout: float | None = None) -> None:
        """Wait until the process ends. Raises subprocess.TimeoutExpired after `timeout` seconds."""
        if self._wait(timeout) is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)

    def kill(self) -> None:
        """Kill the process."""
        os.kill(self.pid, signal.SIGKILL)

    def _wait(self, seconds: float | None) -> str | None:
        if not self._ended and select.select([self._ends], [], [], seconds)[0]:
            self._ended = True
            os.close(self._ends)
        return self.returncode if self._ended else None


def last_words(errors: IO[bytes]) -> str:
    """The last line of what was written to `errors`."""
    errors.seek(0)
    said = errors.read(DIAGNOSTIC_BYTES).decode("utf-8", "replace").strip()
    return said.splitlines()[-1] if said else ""


_idle: dict[tuple[Isolation, Limits], list[Nursery]] = {}


def take(isolation: Isolation, limits: Limits) -> Nursery:
    """An idle nursery, or a new one when none is idle."""
    waiting = _idle.setdefault((isolation, limits), [])
    while waiting:
        nursery = waiting.pop()
        if nursery.usable:
            return nursery
        nursery.close()
    return Nursery(isolation, limits)


def prepare(isolation: Isolation, limits: Limits) -> None:
    """Start a nursery for the next `take`. Raises OSError when it cannot be started."""
    _idle.setdefault((isolation, limits), []).append(Nursery(isolation, limits))


def take_prepared(isolations: Iterable[Isolation], limits: Limits) -> Nursery | None:
    """An idle nursery of one of `isolations`, to be handed over; None when there is none."""
    for isolation in isolations:
        waiting = _idle.get((isolation, limits))
        if waiting:
            return waiting.pop()
    return None


def close_idle(isolation: Isolation) -> None:
    """End the idle nurseries of `isolation`."""
    for key in [key for key in _idle if key[0] is isolation]:
        for nursery in _idle.pop(key):
            nursery.close()


def give_back(isolation: Isolation, nursery: Nursery) -> None:
    """Keep `nursery` for the next worker, unless it has ended."""
    if nursery.usable:
        _idle.setdefault((isolation, nursery.limits), []).append(nursery)
    else:
        nursery.close()


@atexit.register
def close_all() -> None:
    """End every idle nursery."""
    while _idle:
        for nursery in _idle.popitem()[1]:
            nursery.close()
