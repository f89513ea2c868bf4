"""Warm workers, from the trusted side: a nursery is started once, and asked for many workers."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import socket
import subprocess
import tempfile
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
        self.limits = limits
        self._control, theirs = socket.socketpair()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  (closed in close)
        self._ready = False
        self.busy = False
        try:
            self._process = subprocess.Popen(
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
