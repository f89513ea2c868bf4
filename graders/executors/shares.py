"""Who grades what: submissions of the same lesson go to the same process.

The judge works out once in each process what the reference does on some inputs, and keeps it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable

from graders.run.batch import Job

LOOK_AHEAD = 1_000
LOOK_AHEAD_BYTES = 32 * 1024 * 1024
"""How many jobs, and how much of students' code, wait in memory while others are graded."""


class Shares:
    """The jobs of a run, dealt out to whoever asks; more may come meanwhile."""

    def __init__(self, jobs: Iterable[Job] = ()) -> None:
        """Jobs of one lesson belong together; such groups go in the order of `jobs`."""
        self._waiting: dict[str, deque[Job]] = {}
        self._at: dict[Hashable, str] = {}
        self._of: dict[Hashable, deque[Job]] = {}
        self._count = self._bytes = 0
        for job in jobs:
            self.add(job)

    @property
    def full(self) -> bool:
        """Whether so much is waiting that no more should come until some of it is dealt out."""
        return self._count >= LOOK_AHEAD or self._bytes >= LOOK_AHEAD_BYTES

    def add(self, job: Job) -> None:
        """Have `job` dealt out, too: to whoever is at its lesson already, if anybody is."""
        self._count += 1
        self._bytes += job.submission.packed_bytes
        lesson = job.entry.lesson
        at_it = (self._of[asker] for asker, at in self._at.items() if at == lesson)
        own = next(at_it, None)
        (self._waiting.setdefault(lesson, deque()) if own is None else own).append(job)

    def next(self, asker: Hashable) -> Job | None:
        """The next job for `asker`: of the group it is at, of a new one, or of another's."""
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
        """Half of what is left of the largest group, so that all end together."""
        donor = max(self._of, key=lambda each: len(self._of[each]))
        largest = self._of[donor]
        taken = [largest.pop() for _ in range((len(largest) + 1) // 2)]
        if taken:
            self._at[asker] = self._at[donor]
        return reversed(taken)
