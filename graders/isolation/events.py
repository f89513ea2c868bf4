"""Reading a worker's events with bounds, as plain JSON values that can do no harm.

A student's code can send anything. So each line is bounded, and so are their sum and the time; what
the values mean is decided elsewhere.
"""

from __future__ import annotations

import json
import math
import os
import select
import time
from collections import deque
from typing import Any

LINE_BYTES = 2 * 1024 * 1024
TOTAL_BYTES = 16 * 1024 * 1024
TOTAL_LINES = 40_000
CHUNK = 64 * 1024
NESTING = 64

SEEN = b', "seen": '
"""Stands before the last entry of an event: what a check saw, which is not decoded here."""

_decode = json.JSONDecoder().decode


class WorkerTimeout(Exception):  # noqa: N818  (told of a worker, not of the grader's code)
    """Nothing came before the deadline."""


class WorkerFlood(Exception):  # noqa: N818
    """More came than any honest worker sends."""


class ChannelClosed(Exception):  # noqa: N818
    """The worker has closed its channel, most often because it ended."""


class Events:
    """The events that arrive on a pipe."""

    def __init__(self, channel: int) -> None:
        """Own `channel`, the pipe's reading end."""
        self._channel = channel
        self._pending = b""
        self._lines: deque[bytes] = deque()
        self._received = 0
        self._whole_lines = 0
        os.set_blocking(channel, False)
        self._poll = select.poll()
        self._poll.register(channel, select.POLLIN)

    def next(self, deadline: float) -> dict[str, Any]:
        """The next event, a JSON object; anything else that arrives is ignored.

        Raises WorkerTimeout at `deadline` (of time.monotonic), WorkerFlood, ChannelClosed.
        """
        while True:
            value = parse(self._line(deadline))
            if isinstance(value, dict):
                return value

    def close(self) -> None:
        """Read no more."""
        os.close(self._channel)

    def _line(self, deadline: float) -> bytes:
        while not self._lines:
            left = deadline - time.monotonic()
            if left <= 0 or not self._poll.poll(math.ceil(left * 1000)):
                raise WorkerTimeout
            chunk = os.read(self._channel, CHUNK)
            if not chunk:
                raise ChannelClosed
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


def parse(line: bytes) -> Any:
    """The JSON value on `line`, None when there is none; the entry `seen` stays undecoded bytes."""
    # Inside a JSON string these quotation marks would be escaped: this begins an entry.
    told, found, seen = line.partition(SEEN)
    if not found:
        return plain(line)
    event = plain(told + b"}")
    return {**event, "seen": seen[:-1]} if isinstance(event, dict) else None


def plain(line: bytes) -> Any:
    """The JSON value on `line`, in UTF-8; None if it is not JSON or nested deeper than NESTING."""
    try:
        value = _decode(line.decode())
    except (ValueError, RecursionError):
        return None
    # Brackets may be part of strings: their number only tells when a value cannot be too deep.
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
