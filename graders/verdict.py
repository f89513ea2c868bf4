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
"""The type of a StudentError that stands for the end of the student's process, not an exception."""


@dataclass(frozen=True)
class CheckReport:
    """What one check reports: a sentence, and details to unfold.

    `awaits`: it says nothing yet, because a check that it builds on has not passed.
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
    """An exception in a student's code, and the line of that code where it was raised."""

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
    """A mark that points were set by hand: the instructor's reason, and the graded points."""

    reason: str
    found: float


@dataclass(frozen=True)
class Verdict:
    """Points and words for one exercise.

    `findings` are the ids of misconceptions or, without any, of failed checks; `misconception` is
    the one that explains most. `summary` has at most three sentences; `section` is the heading of
    the lesson that explains the exercise. `basis` is the assessment that points and words were
    derived from; `by_hand` is set when an instructor has replaced the points. `source` is the
    beginning of the student's own cell, kept when the answer has not passed.
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
    """The verdict with the most points on each exercise, by id; the first one on a tie."""
    found: dict[str, Verdict] = {}
    for verdict in verdicts:
        known = found.get(verdict.exercise)
        if known is None or verdict.points > known.points:
            found[verdict.exercise] = verdict
    return found
