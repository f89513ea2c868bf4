"""What happens in one of Dask's workers: batches are graded, on one thread, and tidied up after."""

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

# Judging belongs to a process, and isolated workers end with the thread that started them: a Dask
# worker grades one submission at a time, whatever its number of threads, and always on this one.
_thread = ThreadPoolExecutor(1, thread_name_prefix="grading")


@functools.cache
def installed() -> str:
    """A name for the grader and the exercises that are installed here."""
    return digest_of([files("graders"), files("autograd_core")])


class OtherVersion(Exception):  # noqa: N818  (what is the case, told of another machine)
    """This worker has other exercises or another grader than the one who asked."""


class Station(WorkerPlugin):
    """Has a worker's isolated workers ended when it closes, or when the run is over."""

    def __init__(self, name: str) -> None:
        self.name = name

    def teardown(self, worker: Any) -> None:
        """End every isolated worker of this Dask worker."""
        _thread.submit(close_all).result()


def grade_batch(jobs: Sequence[Job], settings: Settings, expected: str) -> list[Grading]:
    """Grade `jobs` one after the other.

    Raises IsolationUnavailable, and OtherVersion where what is `installed` is not `expected`.
    """
    return _thread.submit(_grade_batch, jobs, settings, expected).result()


def _grade_batch(jobs: Sequence[Job], settings: Settings, expected: str) -> list[Grading]:
    if installed() != expected:
        raise OtherVersion("it has another version of autograd-lessons")
    isolation = choose(settings.isolation, settings.limits)
    return [grade_one(job, isolation, settings) for job in jobs]
