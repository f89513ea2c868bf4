"""Irrevocably confines the process that is about to run a student's code."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import struct
from dataclasses import dataclass, field

from graders.isolation.inner import landlock, seccomp

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_KEEPCAPS, PR_SET_NO_NEW_PRIVS = 1, 4, 8, 38
CAPABILITY_VERSION = 0x20080522
CAP_DAC_READ_SEARCH = 2

LIBC = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Policy:
    """How to confine a process.

    `user`: become this user (needs root). `reads_anywhere`: keep the one privilege to read files
    whatever their permissions, because what a worker needs lies in a folder closed to other users.
    `resources`: limits by their names in the module `resource`. `readable` and `writable`: the
    paths that Landlock allows; without `readable` there is no Landlock. `linux`: whether this
    system is Linux.
    """

    resources: dict[str, int] = field(default_factory=dict)
    user: int | None = None
    reads_anywhere: bool = False
    readable: list[str] | None = None
    writable: list[str] = field(default_factory=list)
    seccomp: bool = False
    linux: bool = True


def get_ready(policy: Policy) -> None:
    """Prepare what `confine` needs and what is the same for every worker, before they fork."""
    if policy.readable is not None:
        landlock.version()
    if policy.seccomp:
        seccomp.packed_parts(os.uname().machine)


def confine(policy: Policy) -> None:
    """Apply `policy` to this process. Raises OSError when the kernel refuses any part of it."""
    if policy.user is not None:
        _become(policy.user, policy.reads_anywhere)
    for name, value in policy.resources.items():
        _limit(getattr(resource, name), value)
    if not policy.linux:
        return
    _keep_only(CAP_DAC_READ_SEARCH if policy.reads_anywhere else None)
    # A change of user or privileges resets both, so they come after it.
    die_with_parent()
    _prctl(PR_SET_DUMPABLE, 0)
    _prctl(PR_SET_NO_NEW_PRIVS, 1)
    if policy.readable is not None:
        landlock.restrict(policy.readable, policy.writable)
    if policy.seccomp:
        seccomp.install()


def die_with_parent() -> None:
    """Have the kernel end this process when the one that started it ends, however that is."""
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _become(user: int, reads_anywhere: bool) -> None:
    if reads_anywhere:
        _prctl(PR_SET_KEEPCAPS, 1)
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def _keep_only(capability: int | None) -> None:
    bit = 0 if capability is None else 1 << capability
    header = struct.pack("=Ii", CAPABILITY_VERSION, 0)
    sets = struct.pack("=6I", bit, bit, 0, 0, 0, 0)
    if LIBC.capset(header, sets) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def _limit(kind: int, value: int) -> None:
    _, hard = resource.getrlimit(kind)
    # At the soft limit of processor time comes SIGXCPU, which names the reason; then SIGKILL.
    wanted = value + 1 if kind == resource.RLIMIT_CPU else value
    if hard != resource.RLIM_INFINITY:
        value, wanted = min(value, hard), min(wanted, hard)
    resource.setrlimit(kind, (value, wanted))


def _prctl(option: int, value: int) -> None:
    arguments = [ctypes.c_ulong(number) for number in (value, 0, 0, 0)]
    if LIBC.prctl(ctypes.c_int(option), *arguments) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
