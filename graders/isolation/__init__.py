"""Isolating students' code from everything else: the kinds of isolation, and choosing one."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Iterator

from graders.isolation.backend import Isolation, IsolationUnavailable
from graders.isolation.limits import Limits
from graders.isolation.nursery import (
    Nursery,
    WorkerFailed,
    close_idle,
    prepare,
    take_prepared,
)

__all__ = [
    "NAMES",
    "Isolation",
    "IsolationUnavailable",
    "Limits",
    "check_system",
    "choose",
    "head_start",
    "limitations",
    "prepared",
]


# Imported when they are used: not every system has what they need, and lessons run everywhere.
def _bubblewrap() -> Isolation:
    from graders.isolation.bubblewrap import Bubblewrap

    return Bubblewrap()


def _landlock() -> Isolation:
    from graders.isolation.landlock import Landlock

    return Landlock()


def _unprotected() -> Isolation:
    from graders.isolation.unprotected import Unprotected

    return Unprotected()


KINDS: dict[str, Callable[[], Isolation]] = {
    "bubblewrap": _bubblewrap,
    "landlock": _landlock,
    "none": _unprotected,
}
NAMES = ("auto", *KINDS)
PREFERRED = ("bubblewrap", "landlock")
USUAL = Limits()

_early: dict[str, Isolation] = {}
"""The isolations whose nurseries `head_start` has begun to prepare, by name."""


ELSEWHERE = """\
Grading runs students' code in isolation, which needs Linux (or another Unix, and --isolation none).
On Windows, run this command in the Windows Subsystem for Linux. The lessons and their checks need
none of this."""
ADVICE = """\
Students' code cannot be isolated on this machine:
{reasons}
Do one of these:
  - install bubblewrap: apt-get install bubblewrap (Debian, Ubuntu), or dnf install bubblewrap;
  - use Linux 5.13 or newer with Landlock switched on (/sys/kernel/security/lsm names it).
To run submissions that you trust without any isolation, use: --isolation none"""


def check_system() -> None:
    """Raise IsolationUnavailable on a system that is no kind of Unix."""
    if os.name != "posix":
        raise IsolationUnavailable(ELSEWHERE)


@functools.cache
def choose(name: str = "auto", limits: Limits = USUAL) -> Isolation:
    """The isolation called `name`, tried out once; "auto" is the strongest that works here.

    The trial worker runs under `limits`, so that a nursery prepared for them is used. Never "none"
    unless asked for. Raises IsolationUnavailable, with the reasons and what would help, and
    ValueError for a name that is not in NAMES.
    """
    if name not in NAMES:
        raise ValueError(f"isolation must be one of {', '.join(NAMES)}, not {name!r}")
    check_system()
    reasons = []
    for candidate in PREFERRED if name == "auto" else (name,):
        try:
            isolation = _early.get(candidate) or KINDS[candidate]()
            try_out(isolation, limits)
        except (IsolationUnavailable, WorkerFailed, OSError) as error:
            reasons.append(f"  - {candidate}: {error}")
        else:
            return isolation
    raise IsolationUnavailable(ADVICE.format(reasons="\n".join(reasons)))


@contextlib.contextmanager
def head_start(name: str, limits: Limits) -> Iterator[None]:
    """Start the nursery that `choose(name, limits)` will need, so that it gets ready meanwhile.

    Errors are left to `choose`, which meets them again and reports them. A nursery that has not
    been used is closed at the end.
    """
    for candidate in PREFERRED if name == "auto" else (name,):
        with contextlib.suppress(IsolationUnavailable, OSError):
            isolation = KINDS[candidate]()
            prepare(isolation, limits)
            _early[candidate] = isolation
            break
    try:
        yield
    finally:
        for isolation in _early.values():
            close_idle(isolation)
        _early.clear()


def prepared(limits: Limits) -> Nursery | None:
    """The nursery that was prepared for `limits`, to be handed over; None when there is none."""
    return take_prepared(_early.values(), limits)


def try_out(isolation: Isolation, limits: Limits = USUAL) -> None:
    """Start a worker with nothing to do. Raises WorkerFailed with the system's error message.

    If it fails under unusual `limits`, these may be too tight, so the usual ones are tried too.
    """
    # Imported here because it takes longer than all other imports of this module together.
    from graders.isolation.process import WorkerProcess

    nothing: dict[str, list[object]] = {"cells": [], "skip": [], "exercises": []}
    try:
        with WorkerProcess(isolation, limits, nothing) as worker:
            worker.wait_until_ready()
    except WorkerFailed:
        if limits == USUAL:
            raise
        try_out(isolation)


def limitations(name: str) -> tuple[str, ...]:
    """What the isolation called `name` cannot do on this machine."""
    kind = KINDS.get(name)
    if kind is None:
        return ()
    try:
        return kind().limitations
    except IsolationUnavailable:
        return ("it is not available on the machine that wrote this report",)
