"""The verdict on one exercise of one submission: plain data, from which every report is made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from graders.judging.assessment import Assessment
from graders.observe.spelling import spelled

STATUSES = (
    "passed",
    "partial",
    "failed",
    "not_attempted",
    "error",
    "timeout",
    "memory_limit",
    "blocked",
)

PROCESS_ENDED = "ProcessEnded"
"""The type of a StudentError that is no exception: the student's process came to an end."""


@dataclass(frozen=True)
class CheckReport:
    """What one check says: a sentence first, details for those who open them.

    `awaits`: it says nothing of its own yet, for what it builds on is not right.
    """

    name: str
    passed: bool
    points: float
    max_points: float
    says: str
    details: str = ""
    awaits: bool = False


@dataclass(frozen=True)
class StudentError:
    """An exception of the student's code, with the line of their own that it came from."""

    type: str
    message: str
    line: int | None = None
    source_line: str = ""

    @classmethod
    def from_json(cls, data: object) -> Self | None:
        """Return the error that `data` describes, None where it describes none."""
        if not isinstance(data, Mapping) or not isinstance(data.get("type"), str):
            return None
        line = data.get("line")
        return cls(
            spelled(data["type"][:200]),
            spelled(str(data.get("message", ""))[:2_000]),
            line if type(line) is int and 0 < line < 10**9 else None,
            spelled(str(data.get("source_line", ""))[:500]),
        )


@dataclass(frozen=True)
class ByHand:
    """That points were set by hand: the instructor's reason, and the points that were found."""

    reason: str
    found: float


@dataclass(frozen=True)
class Verdict:
    """Points and words for one exercise.

    `findings` are ids of misconceptions, else of failed checks; `summary` has at most three
    sentences; `misconception` is the id of the one that explains most; `section` is the heading of
    the lesson that explains the exercise. `basis` is what points and words were put to,
    `by_hand` tells that an instructor has replaced the points. `source` is the beginning of
    the student's own cell, kept where there is something to say about it.
    """

    exercise: str
    lesson: str
    title: str
    symbol: str
    status: str
    points: float
    max_points: float
    findings: tuple[str, ...] = ()
    summary: str = ""
    checks: tuple[CheckReport, ...] = ()
    misconception: str | None = None
    remarks: tuple[str, ...] = ()
    error: StudentError | None = None
    output: str = ""
    section: str = ""
    basis: Assessment | None = None
    by_hand: ByHand | None = None
    source: str = ""

    def __post_init__(self) -> None:
        if self.status not in STATUSES:
            raise ValueError(f"unknown status {self.status!r}")

    def to_json(self) -> dict[str, Any]:
        """Return the verdict as JSON data, from which `from_json` makes an equal one."""
        return {
            **vars(self),
            "checks": [vars(check) for check in self.checks],
            "error": vars(self.error) if self.error else None,
            "basis": self.basis.to_json() if self.basis else None,
            "by_hand": vars(self.by_hand) if self.by_hand else None,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the verdict that `to_json` wrote."""
        fields = dict(data)
        fields["checks"] = tuple(CheckReport(**check) for check in fields["checks"])
        fields["error"] = StudentError(**fields["error"]) if fields["error"] else None
        fields["findings"] = tuple(fields["findings"])
        fields["remarks"] = tuple(fields["remarks"])
        fields["basis"] = Assessment.from_json(fields["basis"]) if fields.get("basis") else None
        fields["by_hand"] = ByHand(**fields["by_hand"]) if fields.get("by_hand") else None
        return cls(**fields)


def best(verdicts: Iterable[Verdict]) -> dict[str, Verdict]:
    """One verdict an exercise: a lesson handed in twice counts once, with the better answers."""
    found: dict[str, Verdict] = {}
    for verdict in verdicts:
        known = found.get(verdict.exercise)
        if known is None or verdict.points > known.points:
            found[verdict.exercise] = verdict
    return found
