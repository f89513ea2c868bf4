"""Which process grades which submission: those of the same lesson go to the same process.

In each process the judge runs the reference once on given inputs, and caches the outcome.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable

from graders.run.batch import Job

LOOK_AHEAD = 1_000
LOOK_AHEAD_BYTES = 32 * 1024 * 1024
"""How many jobs, and how many bytes of students' code, wait in memory while others are graded."""


class Shares:
    """The jobs of a run, dealt out to the processes that ask; more jobs may be added meanwhile."""

    def __init__(self, jobs: Iterable[Job] = ()) -> None:
        """Jobs are grouped by lesson; the groups are dealt out in the order of `jobs`."""
        self._waiting: dict[str, deque[Job]] = {}
        self._at: dict[Hashable, str] = {}
        self._of: dict[Hashable, deque[Job]] = {}
        self._count = self._bytes = 0
        for job in jobs:
            self.add(job)

    @property
    def full(self) -> bool:
        """Whether no more jobs should be added until some are dealt out."""
        return self._count >= LOOK_AHEAD or self._bytes >= LOOK_AHEAD_BYTES

    def add(self, job: Job) -> None:
        """Add `job`: for an asker that has its lesson already, if there is one."""
        self._count += 1
        self._bytes += job.submission.packed_bytes
        lesson = job.entry.lesson
        at_it = (self._of[asker] for asker, at in self._at.items() if at == lesson)
        own = next(at_it, None)
        (self._waiting.setdefault(lesson, deque()) if own is None else own).append(job)

    def next(self, asker: Hashable) -> Job | None:
        """The next job for `asker`: from its own group, else a new one, else half of another's."""
        own = self._of.setdefault(asker, deque())
        if not own:
            own.extend(self._group(asker) if self._waiting else self._half(asker))
        if not own:
            return None
        job = own.popleft()
        self._count -= 1
        self._bytes -= job.submission.packed_bytes
        return job

    def _group(self, asker: Hashable) -> deque[Job]:
        self._at[asker] = next(iter(self._waiting))
        return self._waiting.pop(self._at[asker])

    def _half(self, asker: Hashable) -> Iterable[Job]:
        """The second half of the largest group under way, so that all askers end together."""
        donor = max(self._of, key=lambda each: len(self._of[each]))
        largest = self._of[donor]
        taken = [largest.pop() for _ in range((len(largest) + 1) // 2)]
        if taken:
            self._at[asker] = self._at[donor]
        return reversed(taken)
