"""Many submissions at a time: a pool of trusted processes, each driving its own isolated workers.

Processes, not threads: judging runs the reference through the engine, whose modes and random
numbers belong to a process.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection

from graders.exercise import exercises_of
from graders.gradebook import Entry, Grading
from graders.isolation import Isolation, choose
from graders.isolation.limits import Limits
from graders.runner import grade_submission, unjudged
from graders.submissions import Submission
from graders.verdict import Verdict

AHEAD = 2  # submissions handed to the pool ahead of each process; the rest stay out of memory


@dataclass(frozen=True)
class Job:
    """One submission to grade, and the seed of its inputs."""

    entry: Entry
    submission: Submission
    seed: int


Grade = Callable[[Submission, Isolation, Limits, int], list[Verdict]]


@dataclass(frozen=True)
class Settings:
    """What holds for every submission of a run; `grade` is what grades one."""

    isolation: str
    limits: Limits
    grade: Grade = grade_submission


def grade_all(jobs: Iterable[Job], settings: Settings, processes: int) -> Iterator[Grading]:
    """Grade `jobs`, yielding each as it is done; the order is that of completion.

    A submission that brings down the process that judges it gets verdicts of status error, and
    costs the others nothing.
    """
    if processes == 1:
        isolation = choose(settings.isolation)
        for job in jobs:
            yield grade_one(job, isolation, settings)
        return
    rest = iter(jobs)
    suspects: list[Job] = []
    while broken := (yield from _pooled(rest, settings, processes)):
        suspects += broken
    # Whoever was under way when a process died is tried again alone: so the culprit shows.
    for job in suspects:
        if (yield from _pooled(iter([job]), settings, 1)):
            yield _failed(job, "The grader's own process ended while it judged this submission.")


def grade_one(job: Job, isolation: Isolation, settings: Settings) -> Grading:
    """Grade one submission in this process. Never raises: what goes wrong becomes a verdict."""
    started = time.monotonic()
    try:
        verdicts = settings.grade(job.submission, isolation, settings.limits, job.seed)
    except Exception as error:
        return _failed(job, f"The grader failed on this submission ({type(error).__name__}).")
    return Grading(
        entry=job.entry,
        verdicts=complete(job.entry, verdicts),
        seed=job.seed,
        seconds=time.monotonic() - started,
        isolation=isolation.name,
        limits=asdict(settings.limits),
    )


def complete(
    entry: Entry,
    verdicts: Iterable[Verdict],
    missing: str = "The grader has no result for this exercise.",
) -> tuple[Verdict, ...]:
    """`verdicts` with a row for each exercise of the lesson, in the lesson's order.

    Rows that are not there say why: the submission's problem, or `missing`. One row, for no
    exercise, stands for a submission that could not even be told to be some lesson's.
    """
    by_exercise = {verdict.exercise: verdict for verdict in verdicts}
    missing = entry.problem or missing
    rows = [
        by_exercise.pop(exercise.id) if exercise.id in by_exercise else unjudged(exercise, missing)
        for exercise in exercises_of(entry.lesson)
    ]
    return (*rows, *by_exercise.values()) or (_unplaced(entry, missing),)


def _unplaced(entry: Entry, why: str) -> Verdict:
    return Verdict(
        exercise="unknown",
        lesson=entry.lesson,
        title="Unknown exercise",
        symbol="",
        status="error",
        points=0.0,
        max_points=0.0,
        summary=why,
    )


def _failed(job: Job, why: str) -> Grading:
    return Grading(job.entry, complete(job.entry, (), why), job.seed, 0.0, "")


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
