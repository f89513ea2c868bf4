"""The interface of a kind of isolation, and what the kinds share."""

from __future__ import annotations

import json
import math
import os
import stat
from abc import ABC, abstractmethod
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from graders.isolation.limits import Limits
from graders.isolation.view import View, worker_view

if TYPE_CHECKING:
    from graders.isolation.inner.confine import Policy

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
    """This machine cannot isolate as asked; the message says why and what would help."""


class Isolation(ABC):
    """One way to isolate students' code."""

    name: str

    @property
    def limitations(self) -> tuple[str, ...]:
        """What this isolation cannot do on this machine."""
        return ()

    @abstractmethod
    def command(self, limits: Limits, control: int) -> list[str]:
        """The command that starts a nursery controlled over the socket with descriptor `control`.

        Besides standard streams the nursery inherits this descriptor only; its environment is
        ENVIRONMENT.
        """


def start_command(
    view: View,
    policy: Policy,
    control: int,
    limits: Limits,
    scratch: str | None = None,
    **more: bool,
) -> list[str]:
    """The interpreter's command line for a nursery, with paths as seen inside the isolation.

    Its workers are confined by `policy`. Unless `scratch` is None, each has its own namespaces and
    its own folder of that name. `more` fields are those of `graders.isolation.inner.nursery.Task`.
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

    RLIMIT_NPROC forbids new processes and threads, for where there is no seccomp filter to do so.
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
    """The user that workers become, or None when this process does not run as root."""
    import pwd

    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam("nobody").pw_uid
    except KeyError:
        return 65534


def open_to_all(paths: Iterable[Path], with_parents: bool) -> bool:
    """Whether any user could read `paths`, judged by the permissions of `paths` themselves.

    What lies below them is not looked at; the folders above them count only `with_parents`.
    """
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
    """What workers may read; IsolationUnavailable when the installation is incomplete."""
    try:
        return worker_view()
    except ModuleNotFoundError as error:
        raise IsolationUnavailable(f"The installation is incomplete: {error}") from error
