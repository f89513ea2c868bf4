"""The nursery: a warm process that forks each worker from itself, and waits for its end.

It has imported NumPy, the engine and the observers, so that no worker has to. No student's code
ever runs in it, and it reads no request: so a worker cannot learn anything about another one.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import pkgutil
import random
import select
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NoReturn

import numpy as np

import autograd_core
from graders.isolation.inner import namespaces, process_table
from graders.isolation.inner.confine import Policy, confine, die_with_parent, get_ready
from graders.isolation.inner.process_table import ProcessTable
from graders.isolation.inner.protocol import END, READY, START, STATUS
from graders.observe import worker
from graders.observe.kept import Kept

HANDED = 3
MOST_FILES = os.sysconf("SC_OPEN_MAX")
SEED_BYTES = 16
SPARE_SECONDS = 60
"""Wall time that a process table lasts beyond a worker's limit of processor time."""

HANDLING: Any = importlib.import_module("_signal")
"""The C module under `signal`, which would make enumerations and so write to shared memory."""

USUAL = ("asyncio", "dataclasses", "itertools", "numpy.linalg", "numpy.random", "numpy.testing")
"""Modules that students often import; the nursery imports them for all workers."""


@dataclass(frozen=True)
class Task:
    """How every worker of a nursery is started.

    `scratch`: where each worker gets its own folder in memory, of at most `scratch_bytes`; None
    for neither this folder nor new namespaces. `own_users`: these need a user namespace for each
    worker, too. `optional`: workers do without where the machine does not allow them.
    """

    policy: Policy
    output_bytes: int
    scratch: str | None = None
    scratch_bytes: int = 0
    own_users: bool = False
    optional: bool = False

    @property
    def confinement(self) -> Policy:
        """The policy of a worker: `policy`, and permission to write in the scratch folder."""
        if self.scratch is None:
            return self.policy
        return replace(self.policy, writable=[*self.policy.writable, self.scratch])


def serve(control: socket.socket, task: Task) -> None:
    """Start workers when `control` asks for them, one at a time, until it is closed."""
    if task.optional and task.scratch and not namespaces.works(task.scratch, task.own_users):
        task = replace(task, scratch=None)
    _import_all()
    kept = worker.prepare()
    has_tables = task.scratch is not None and not task.own_users and process_table.works()
    confinement = task.confinement
    longest = SPARE_SECONDS + confinement.resources["RLIMIT_CPU"]
    get_ready(confinement)
    if task.scratch is not None:
        os.environ["TMPDIR"] = task.scratch
    signal.signal(signal.SIGINT, signal.default_int_handler)
    wake = _wake_on_children()
    gc.collect()
    gc.freeze()
    control.sendall(READY)
    rehearsed = False
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 1, HANDED)
        if not message:
            return
        if message != START:
            continue
        own = closing(ProcessTable(longest)) if has_tables else nullcontext()
        with own as table:
            process = _start(task, confinement, kept, descriptors, table)
            kill = table.kill if table else partial(os.kill, process, signal.SIGKILL)
            status = _attend(process, kill, control, wake)
        control.sendall(STATUS.pack(status))
        if not rehearsed:
            # Not earlier: somebody is waiting for the first result.
            _rehearse(kept)
            rehearsed = True


def _rehearse(kept: Kept) -> None:
    worker.rehearse(kept)
    gc.collect()
    gc.freeze()


def _import_all() -> None:
    inner = pkgutil.walk_packages(autograd_core.__path__, f"{autograd_core.__name__}.")
    for name in (*USUAL, *(found.name for found in inner)):
        importlib.import_module(name)


def _wake_on_children() -> int:
    """Return a descriptor that can be read from when a child has ended."""
    wake, tell = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(tell, False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    signal.set_wakeup_fd(tell, warn_on_full_buffer=False)
    return wake


def _start(
    task: Task,
    confinement: Policy,
    kept: Kept,
    descriptors: list[int],
    table: ProcessTable | None,
) -> int:
    """Fork a worker that is handed the `descriptors`, and close them here."""

    def work() -> NoReturn:
        _become_worker(task, confinement, kept, *descriptors)

    try:
        if table is not None:
            return _forked(table.fork(), work)
        if task.scratch is not None:
            return namespaces.fork_init(partial(_init, work, descriptors[2]), task.own_users)
        return _forked(namespaces.fork() if namespaces.supported() else os.fork(), work)
    finally:
        for descriptor in descriptors:
            os.close(descriptor)


def _init(work: Callable[[], NoReturn], errors: int) -> int:
    """Fork a worker in namespaces of its own, whose first process this is; return its status."""
    # This process waits for the worker itself, so the nursery's wake-up pipe stays silent.
    signal.set_wakeup_fd(-1)
    os.dup2(errors, 2)
    with _told_in_one_line():
        die_with_parent()
        process = _forked(namespaces.fork(), work)
    # Only the worker may hold the channel: the grader sees its end when all copies are closed.
    os.closerange(3, MOST_FILES)
    return _shell_status(os.waitpid(process, 0)[1])


def _forked(process: int, run: Callable[[], NoReturn]) -> int:
    if process == 0:
        try:
            run()
        finally:
            os._exit(1)
    return process


def _become_worker(
    task: Task, confinement: Policy, kept: Kept, request: int, channel: int, errors: int
) -> NoReturn:
    """Confine this process and run the student's code in it. Errors until then go to `errors`."""
    signal.set_wakeup_fd(-1)
    HANDLING.signal(int(signal.SIGCHLD), int(signal.SIG_DFL))
    nowhere = os.open(os.devnull, os.O_RDWR)
    # The descriptors handed over are greater than 3: none is overwritten before it is copied.
    for place, descriptor in enumerate((request, nowhere, errors, channel)):
        os.dup2(descriptor, place)
    os.closerange(4, MOST_FILES)
    os.setsid()
    random.seed()
    np.random.seed(np.frombuffer(os.urandom(SEED_BYTES), np.uint32))
    with _told_in_one_line():
        if task.scratch is not None:
            namespaces.mount_scratch(task.scratch, task.scratch_bytes)
            os.chdir(task.scratch)
        confine(confinement)
    asked = worker.read_request(0)
    os.dup2(1, 0)
    os.dup2(1, 2)
    worker.run(asked, 3, task.output_bytes, kept)


@contextlib.contextmanager
def _told_in_one_line() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
        os._exit(1)


def _attend(process: int, kill: Callable[[], None], control: socket.socket, wake: int) -> int:
    """Wait for the end of `process`, or `kill` it when asked to; return its exit status.

    The status is a shell's: 128 plus the signal's number when a signal ended the process.
    """
    while True:
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            return _shell_status(status)
        ready, _, _ = select.select([control.fileno(), wake], [], [])
        if wake in ready:
            os.read(wake, 64)
        if control.fileno() in ready:
            wanted = control.recv(1)
            if wanted == END or not wanted:
                kill()
                os.waitpid(process, 0)
                return 128 + signal.SIGKILL


def _shell_status(status: int) -> int:
    code = os.waitstatus_to_exitcode(status)
    return 128 - code if code < 0 else code
