"""A worker's process as the trusted side sees it: a request goes in, bounded lines come out.

What comes out is whatever the student's code wants it to be. It is read here with bounds on each
line, on the sum and on the time, and becomes plain JSON values; their meaning is decided elsewhere.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

from graders.isolation.backend import ENVIRONMENT, Isolation
from graders.isolation.limits import Limits

LINE_BYTES = 2 * 1024 * 1024
TOTAL_BYTES = 16 * 1024 * 1024
TOTAL_LINES = 40_000
CHUNK = 64 * 1024
NESTING = 64
DIAGNOSTIC_BYTES = 2000


class WorkerFailed(Exception):  # noqa: N818  (told of a worker, not of the grader's code)
    """A worker ended before any student's code ran; the message is what the machine said."""


class WorkerTimeout(Exception):  # noqa: N818
    """Nothing came before the deadline."""


class WorkerFlood(Exception):  # noqa: N818
    """More came than any honest worker sends."""


class WorkerEnded(Exception):  # noqa: N818
    """The process has ended or closed its channel; `signal` that ended it, 0 for none."""

    def __init__(self, signal_number: int) -> None:
        super().__init__(f"worker ended (signal {signal_number})")
        self.signal = signal_number


class WorkerProcess:
    """One worker, from its start to its certain end; a context manager."""

    def __init__(self, isolation: Isolation, limits: Limits, request: Mapping[str, Any]) -> None:
        """Start a worker on `request`. Raises OSError when the program cannot be started."""
        self._limits = limits
        self._pending = b""
        self._lines: deque[bytes] = deque()
        self._received = 0
        self._whole_lines = 0
        self._channel, theirs = os.pipe()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  (closed in close)
        try:
            with tempfile.TemporaryFile() as handed:
                handed.write(json.dumps(request).encode())
                handed.seek(0)
                self._process = subprocess.Popen(
                    isolation.command(limits, theirs),
                    stdin=handed,
                    stdout=subprocess.DEVNULL,
                    stderr=self._errors,
                    env=ENVIRONMENT,
                    cwd="/",
                    pass_fds=[theirs],
                    start_new_session=True,
                )
        except BaseException:
            os.close(self._channel)
            self._errors.close()
            raise
        finally:
            os.close(theirs)
        os.set_blocking(self._channel, False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._channel, selectors.EVENT_READ)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def wait_until_ready(self) -> None:
        """Return when the worker is about to run the first cell.

        Raises WorkerFailed, with what the machine said, if it never is.
        """
        deadline = time.monotonic() + self._limits.start_seconds
        try:
            first = self.event(deadline)
        except WorkerTimeout:
            raise WorkerFailed("the worker did not get ready in time") from None
        except (WorkerEnded, WorkerFlood):
            self._end()
            raise WorkerFailed(self._diagnostic()) from None
        if first.get("event") != "ready":
            raise WorkerFailed(f"the worker began with {str(first)[:200]}")

    def event(self, deadline: float) -> dict[str, Any]:
        """The next event, a JSON object; anything else that the worker says is passed over.

        Raises WorkerTimeout at `deadline` (of time.monotonic), WorkerFlood, WorkerEnded.
        """
        while True:
            line = self._line(deadline)
            value = parse(line)
            if isinstance(value, dict):
                return value

    def close(self) -> None:
        """End the process and everything that it started."""
        self._end()
        self._selector.close()
        os.close(self._channel)
        self._errors.close()

    def _line(self, deadline: float) -> bytes:
        while not self._lines:
            left = deadline - time.monotonic()
            if left <= 0 or not self._selector.select(left):
                raise WorkerTimeout
            chunk = os.read(self._channel, CHUNK)
            if not chunk:
                raise WorkerEnded(self._signal())
            self._received += len(chunk)
            *whole, self._pending = (self._pending + chunk).split(b"\n")
            self._whole_lines += len(whole)
            longest = max(map(len, (*whole, self._pending)))
            if (
                self._received > TOTAL_BYTES
                or self._whole_lines > TOTAL_LINES
                or longest > LINE_BYTES
            ):
                raise WorkerFlood
            self._lines.extend(whole)
        return self._lines.popleft()

    def _signal(self) -> int:
        """The signal that ended the process; a moment's grace, since its channel closes first."""
        try:
            status = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            return 0
        # bubblewrap tells of a signal by a status over 128, as shells do.
        return -status if status < 0 else max(status - 128, 0)

    def _end(self) -> None:
        if self._process.poll() is None:
            try:
                os.killpg(self._process.pid, signal.SIGKILL)
            except ProcessLookupError:
                self._process.kill()
        self._process.wait()

    def _diagnostic(self) -> str:
        self._errors.seek(0)
        said = self._errors.read(DIAGNOSTIC_BYTES).decode("utf-8", "replace").strip()
        last = said.splitlines()[-1] if said else ""
        return last or f"the worker ended with status {self._process.returncode}"


def parse(line: bytes) -> Any:
    """The JSON value on `line`; None when there is none, or one nested deeper than NESTING."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    # Brackets may stand in texts too: counting them only tells when there is nothing to fear.
    if line.count(b"[") + line.count(b"{") > NESTING and not _is_shallow(value):
        return None
    return value


def _is_shallow(value: Any) -> bool:
    level = [value]
    for _ in range(NESTING):
        inner: list[Any] = []
        for each in level:
            if isinstance(each, dict):
                inner += each.values()
            elif isinstance(each, list):
                inner += each
        if not inner:
            return True
        level = inner
    return False
