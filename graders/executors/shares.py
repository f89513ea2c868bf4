"""Who grades what: submissions checked on the same inputs go to the same process.

The judge works out once in each process what the reference does on some inputs, and keeps it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable

from graders.batch import Job


class Shares:
    """The jobs of a run, dealt out to whoever asks."""

    def __init__(self, jobs: Iterable[Job]) -> None:
        """Jobs of one lesson and seed belong together; such groups go in the order of `jobs`."""
        groups: dict[tuple[str, int], deque[Job]] = {}
        for job in jobs:
            groups.setdefault((job.entry.lesson, job.seed), deque()).append(job)
        self._waiting = deque(groups.values())
        self._of: dict[Hashable, deque[Job]] = {}

    def next(self, asker: Hashable) -> Job | None:
        """The next job for `asker`: of the group it is at, of a new one, or of another's."""
        own = self._of.get(asker)
        if not own:
            own = self._of[asker] = self._waiting.popleft() if self._waiting else self._half()
        return own.popleft() if own else None

    def _half(self) -> deque[Job]:
        """Half of what is left of the largest group, so that all end together."""
        largest = max(self._of.values(), key=len, default=deque())
        taken = [largest.pop() for _ in range((len(largest) + 1) // 2)]
        return deque(reversed(taken))
