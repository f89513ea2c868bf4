"""Isolation by bubblewrap: new namespaces, and a file system that contains only what is needed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
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
from graders.isolation.view import DEVICES, View

NAMESPACES = ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts")


class Bubblewrap(Isolation):
    """Workers in their own file system, process table and network; Landlock and seccomp inside.

    A worker started by root becomes an unprivileged user; others get a new user namespace.
    """

    name = "bubblewrap"
    limitations: tuple[str, ...] = ()

    def __init__(self) -> None:
        """Raises IsolationUnavailable when the program is not installed."""
        program = shutil.which("bwrap")
        if program is None:
            raise IsolationUnavailable("bubblewrap (the program bwrap) is not installed")
        self.program = program
        self.view = view_or_unavailable()
        self.user = unprivileged_user()
        self.landlock = landlock.version() > 0
        self.seccomp = seccomp.supported()
        missing = []
        if not self.landlock:
            missing.append("the kernel has no Landlock: only one layer instead of two guards files")
        if not self.seccomp:
            missing.append("system calls are not filtered on this kind of processor")
        self.limitations = tuple(missing)

    def command(self, limits: Limits, control: int) -> list[str]:
        """See `Isolation.command`."""
        view = self.view
        scratch = _scratch(view) if namespaces.supported() else None
        reads_anywhere = self.user is not None and not open_to_all(view.shown(), False)
        policy = Policy(
            resources=resources(limits),
            user=self.user,
            reads_anywhere=reads_anywhere,
            readable=["/"] if self.landlock else None,
            writable=["/dev/null"],
            seccomp=self.seccomp,
        )
        return [
            self.program,
            *NAMESPACES,
            "--die-with-parent",
            "--new-session",
            "--hostname",
            "worker",
            *self._identity(reads_anywhere),
            *_file_system(view),
            *(("--dir", scratch) if scratch else ()),
            *("--remount-ro", "/", "--chdir", "/", "--"),
            *start_command(view, policy, control, limits, scratch),
        ]

    def _identity(self, reads_anywhere: bool) -> list[str]:
        # The nursery needs these to make its workers' namespaces; the workers drop them.
        kept = ["CAP_SYS_ADMIN"]
        if self.user is None:
            identity = ["--unshare-user", "--uid", "65534", "--gid", "65534"]
        else:
            identity = []
            kept += ["CAP_SETUID", "CAP_SETGID"]
            kept += ["CAP_DAC_READ_SEARCH"] if reads_anywhere else []
        added = (word for name in kept for word in ("--cap-add", name))
        return [*identity, "--cap-drop", "ALL", *added]


def _file_system(view: View) -> list[str]:
    links = [root for root in view.roots if root.is_symlink() and root.parent == Path("/")]
    roots = [root for root in sorted(view.roots) if root not in links]
    covers = [folder for folder in view.hidden if _appears(folder, view)]
    shown = (*view.packages.values(), *view.libraries)
    arguments: list[str] = []
    # Parent folders that bubblewrap makes by itself would be closed to other users.
    for folder in _parents((*roots, *shown, Path("/dev/null"))):
        arguments += ["--dir", str(folder)]
    for link in links:
        arguments += ["--symlink", os.readlink(link), str(link)]
    for root in roots:
        arguments += ["--ro-bind", str(root), str(root)]
    for folder in covers:
        arguments += ["--tmpfs", str(folder)]
    for folder in shown:
        arguments += ["--ro-bind", str(folder), str(folder)]
    for folder in covers:
        arguments += ["--remount-ro", str(folder)]
    for device in DEVICES:
        arguments += ["--dev-bind", device, device]
    return arguments


def _scratch(view: View) -> str:
    """The folder in which a worker may write; it must not hide anything that the worker reads."""
    return "/scratch" if any(path.is_relative_to("/tmp") for path in view.shown()) else "/tmp"


def _parents(paths: Iterable[Path]) -> list[Path]:
    return sorted({parent for path in paths for parent in path.parents} - {Path("/")})


def _appears(folder: Path, view: View) -> bool:
    """Whether `folder` would be visible at its own path, and has to be covered there."""
    return any(folder.is_relative_to(root) for root in view.roots)
