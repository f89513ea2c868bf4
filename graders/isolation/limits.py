"""What one submission may use."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

MEBIBYTE = 1024 * 1024
EXERCISES_OF_FULL_LENGTH = 6


@dataclass(frozen=True)
class Limits:
    """Bounds on a worker, which hold under every kind of isolation.

    `seconds` is the wall time for an exercise, that is, its cell and its checks, and for any other
    cell. `submission_seconds` is the wall time for all workers of a notebook together.
    """

    seconds: float = 10.0
    submission_seconds: float = 60.0
    memory_bytes: int = 1024 * MEBIBYTE
    output_bytes: int = 64 * 1024
    scratch_bytes: int = 16 * MEBIBYTE
    open_files: int = 64

    def __post_init__(self) -> None:
        if min(vars(self).values()) <= 0:
            raise ValueError("every limit must be positive")

    @classmethod
    def asked(cls, seconds: float | None = None, mebibytes: int | None = None) -> Self:
        """The usual limits, except for those that are given: an exercise's `seconds`, memory."""
        limits = cls()
        if seconds is not None:
            # Raise the notebook's limit, too: it would otherwise be reached first.
            whole = max(limits.submission_seconds, EXERCISES_OF_FULL_LENGTH * seconds)
            limits = replace(limits, seconds=seconds, submission_seconds=whole)
        if mebibytes is not None:
            limits = replace(limits, memory_bytes=mebibytes * MEBIBYTE)
        return limits

    @property
    def start_seconds(self) -> float:
        """How long a worker may take to get ready, before any student's code runs."""
        return max(30.0, self.seconds)
