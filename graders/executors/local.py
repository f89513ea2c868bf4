"""On this machine: trusted processes, each driving its own isolated workers.

Processes, not threads: judging runs the reference through the engine, whose modes and random
numbers belong to a process.
"""

from __future__ import annotations

import contextlib
import gc
import os
from collections.abc import Generator, Iterable, Iterator, Sequence
from multiprocessing.connection import wait
from types import TracebackType
from typing import Self

from graders.batch import Job, Settings, failed, grade_one
from graders.executors.lane import Lane, LaneEnded
from graders.executors.shares import Shares
from graders.exercise import all_exercises
from graders.gradebook import Grading
from graders.isolation import choose

AHEAD = 2  # submissions handed to each process ahead of time; the rest stay out of its memory


class Local:
    """Grades with so many processes at a time; a context manager, which ends them."""

    def __init__(self, processes: int) -> None:
        """Nothing is started before `begin` or `grade_all`."""
        self.processes = processes
        self._lanes: list[Lane] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        while self._lanes:
            self._lanes.pop().close()

    def begin(self, settings: Settings) -> None:
        """Start the processes that will grade under `settings`, and return at once.

        May be left out. Best before this process has threads: see `Lane`.
        """
        if self.processes == 1 or self._lanes:
            return
        all_exercises()
        # Who has no processor of their own would only keep the others from a first result.
        at_once = os.cpu_count() or 1
        with _frozen():
            self._lanes = [Lane(settings, place < at_once) for place in range(self.processes)]

    def grade_all(self, jobs: Iterable[Job], settings: Settings) -> Iterator[Grading]:
        """See `graders.executors.Executor`."""
        if self.processes == 1:
            isolation = choose(settings.isolation)
            for job in jobs:
                yield grade_one(job, isolation, settings)
            return
        with self:
            self.begin(settings)
            suspects = yield from self._grade(Shares(jobs), settings)
            # Whoever was under way when a process died is tried again alone: so the culprit shows.
            for job in suspects:
                if (yield from self._grade(Shares([job]), settings)):
                    yield failed(
                        job, "The grader's own process ended while it judged this submission."
                    )

    def _grade(self, shares: Shares, settings: Settings) -> Generator[Grading, None, list[Job]]:
        """Grade what `shares` hold; returns what processes had when they died."""
        broken: list[Job] = []
        _begin([lane for lane in self._lanes if lane.warm], shares)
        while busy := {lane.connection: lane for lane in self._lanes if lane.under_way}:
            for connection in wait(list(busy)):
                lane = busy[connection]  # type: ignore[index]  # `wait` gives back what it was given
                try:
                    grading = lane.take()
                except LaneEnded:
                    broken += lane.under_way
                    self._lanes.remove(lane)
                    lane.close()
                    lane = Lane(settings)
                    self._lanes.append(lane)
                else:
                    yield grading
                _supply(lane, shares)
                _begin([each for each in self._lanes if not each.under_way], shares)
        return broken


@contextlib.contextmanager
def _frozen() -> Iterator[None]:
    """Take what there is from the collector: what it never looks at, copies of us go on sharing."""
    before = gc.get_freeze_count()
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        if not before:
            gc.unfreeze()


def _begin(lanes: Sequence[Lane], shares: Shares) -> None:
    """Hand each of `lanes` what it may have, to all in turn."""
    for most in range(1, AHEAD + 1):
        for lane in lanes:
            _supply(lane, shares, most)


def _supply(lane: Lane, shares: Shares, most: int = AHEAD) -> None:
    """Hand `lane` what it may have; where it has ended, that shows when it is asked."""
    while len(lane.under_way) < most and (job := shares.next(lane)) is not None:
        try:
            lane.hand(job)
        except LaneEnded:
            return
