"""One process of this machine that grades, and the connection over which it gets submissions."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections import deque
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any

from graders.gradebook import Grading
from graders.isolation import IsolationUnavailable, choose, prepared
from graders.isolation import nursery as nurseries
from graders.isolation.nursery import Nursery
from graders.run.batch import Job, Settings, grade_one
from graders.signals import ending_at_once

END_SECONDS = 10.0

_ours: list[Connection] = []
"""The main process's ends of all connections; a forked process closes its copies of them."""


class LaneEnded(Exception):  # noqa: N818  (what is the case, told of another process)
    """The process is gone."""


class Lane:
    """A process that grades the jobs it is handed, one after another, until it is closed."""

    def __init__(self, settings: Settings, warm: bool = True) -> None:
        """Start the process; unless `warm`, it prepares no isolation before its first job."""
        self.warm = warm
        # A fork is ready at once and shares memory. But it would inherit the locks of other
        # threads in whatever state they are.
        alone = threading.active_count() == 1 and sys.platform == "linux"
        context: Any = multiprocessing.get_context("fork" if alone else "spawn")
        self.under_way: deque[Job] = deque()
        self.connection, theirs = multiprocessing.Pipe()
        _ours.append(self.connection)
        # The nursery that `head_start` has begun to prepare goes to the first warm process.
        self._nursery = prepared(settings.limits) if warm and alone else None
        self._process = context.Process(
            target=_work, args=(theirs, settings, warm, self._nursery), daemon=True
        )
        with warnings.catch_warnings():
            # The warning is about the threads of NumPy's libraries, which can cope with a fork.
            warnings.filterwarnings("ignore", ".*use of fork", DeprecationWarning)
            self._process.start()
        theirs.close()
        if self._nursery is not None:
            self._nursery.hand_over()

    def hand(self, job: Job) -> None:
        """Have `job` graded after those under way.

        Raises LaneEnded when the process is gone; `job` is among those under way even then.
        """
        self.under_way.append(job)
        try:
            self.connection.send(job)
        except OSError as error:
            raise LaneEnded from error

    def take(self) -> Grading:
        """Wait for the next grading and return it. Raises LaneEnded or IsolationUnavailable."""
        try:
            told = self.connection.recv()
        except (EOFError, OSError) as error:
            raise LaneEnded from error
        if isinstance(told, Exception):
            raise told
        self.under_way.popleft()
        grading: Grading = told
        return grading

    def close(self) -> None:
        """End the process, whatever it is doing."""
        _ours.remove(self.connection)
        self.connection.close()
        self._process.join(END_SECONDS)
        if self._process.exitcode is None:
            self._process.kill()
            self._process.join()
        self._process.close()
        if self._nursery is not None:
            self._nursery.close()


def _work(connection: Connection, settings: Settings, warm: bool, nursery: Nursery | None) -> None:
    """Grade the jobs that arrive; end when the main process does, however that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ending_at_once()
    for each in _ours:
        each.close()
    _ours.clear()
    if nursery is not None:
        with contextlib.suppress(OSError):
            nursery.take_over()
            nurseries.give_back(nursery.isolation, nursery)
    jobs: SimpleQueue[Job] = SimpleQueue()
    threading.Thread(target=_receive, args=(connection, jobs), daemon=True).start()
    if warm:
        with contextlib.suppress(IsolationUnavailable):
            choose(settings.isolation, settings.limits)  # reported with the first job, below
    while True:
        job = jobs.get()
        try:
            told: Grading | IsolationUnavailable = grade_one(
                job, choose(settings.isolation, settings.limits), settings
            )
        except IsolationUnavailable as error:
            told = error
        connection.send(told)


def _receive(connection: Connection, jobs: SimpleQueue[Job]) -> None:
    with contextlib.suppress(EOFError, OSError):
        while True:
            jobs.put(connection.recv())
    os._exit(1)
