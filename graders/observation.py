"""What was observed of one exercise in one submission, validated: it comes from the student's side.

Nothing in it is a verdict. `Observations` is what the judge reads, whoever did the observing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from graders.observe import codec
from graders.verdict import StudentError

MAX_RECORDS = 2_000
MAX_STDOUT = 4_000


@dataclass(frozen=True)
class Observation:
    """What one check saw: records and notes by name, the exception that ended it, what it printed.

    Values are plain data as `codec.decode` yields it. `digest` is the hash of the bytes that the
    observation came in, empty if they were not hashed. `sent` are the random gradients that were
    sent back, by the prefix of the records' names; only the judge's own observations have them.
    """

    records: Mapping[str, Any] = field(default_factory=dict)
    notes: Mapping[str, Any] = field(default_factory=dict)
    error: StudentError | None = None
    stdout: str = ""
    digest: bytes = b""
    sent: Mapping[str, np.ndarray] = field(default_factory=dict)

    @classmethod
    def from_json(cls, data: Mapping[str, Any], digest: bytes = b"") -> Self:
        """Return the observation that `observe` described; CodecError for anything else."""
        return cls(
            _values(data.get("records")),
            _values(data.get("notes")),
            StudentError.from_json(data.get("error")),
            _text(data.get("stdout"))[:MAX_STDOUT],
            digest,
        )


@dataclass(frozen=True)
class Observations:
    """What is known of one exercise: its symbol, what each check saw, and what went wrong.

    `found` says whether the symbol exists, and `fingerprint` identifies the object it names.
    `error` is the exception that ended the student's cell, `stopped` the status (timeout,
    memory_limit, blocked) if the observation was ended from outside, `output` what the cell
    printed. If the symbol was not found, `instead` is a similar name that the answer may have.
    `missed` is a sentence about a name that the code did not find.
    """

    found: bool
    fingerprint: str = ""
    checks: Mapping[str, Observation] = field(default_factory=dict)
    error: StudentError | None = None
    stopped: str | None = None
    output: str = ""
    instead: str = ""
    missed: str = ""


def _values(data: object) -> dict[str, Any]:
    if not isinstance(data, dict) or len(data) > MAX_RECORDS:
        raise codec.CodecError("records are no dict of moderate size")
    if not all(isinstance(name, str) and len(name) <= codec.MAX_TEXT for name in data):
        raise codec.CodecError("a record's name is no short text")
    return {name: codec.decode(value) for name, value in data.items()}


def _text(data: object) -> str:
    return data if isinstance(data, str) else ""
