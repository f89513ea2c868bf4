"""On this machine: a pool of trusted processes, each driving its own isolated workers.

Processes, not threads: judging runs the reference through the engine, whose modes and random
numbers belong to a process.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing.connection import Connection

from graders.batch import Job, Settings, failed, grade_one
from graders.gradebook import Grading
from graders.isolation import Isolation, choose

AHEAD = 2  # submissions handed to the pool ahead of each process; the rest stay out of memory


@dataclass(frozen=True)
class Local:
    """Grades with so many processes at a time."""

    processes: int

    def grade_all(self, jobs: Iterable[Job], settings: Settings) -> Iterator[Grading]:
        """See `graders.executors.Executor`."""
        if self.processes == 1:
            isolation = choose(settings.isolation)
            for job in jobs:
                yield grade_one(job, isolation, settings)
            return
        rest = iter(jobs)
        suspects: list[Job] = []
        while broken := (yield from _pooled(rest, settings, self.processes)):
            suspects += broken
        # Whoever was under way when a process died is tried again alone: so the culprit shows.
        for job in suspects:
            if (yield from _pooled(iter([job]), settings, 1)):
                yield failed(job, "The grader's own process ended while it judged this submission.")


def _pooled(
    jobs: Iterator[Job], settings: Settings, processes: int
) -> Generator[Grading, None, list[Job]]:
    """Grade `jobs` until they are done, or a process dies: returns those then under way."""
    lifeline, held = multiprocessing.Pipe(duplex=False)
    pool = ProcessPoolExecutor(
        processes,
        # A fork would copy the progress display's thread in whatever state it is.
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_begin,
        initargs=(settings, lifeline),
    )
    under_way: dict[Future[Grading], Job] = {}
    broken: list[Job] = []
    try:
        while True:
            while not broken and len(under_way) < processes * AHEAD:
                job = next(jobs, None)
                if job is None:
                    break
                try:
                    under_way[pool.submit(_grade_here, job)] = job
                except BrokenProcessPool:
                    broken.append(job)
            if not under_way:
                return broken
            for done in wait(under_way, return_when=FIRST_COMPLETED).done:
                job = under_way.pop(done)
                try:
                    grading = done.result()
                except BrokenProcessPool:
                    broken.append(job)
                else:
                    yield grading
    finally:
        held.close()
        pool.shutdown(cancel_futures=True)
        lifeline.close()


_here: tuple[Isolation, Settings]


def _begin(settings: Settings, lifeline: Connection) -> None:
    """Prepare a process of the pool, and see to it that it ends when the main one does."""
    global _here
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()
    _here = choose(settings.isolation), settings


def _end_with(lifeline: Connection) -> None:
    # Nothing is ever sent: the wait ends when the other end is closed, by intent or by death.
    with contextlib.suppress(EOFError, OSError):
        lifeline.recv_bytes()
    os._exit(1)


def _grade_here(job: Job) -> Grading:
    return grade_one(job, *_here)
