"""Warm workers, from the trusted side: a nursery is started once, and asked for many workers."""

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
"""A nursery that takes longer to end a worker is ended with it."""


class WorkerFailed(Exception):  # noqa: N818  (told of a worker, not of the grader's code)
    """A worker ended before any student's code ran; the message is what the machine said."""


class Nursery:
    """One isolated process that makes workers, one at a time."""

    def __init__(self, isolation: Isolation, limits: Limits) -> None:
        """Start it. Raises OSError when the program cannot be started."""
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
        """Ask for a worker with these descriptors. Raises WorkerFailed when none can be had."""
        self._wait_until_ready()
        try:
            socket.send_fds(self._control, [START], [request, channel, errors])
        except OSError:
            raise WorkerFailed(self._last_words()) from None
        self.busy = True

    def worker_status(self, seconds: float) -> int | None:
        """The exit status of the worker, as a shell would tell it; None when it has not ended."""
        if not self.busy:
            return None
        told = self._receive(STATUS.size, seconds)
        if told is None:
            return None
        self.busy = False
        return int(STATUS.unpack(told)[0])

    def end_worker(self) -> None:
        """Have the worker's process ended; returns when it is, with all that it started."""
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
        """Whether it can be asked for a worker now."""
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
        """For the process that has started it, when a copy of that process has taken it over.

        All that it may do then is `close`, and it has to.
        """
        self._control.close()
        self._errors.close()

    def take_over(self) -> None:
        """For a copy of the process that has started it.

        Raises OSError where the kernel cannot tell about other processes' children (Linux < 5.3).
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
    """A process whose parent another process is, which does not ask how it ended meanwhile.

    So its number stays its own, and groups can be ended by it.
    """

    returncode = "unknown"

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        """Raises OSError where there is no such thing as a descriptor of a process."""
        self.pid = process.pid
        self._process = process
        if not hasattr(os, "pidfd_open"):
            raise OSError(errno.ENOSYS, "no descriptors of processes")
        self._ends = os.pidfd_open(self.pid)
        self._ended = False

    def poll(self) -> str | None:
        """None while it runs."""
        return self._wait(0)

    def wait(self, timeout: float | None = None) -> None:
        """Return when it has ended. Raises subprocess.TimeoutExpired when that takes too long."""
        if self._wait(timeout) is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)

    def kill(self) -> None:
        """End it."""
        os.kill(self.pid, signal.SIGKILL)

    def _wait(self, seconds: float | None) -> str | None:
        if not self._ended and select.select([self._ends], [], [], seconds)[0]:
            self._ended = True
            os.close(self._ends)
        return self.returncode if self._ended else None


def last_words(errors: IO[bytes]) -> str:
    """The last line that was written to `errors`."""
    errors.seek(0)
    said = errors.read(DIAGNOSTIC_BYTES).decode("utf-8", "replace").strip()
    return said.splitlines()[-1] if said else ""


_idle: dict[tuple[Isolation, Limits], list[Nursery]] = {}


def take(isolation: Isolation, limits: Limits) -> Nursery:
    """A nursery that is not at work, started anew when there is none."""
    waiting = _idle.setdefault((isolation, limits), [])
    while waiting:
        nursery = waiting.pop()
        if nursery.usable:
            return nursery
        nursery.close()
    return Nursery(isolation, limits)


def prepare(isolation: Isolation, limits: Limits) -> None:
    """Have a nursery get ready for who takes one next. Raises OSError when it cannot be started."""
    _idle.setdefault((isolation, limits), []).append(Nursery(isolation, limits))


def take_prepared(isolations: Iterable[Isolation], limits: Limits) -> Nursery | None:
    """One of `isolations` that waits for work, to be handed over; None when there is none."""
    for isolation in isolations:
        waiting = _idle.get((isolation, limits))
        if waiting:
            return waiting.pop()
    return None


def close_idle(isolation: Isolation) -> None:
    """End the nurseries of `isolation` that wait for work."""
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
    """End every nursery that waits for work."""
    while _idle:
        for nursery in _idle.popitem()[1]:
            nursery.close()
