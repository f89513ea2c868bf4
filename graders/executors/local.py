"""Grading on this machine: trusted processes, each of which drives its own isolated workers.

They are processes and not threads because judging runs the reference through the engine, and the
engine has one state of modes and random numbers for each process.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from itertools import islice
from multiprocessing.connection import wait
from typing import Self

from graders.collector import frozen
from graders.executors.lane import Lane, LaneEnded
from graders.executors.shares import Shares
from graders.exercise import all_exercises
from graders.gradebook import Grading
from graders.isolation import choose
from graders.judging.recognition import share
from graders.judging.worked_out import WorkedOut
from graders.run.batch import Job, Settings, failed, grade_one

AHEAD = 2  # submissions that each process has at a time: one under way and one that waits

PATIENCE = 2.0
"""Seconds for which one process works alone on the first result.

A quiet machine has it after half a second; on a busy one other processes would only slow it down.
After this time, as when the first submission never ends, the other processes start anyway.
"""


class Local:
    """Grades with this many processes; a context manager that ends them."""

    def __init__(self, processes: int) -> None:
        """No process starts before `begin` or `grade_all`."""
        self.processes = processes
        self._lanes: list[Lane] = []
        self._worked_out: WorkedOut | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        while self._lanes:
            self._lanes.pop().close()
        share(None)
        if self._worked_out is not None:
            self._worked_out.close()
            self._worked_out = None

    def begin(self, settings: Settings) -> None:
        """Start the processes that will grade under `settings`, and return at once.

        `grade_all` calls it if nobody has. Call it before this process has threads: see `Lane`.
        """
        if self.processes == 1 or self._lanes:
            return
        all_exercises()
        if sys.platform == "linux":
            self._worked_out = WorkedOut()
            share(self._worked_out)
        with frozen():
            # Only the first prepares its isolation now: the others would delay its first result.
            self._lanes = [Lane(settings, not place) for place in range(self.processes)]

    def grade_all(self, jobs: Iterable[Job], settings: Settings) -> Iterator[Grading]:
        """See `graders.executors.Executor`."""
        if self.processes == 1:
            yield from _one_by_one(iter(jobs), settings)
            return
        with self:
            self.begin(settings)
            suspects = yield from self._grade(jobs, settings)
            # Grade what was under way when a process died one by one, to find the culprit.
            for job in suspects:
                if (yield from self._grade([job], settings)):
                    yield failed(
                        job, "The grader's own process ended while it judged this submission."
                    )

    def _grade(
        self, jobs: Iterable[Job], settings: Settings
    ) -> Generator[Grading, None, list[Job]]:
        """Grade `jobs`, reading them meanwhile; returns the jobs of processes that died."""
        broken: list[Job] = []
        shares, coming = Shares(), iter(jobs)
        more, begun = True, 0.0
        while True:
            reads = more and not shares.full
            if reads:
                job = next(coming, None)
                more = job is not None
                if job is not None:
                    shares.add(job)
                    begun = begun or time.monotonic()
            if begun and time.monotonic() - begun > PATIENCE:
                self._all_warm()
            warm = [lane for lane in self._lanes if lane.warm]
            # While only one process is warm, no job waits behind its first: others may take it.
            _supply_all(warm, shares, AHEAD if len(warm) == len(self._lanes) else 1)
            busy = {lane.connection: lane for lane in self._lanes if lane.under_way}
            if not busy and not more:
                return broken
            for connection in wait(list(busy), 0 if reads else PATIENCE):
                lane = busy[connection]  # type: ignore[index]  # `wait` gives back what it was given
                try:
                    grading = lane.take()
                except LaneEnded:
                    broken += lane.under_way
                    self._lanes.remove(lane)
                    lane.close()
                    self._lanes.append(Lane(settings))
                else:
                    self._all_warm()
                    _supply(lane, shares, AHEAD)
                    yield grading

    def _all_warm(self) -> None:
        for lane in self._lanes:
            lane.warm = True


def _one_by_one(jobs: Iterator[Job], settings: Settings) -> Iterator[Grading]:
    """Grade in this process: the first job at once, the others in the order of `Shares`."""
    for job in islice(jobs, 1):
        yield grade_one(job, choose(settings.isolation, settings.limits), settings)
    shares = Shares()
    while True:
        while not shares.full and (coming := next(jobs, None)) is not None:
            shares.add(coming)
        waiting = shares.next(None)
        if waiting is None:
            return
        yield grade_one(waiting, choose(settings.isolation, settings.limits), settings)


def _supply_all(lanes: Sequence[Lane], shares: Shares, ahead: int) -> None:
    """Hand out jobs to `lanes` in turn, until each has `ahead`."""
    for most in range(1, ahead + 1):
        for lane in lanes:
            _supply(lane, shares, most)


def _supply(lane: Lane, shares: Shares, most: int) -> None:
    """Hand `lane` jobs until it has `most`. If it has ended, its `take` will say so."""
    while len(lane.under_way) < most and (job := shares.next(lane)) is not None:
        try:
            lane.hand(job)
        except LaneEnded:
            return
