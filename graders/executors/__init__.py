"""Where submissions are graded: on this machine, or on a cluster. Both give the same results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from graders.gradebook import Grading
    from graders.run.batch import Job, Settings

NAMES = ("local", "dask")


class ExecutorError(Exception):
    """Grading cannot begin, or go on, in this place; the message says why and what to do."""


class Executor(Protocol):
    """A place where submissions are graded."""

    def grade_all(self, jobs: Iterable[Job], settings: Settings) -> Iterator[Grading]:
        """Grade `jobs`, yielding each grading in order of completion.

        `jobs` may be lazy: reading the next job may take a while, and the executor may grade others
        meanwhile. A submission that crashes the process that judges it gets verdicts of status
        error, and no other submission is affected. Raises ExecutorError when the executor cannot
        grade, or is lost.
        """


def executor(name: str, processes: int, scheduler: str | None = None) -> Executor:
    """The executor called `name`, which is one of NAMES.

    "local" is so many `processes` on this machine, "dask" the cluster at the address `scheduler`
    or, without one, a cluster of so many `processes` on this machine. ExecutorError when Dask is
    needed and not installed.
    """
    if name == "dask":
        from graders.executors.dask import Dask

        return Dask(scheduler, processes)
    from graders.executors.local import Local

    return Local(processes)
