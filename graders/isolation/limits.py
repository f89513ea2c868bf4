"""What one submission may use."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

MEBIBYTE = 1024 * 1024
EXERCISES_OF_FULL_LENGTH = 6


@dataclass(frozen=True)
class Limits:
    """Bounds on a worker; each holds whatever the kind of isolation.

    `seconds` is wall time for an exercise: its cell and its checks. Any other cell has as
    much. `submission_seconds` is wall time for the notebook with all that is run again.
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
        """The usual limits, but for the `seconds` of an exercise and the memory that are given."""
        limits = cls()
        if seconds is not None:
            # A generous limit for an exercise is of no use when the notebook's ends it first.
            whole = max(limits.submission_seconds, EXERCISES_OF_FULL_LENGTH * seconds)
            limits = replace(limits, seconds=seconds, submission_seconds=whole)
        if mebibytes is not None:
            limits = replace(limits, memory_bytes=mebibytes * MEBIBYTE)
        return limits

    @property
    def start_seconds(self) -> float:
        """How long a worker may take until it is ready; no student's code runs before."""
        return max(30.0, self.seconds)
