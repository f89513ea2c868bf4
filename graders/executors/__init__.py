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
        """Grade `jobs`, yielding each as it is done; the order is that of completion.

        Taking one of `jobs` may mean that it is read first: the place may grade others meanwhile.

        A submission that brings down the process that judges it gets verdicts of status error, and
        costs the others nothing. Raises ExecutorError when the place is not fit for grading, or no
        longer there.
        """


def executor(name: str, processes: int, scheduler: str | None = None) -> Executor:
    """The executor called `name`, of NAMES: `processes` of this machine, or a cluster.

    The cluster is Dask's at the address `scheduler`, or one of `processes` on this machine.
    ExecutorError when what it takes is not installed.
    """
    if name == "dask":
        from graders.executors.dask import Dask

        return Dask(scheduler, processes)
    from graders.executors.local import Local

    return Local(processes)
