"""What runs in a Dask worker: batches are graded on one thread, and cleaned up after."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from typing import Any

from distributed import WorkerPlugin

from graders.gradebook import Grading
from graders.gradebook.edition import digest_of
from graders.isolation import choose
from graders.isolation.nursery import close_all
from graders.run.batch import Job, Settings, grade_one

# The engine's modes and random numbers belong to the process, and isolated workers end with the
# thread that started them. So a Dask worker grades one submission at a time, always on this thread.
_thread = ThreadPoolExecutor(1, thread_name_prefix="grading")


@functools.cache
def installed() -> str:
    """A digest of the grader, the exercises and the engine that are installed here."""
    return digest_of([files("graders"), files("autograd_core")])


class OtherVersion(Exception):  # noqa: N818  (what is the case, told of another machine)
    """This worker has other exercises or another grader than the process that sent the batch."""


class Station(WorkerPlugin):
    """Ends the isolated workers of a Dask worker when it closes, or when the run is over."""

    def __init__(self, name: str) -> None:
        self.name = name

    def teardown(self, worker: Any) -> None:
        """End every isolated worker of this Dask worker."""
        _thread.submit(close_all).result()


def grade_batch(jobs: Sequence[Job], settings: Settings, expected: str) -> list[Grading]:
    """Grade `jobs` one after another.

    Raises IsolationUnavailable, and OtherVersion when `installed()` is not `expected`.
    """
    return _thread.submit(_grade_batch, jobs, settings, expected).result()


def _grade_batch(jobs: Sequence[Job], settings: Settings, expected: str) -> list[Grading]:
    if installed() != expected:
        raise OtherVersion("it has another version of autograd-lessons")
    isolation = choose(settings.isolation, settings.limits)
    return [grade_one(job, isolation, settings) for job in jobs]
