"""A kind of isolation: how a worker's process is started, and what it is kept from."""

from __future__ import annotations

import json
import math
import os
import pwd
import stat
from abc import ABC, abstractmethod
from collections.abc import Iterable
from pathlib import Path

from graders.isolation.inner.confine import Policy
from graders.isolation.limits import Limits
from graders.isolation.view import View, worker_view

ENVIRONMENT = {
    "HOME": "/nonexistent",
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "PATH": "",
    "TMPDIR": "/tmp",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "BLIS_NUM_THREADS": "1",
}


class IsolationUnavailable(Exception):  # noqa: N818  (what is the case, as FileNotFoundError is not)
    """This machine cannot isolate as asked; the message says why and how to get it."""


class Isolation(ABC):
    """One way to keep students' code from everything else."""

    name: str

    @property
    def limitations(self) -> tuple[str, ...]:
        """What it cannot give on this machine."""
        return ()

    @abstractmethod
    def command(self, limits: Limits, control: int) -> list[str]:
        """The command that starts a nursery, which is spoken to over the socket `control`.

        It inherits nothing else, and the environment `ENVIRONMENT`.
        """


def start_command(
    view: View,
    policy: Policy,
    control: int,
    limits: Limits,
    scratch: str | None = None,
    **more: bool,
) -> list[str]:
    """The interpreter's command line for a nursery, as seen inside the isolation.

    Its workers live under `policy`, each with namespaces and a folder `scratch` of its own, unless
    that is None; `more` on that in `graders.isolation.inner.nursery.Task`.
    """
    told = {
        "packages": {name: str(folder) for name, folder in view.packages.items()},
        "policy": vars(policy),
        "control": control,
        "task": {
            "output_bytes": limits.output_bytes,
            "scratch": scratch,
            "scratch_bytes": limits.scratch_bytes,
            **more,
        },
    }
    options = ["-I", "-S", "-B", "-X", "utf8"]
    return [str(view.interpreter), *options, str(view.start), json.dumps(told)]


def resources(limits: Limits) -> dict[str, int]:
    """The kernel's limits on one process, by their names in the `resource` module.

    No new processes or threads: the filter of calls refuses them as well, but only where it is.
    """
    return {
        "RLIMIT_AS": limits.memory_bytes,
        "RLIMIT_CORE": 0,
        "RLIMIT_CPU": math.ceil(limits.submission_seconds) + 1,
        "RLIMIT_FSIZE": limits.scratch_bytes,
        "RLIMIT_NOFILE": limits.open_files,
        "RLIMIT_NPROC": 0,
    }


def unprivileged_user() -> int | None:
    """The user to become, or None when this process already is an ordinary user's."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam("nobody").pw_uid
    except KeyError:
        return 65534


def open_to_all(paths: Iterable[Path], with_parents: bool) -> bool:
    """Whether a user without any rights could read `paths`, by the permissions of their tops."""
    for path in paths:
        if not _others_may(path):
            return False
        if with_parents and not all(_others_may(parent) for parent in path.parents):
            return False
    return True


def _others_may(path: Path) -> bool:
    mode = path.stat().st_mode
    return bool(mode & (stat.S_IXOTH if stat.S_ISDIR(mode) else stat.S_IROTH))


def view_or_unavailable() -> View:
    """The workers' view; IsolationUnavailable when the installation is incomplete."""
    try:
        return worker_view()
    except ModuleNotFoundError as error:
        raise IsolationUnavailable(f"The installation is incomplete: {error}") from error
