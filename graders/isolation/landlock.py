"""Isolation by the kernel alone, without a system package: Landlock, seccomp, resource limits."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from pathlib import Path

from graders.isolation.backend import (
    Isolation,
    IsolationUnavailable,
    open_to_all,
    resources,
    start_command,
    unprivileged_user,
    view_or_unavailable,
)
from graders.isolation.inner import landlock, namespaces, seccomp
from graders.isolation.inner.confine import Policy
from graders.isolation.limits import Limits
from graders.isolation.view import DEVICES


class Landlock(Isolation):
    """Workers that may open only the files they need, and may make only harmless system calls."""

    name = "landlock"
    MOUNT_POINTS = ("/tmp", "/var/tmp")
    """Where a worker's scratch folder may be mounted: it hides what lies there otherwise."""

    def __init__(self) -> None:
        """Raises IsolationUnavailable when the kernel or the processor lacks what is needed."""
        if not sys.platform.startswith("linux") or landlock.version() < 1:
            raise IsolationUnavailable(
                "the kernel has no Landlock (since Linux 5.13, where it is switched on)"
            )
        if not seccomp.supported():
            raise IsolationUnavailable(f"system calls cannot be filtered on {os.uname().machine}")
        self.view = view_or_unavailable()
        self.user = unprivileged_user()
        self.scratch = next(filter(self._hides_nothing, self.MOUNT_POINTS), None)

    @functools.cached_property
    def limitations(self) -> tuple[str, ...]:
        """See `Isolation`."""
        lacking = [
            "files outside cannot be opened, but code can find out whether one exists, and its size"
        ]
        if not self._has_scratch():
            lacking.append("students' code has no folder of its own to write to")
        return tuple(lacking)

    def command(self, limits: Limits, control: int) -> list[str]:
        """See `Isolation.command`."""
        shown = self.view.shown()
        policy = Policy(
            resources=resources(limits),
            user=self.user,
            reads_anywhere=self.user is not None and not open_to_all(shown, True),
            readable=[*map(str, shown), *DEVICES],
            writable=["/dev/null"],
            seccomp=True,
        )
        return start_command(
            self.view,
            policy,
            control,
            limits,
            self.scratch,
            own_users=self.user is None,
            optional=True,
        )

    def _has_scratch(self) -> bool:
        if self.scratch is None:
            return False
        program = [str(self.view.interpreter), "-I", "-S", namespaces.__file__, self.scratch]
        users = ["users"] if self.user is None else []
        ended = subprocess.run([*program, *users], check=False, stderr=subprocess.DEVNULL)
        return ended.returncode == 0

    def _hides_nothing(self, folder: str) -> bool:
        shown = (*self.view.shown(), Path(self.view.interpreter))
        return os.path.isdir(folder) and not any(path.is_relative_to(folder) for path in shown)
