"""Grading on this machine: trusted processes, each of which drives its own isolated workers.

They are processes and not threads because judging runs the reference through the engine, and the
engine has one state of modes and random numbers for each process.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Generator, Iterable, Iterator
from itertools import islice
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any, Self

from graders.collector import frozen
from graders.executors.lane import Lane, LaneEnded
from graders.executors.shares import Shares
from graders.exercise import all_exercises
from graders.gradebook import Grading
from graders.isolation import choose
from graders.judging.recognition import share
from graders.run.batch import Job, Settings, failed, grade_one

if TYPE_CHECKING:
    from graders.judging.worked_out import WorkedOut

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
            from graders.judging.worked_out import WorkedOut

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
            suspects = yield from _Pass(self._lanes, jobs, settings).gradings()
            # Grade what was under way when a process died one by one, to find the culprit.
            for job in suspects:
                if (yield from _Pass(self._lanes, [job], settings).gradings()):
                    yield failed(
                        job, "The grader's own process ended while it judged this submission."
                    )


class _Pass:
    """One pass through jobs: they are read, shared out among `lanes`, and graded once.

    A lane whose process dies is replaced in `lanes`.
    """

    def __init__(self, lanes: list[Lane], jobs: Iterable[Job], settings: Settings) -> None:
        self._lanes = lanes
        self._settings = settings
        self._coming = iter(jobs)
        self._more = True
        self._first_read: float | None = None
        self._shares = Shares()
        self._suspects: list[Job] = []

    def gradings(self) -> Generator[Grading, None, list[Job]]:
        """Yield each grading when it is done; return the jobs of processes that died."""
        while True:
            reads = self._more and not self._shares.full
            if reads:
                self._read_one()
            if self._first_read and time.monotonic() - self._first_read > PATIENCE:
                self._warm_all()
            self._supply_warm()
            busy: dict[Any, Lane] = {
                lane.connection: lane for lane in self._lanes if lane.under_way
            }
            if not busy and not self._more:
                return self._suspects
            for connection in wait(list(busy), 0 if reads else PATIENCE):
                grading = self._take(busy[connection])
                if grading is not None:
                    yield grading

    def _read_one(self) -> None:
        job = next(self._coming, None)
        if job is None:
            self._more = False
            return
        self._shares.add(job)
        self._first_read = self._first_read or time.monotonic()

    def _warm_all(self) -> None:
        for lane in self._lanes:
            lane.warm = True

    def _supply_warm(self) -> None:
        """Hand jobs to the warm lanes in turn, until each has enough."""
        warm = [lane for lane in self._lanes if lane.warm]
        # While only one process is warm, no job waits behind its first: others may take it.
        enough = AHEAD if len(warm) == len(self._lanes) else 1
        for most in range(1, enough + 1):
            for lane in warm:
                self._supply(lane, most)

    def _supply(self, lane: Lane, most: int) -> None:
        """Hand `lane` jobs until it has `most`. If it has ended, its `take` will say so."""
        while len(lane.under_way) < most and (job := self._shares.next(lane)) is not None:
            try:
                lane.hand(job)
            except LaneEnded:
                return

    def _take(self, lane: Lane) -> Grading | None:
        """The next grading of `lane`; None if its process has died, so that another is started."""
        try:
            grading = lane.take()
        except LaneEnded:
            self._suspects += lane.under_way
            self._lanes.remove(lane)
            lane.close()
            self._lanes.append(Lane(self._settings))
            return None
        self._warm_all()
        self._supply(lane, AHEAD)
        return grading


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
