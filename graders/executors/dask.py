"""Grading on a cluster: batches of submissions go to Dask's workers, which isolate what they run.

Losing a worker costs time only, because Dask gives its batches to others. When all workers are
lost, the run waits for new ones, but only for a while.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, suppress
from itertools import chain, islice
from typing import Any
from uuid import uuid4

from graders.executors import ExecutorError
from graders.executors.shares import LOOK_AHEAD
from graders.gradebook import Grading
from graders.isolation import IsolationUnavailable
from graders.run.batch import Job, Settings, failed

try:
    import distributed
    from distributed.comm import CommClosedError

    from graders.executors.station import OtherVersion, Station, grade_batch, installed
except ImportError as missing:
    raise ExecutorError(
        "--executor dask needs the extra «dask», which is not installed here"
        f" ({missing}). Install it: pip install 'autograd-lessons[dask]'"
    ) from missing

BATCH = 50
ROUNDS = 3
"""Batches shrink so that each worker still gets this many, and all of them end together."""

AHEAD = 2  # batches handed to the cluster ahead of each worker; the rest stay out of its memory
CONNECT_SECONDS = 30
WORKERLESS_SECONDS = 120
"""How long to wait for a new worker when a cluster has lost all of them."""

LOOKING_SECONDS = 0.02
ASKING_SECONDS = 1.0
"""How often to look whether a batch is done, and to ask whether there are any workers."""

log = logging.getLogger(__name__)


class Dask:
    """Grades on the cluster whose scheduler is at `address`, or else on one that it starts."""

    def __init__(self, address: str | None, processes: int) -> None:
        """Nothing is started or connected before `grade_all`."""
        self._address = address
        self._processes = processes

    def grade_all(self, jobs: Iterable[Job], settings: Settings) -> Iterator[Grading]:
        """See `graders.executors.Executor`."""
        coming = iter(jobs)
        first = next(coming, None)
        if first is None:
            return
        with ExitStack() as stack:
            client = self._client(stack)
            where = "the Dask scheduler" + (f" at {self._address}" if self._address else "")
            station = Station(f"autograd-lessons-{uuid4().hex}")
            client.register_plugin(station)
            stack.callback(_leave, client, station)
            cluster = _Cluster(client, settings, where)
            suspects = yield from cluster.grade(chain([first], coming))
            # Grade the jobs of a batch that killed several workers one by one, to find the culprit.
            for job in suspects:
                if (yield from cluster.grade([job])):
                    yield failed(job, "Worker after worker ended while it judged this submission.")

    def _client(self, stack: ExitStack) -> Any:
        address: Any = self._address
        if address is None:
            address = stack.enter_context(
                distributed.LocalCluster(
                    n_workers=self._processes,
                    threads_per_worker=1,
                    host="127.0.0.1",
                    dashboard_address="127.0.0.1:0",
                    memory_limit=0,
                    silence_logs=logging.ERROR,
                )
            )
            # Dask does not replace a worker that dies while it starts, unless it adapts.
            address.adapt(minimum=self._processes, maximum=self._processes)
        where = f"the Dask scheduler at {self._address}"
        try:
            client = stack.enter_context(
                distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
            )
        except (OSError, TimeoutError, ValueError) as error:
            raise ExecutorError(f"Cannot reach {where}: {error}") from error
        try:
            client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        except TimeoutError:
            raise ExecutorError(
                f"No workers have joined {where}. Start some, then run the same command again."
            ) from None
        return client


def batch_size(waiting: int, workers: int) -> int:
    """How many submissions go in the next batch: BATCH, or fewer when few are `waiting`."""
    return max(1, min(BATCH, waiting // (ROUNDS * workers)))


class _Cluster:
    """A cluster that is being given batches."""

    def __init__(self, client: Any, settings: Settings, where: str) -> None:
        self._client = client
        self._settings = settings
        self._where = where

    def grade(self, jobs: Iterable[Job]) -> Generator[Grading, None, list[Job]]:
        """Grade `jobs`, reading them meanwhile; returns those whose batches no worker survived.

        Only as many jobs wait in memory as full batches need, because a class may be large.
        """
        coming = iter(jobs)
        waiting: deque[Job] = deque()
        under_way: dict[Any, list[Job]] = {}
        arriving = distributed.as_completed(loop=self._client.loop)
        suspects: list[Job] = []
        try:
            while True:
                workers = max(1, len(self._client.nthreads()))
                wanted = LOOK_AHEAD + BATCH * ROUNDS * workers
                if read := list(islice(coming, max(0, wanted - len(waiting)))):
                    # Lesson by lesson, because the judge caches what the reference does.
                    waiting = deque(sorted([*waiting, *read], key=lambda job: job.entry.lesson))
                if not (waiting or under_way):
                    break
                while waiting and len(under_way) < AHEAD * workers:
                    size = batch_size(len(waiting), workers)
                    batch = [waiting.popleft() for _ in range(size)]
                    future = self._submit(batch)
                    under_way[future] = batch
                    arriving.add(future)
                self._wait(arriving)
                future = next(arriving)
                batch = under_way.pop(future)
                try:
                    yield from future.result()
                except distributed.KilledWorker:
                    suspects += batch
        except (CancelledError, CommClosedError, OSError) as error:
            raise ExecutorError(
                f"The connection with the Dask scheduler was lost ({error}). What was graded is"
                " kept; the same command goes on from there."
            ) from error
        except IsolationUnavailable as error:
            raise ExecutorError(f"A Dask worker cannot grade. {error}") from error
        except (OtherVersion, ImportError) as error:
            raise ExecutorError(
                f"A Dask worker cannot grade: {error}. Install this autograd-lessons on every"
                " machine of the cluster, then run the same command again."
            ) from error
        return suspects

    def _wait(self, arriving: Any) -> None:
        """Return when a batch is done. Raises ExecutorError when all workers stay away."""
        last_seen = asked = time.monotonic()
        while not arriving.has_ready():
            time.sleep(LOOKING_SECONDS)
            if time.monotonic() - asked < ASKING_SECONDS:
                continue
            asked = time.monotonic()
            if self._client.nthreads():
                last_seen = asked
            elif asked - last_seen > WORKERLESS_SECONDS:
                raise ExecutorError(
                    f"All workers of {self._where} are gone, and none has come back for"
                    f" {WORKERLESS_SECONDS} seconds. What was graded is kept. Start workers, or"
                    " leave out --executor, and run the same command again: it goes on from there."
                )
            elif asked - last_seen < 2 * ASKING_SECONDS:
                log.warning(
                    "%s has no workers: waiting up to %d s for some.",
                    self._where[0].upper() + self._where[1:],
                    WORKERLESS_SECONDS,
                )

    def _submit(self, batch: list[Job]) -> Any:
        return self._client.submit(grade_batch, batch, self._settings, installed(), pure=False)


def _leave(client: Any, station: Station) -> None:
    # If the cluster is gone, there are no workers to tidy up.
    with suppress(OSError, TimeoutError, CommClosedError):
        client.unregister_worker_plugin(station.name)
