"""Signals that ask a command to end, such as a batch system's when the time is over."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_NAMES = ("SIGTERM", "SIGHUP")
NUMBERS = tuple(getattr(signal, name) for name in _NAMES if hasattr(signal, name))


@contextmanager
def ending_like_ctrl_c() -> Iterator[None]:
    """Raise KeyboardInterrupt, with the number, for SIGTERM and for a closed terminal (SIGHUP).

    A signal that whoever started this program has it ignore, as nohup does, stays ignored. To be
    called in the main thread. Processes that are forked meanwhile should call `ending_at_once`.
    """

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt(number)

    heard = [number for number in NUMBERS if signal.getsignal(number) != signal.SIG_IGN]
    before = {number: signal.signal(number, interrupt) for number in heard}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def ending_at_once() -> None:
    """Have these signals end this process as they do by default, unless they are ignored."""
    for number in NUMBERS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
