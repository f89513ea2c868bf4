"""Keeping students' code from everything else: the kinds of isolation, and choosing one."""

from __future__ import annotations

import functools
from collections.abc import Callable

from graders.isolation.backend import Isolation, IsolationUnavailable
from graders.isolation.bubblewrap import Bubblewrap
from graders.isolation.landlock import Landlock
from graders.isolation.limits import Limits
from graders.isolation.nursery import WorkerFailed
from graders.isolation.process import WorkerProcess
from graders.isolation.unprotected import Unprotected

__all__ = ["NAMES", "Isolation", "IsolationUnavailable", "Limits", "choose", "limitations"]

KINDS: dict[str, Callable[[], Isolation]] = {
    "bubblewrap": Bubblewrap,
    "landlock": Landlock,
    "none": Unprotected,
}
NAMES = ("auto", *KINDS)

ADVICE = """\
Students' code cannot be isolated on this machine:
{reasons}
Either of these mends it:
  - install bubblewrap: apt-get install bubblewrap (Debian, Ubuntu), or dnf install bubblewrap;
  - use Linux 5.13 or newer with Landlock switched on (/sys/kernel/security/lsm names it).
To run submissions that you trust without any isolation, say so: --isolation none"""


@functools.cache
def choose(name: str = "auto") -> Isolation:
    """The isolation called `name`, tried out once; "auto" is the strongest that works here.

    Never "none" unless asked for. Raises IsolationUnavailable, with the reasons and what would
    help, and ValueError for a name that is not in NAMES.
    """
    if name not in NAMES:
        raise ValueError(f"isolation must be one of {', '.join(NAMES)}, not {name!r}")
    reasons = []
    for candidate in ("bubblewrap", "landlock") if name == "auto" else (name,):
        try:
            isolation = KINDS[candidate]()
            try_out(isolation)
        except (IsolationUnavailable, WorkerFailed, OSError) as error:
            reasons.append(f"  - {candidate}: {error}")
        else:
            return isolation
    raise IsolationUnavailable(ADVICE.format(reasons="\n".join(reasons)))


def try_out(isolation: Isolation) -> None:
    """Start a worker with nothing to do. Raises WorkerFailed with what the machine said."""
    with WorkerProcess(isolation, Limits(), {"cells": [], "skip": [], "exercises": []}) as worker:
        worker.wait_until_ready()


def limitations(name: str) -> tuple[str, ...]:
    """What the isolation called `name` cannot give on this machine."""
    kind = KINDS.get(name)
    if kind is None:
        return ()
    try:
        return kind().limitations
    except IsolationUnavailable:
        return ("it is not to be had on the machine that wrote this report",)
