"""A worker process, seen from the trusted side: a request goes in, bounded events come out."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Mapping
from typing import IO, Any, Self

from graders.isolation import nursery as nurseries
from graders.isolation.backend import Isolation
from graders.isolation.events import ChannelClosed, Events, WorkerFlood, WorkerTimeout
from graders.isolation.limits import Limits
from graders.isolation.nursery import WorkerFailed, last_words
from graders.request import packed

GRACE_SECONDS = 1.0
"""How long to wait for the exit status: a process ends a moment after its channel closes."""


def _nameless_file() -> IO[bytes]:
    """An empty file to write and read, in memory where the system supports that."""
    if sys.platform == "linux":
        return open(os.memfd_create("autograd-lessons"), "w+b")
    return tempfile.TemporaryFile()


class WorkerEnded(Exception):  # noqa: N818  (told of a worker, not of the grader's code)
    """The process has ended or closed its channel; `signal` is the one that ended it, or 0."""

    def __init__(self, signal_number: int) -> None:
        super().__init__(f"worker ended (signal {signal_number})")
        self.signal = signal_number


class WorkerProcess:
    """One worker, which `close` ends in any case; a context manager."""

    def __init__(
        self, isolation: Isolation, limits: Limits, request: bytes | Mapping[str, Any]
    ) -> None:
        """Start a worker on `request`, which is `packed` already or will be packed here.

        Raises OSError when the program cannot be started, WorkerFailed when it does not get ready.
        """
        if not isinstance(request, bytes):
            request = packed(request)
        self._isolation = isolation
        self._limits = limits
        self._status: int | None = None
        self._nursery = nurseries.take(isolation, limits)
        try:
            self._errors = _nameless_file()
            ours, theirs = os.pipe()
        except OSError:
            nurseries.give_back(isolation, self._nursery)
            raise
        self._events = Events(ours)
        try:
            with _nameless_file() as handed:
                handed.write(request)
                handed.seek(0)
                self._nursery.start_worker(handed.fileno(), theirs, self._errors.fileno())
        except BaseException:
            os.close(theirs)
            self.close()
            raise
        os.close(theirs)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def wait_until_ready(self) -> None:
        """Return when the worker is about to run the first cell.

        Raises WorkerFailed with the system's error message if it does not get that far.
        """
        deadline = time.monotonic() + self._limits.start_seconds
        try:
            first = self.event(deadline)
        except WorkerTimeout:
            raise WorkerFailed("the worker did not get ready in time") from None
        except (WorkerEnded, WorkerFlood):
            status = f"the worker ended with status {self._status}"
            raise WorkerFailed(last_words(self._errors) or status) from None
        if first.get("event") != "ready":
            raise WorkerFailed(f"the worker began with {str(first)[:200]}")

    def event(self, deadline: float) -> dict[str, Any]:
        """The next event, a JSON object; anything else that the worker sends is ignored.

        Raises WorkerTimeout at `deadline` (of time.monotonic), WorkerFlood, WorkerEnded.
        """
        try:
            return self._events.next(deadline)
        except ChannelClosed:
            raise WorkerEnded(self._signal()) from None

    def close(self) -> None:
        """End the process and everything that it started."""
        self._nursery.end_worker()
        nurseries.give_back(self._isolation, self._nursery)
        self._events.close()
        self._errors.close()

    def _signal(self) -> int:
        if self._status is None:
            self._status = self._nursery.worker_status(GRACE_SECONDS)
        return max((self._status or 0) - 128, 0)
