"""What is known so far about one exercise of a submission, and how observing it may end early."""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass, field

from graders.exercise import Exercise
from graders.observation import Observation, Observations
from graders.verdict import PROCESS_ENDED, StudentError

NO_MORE = "The code ended the Python process that ran it."

MEMORY_ERRORS = frozenset({"MemoryError", "_ArrayMemoryError"})
NO_MEMORY = "[Errno 12] "
REFUSING = frozenset(
    {"BlockingIOError", "ConnectionError", "OSError", "RuntimeError", "URLError", "gaierror"}
)
REFUSALS = (
    "[Errno 1] ",
    "[Errno 11] ",
    "[Errno 13] ",
    "[Errno 24] ",
    "[Errno 27] ",
    "[Errno 28] ",
    "[Errno 101] ",
    "[Errno -2] ",
    "[Errno -3] ",
    "can't start new thread",
)
"""What a call that the isolation refuses raises besides PermissionError: parts of the messages.

In order: not permitted, no further process, permission denied, too many open files, file too large,
no space left, no network, no address for a host's name (twice), no further thread.
"""

PATH_ERRORS = frozenset({"FileNotFoundError", "NotADirectoryError", "PermissionError"})
OUTSIDE = re.compile(r"\[Errno \d+\] [^']*'(?!/(?:tmp|scratch|var/tmp)/[^/']*')(?:/|\.\./)")
"""The message of an error about a path that leads out of a worker's own folder."""

SIGNALS = {
    "SIGKILL": "memory_limit",  # by the kernel, when the machine's memory runs out
    "SIGXCPU": "timeout",
    "SIGSYS": "blocked",
}


@dataclass
class Answer:
    """What is known so far about one exercise; `cell` is None when no cell defines its symbol.

    `parts` are the cells that make up the answer: an error or a limit in any of them counts for
    this exercise. `instead` is a similar name that the cell defines in place of the symbol,
    `missed` a sentence about a name that the code looked for and did not find.
    """

    exercise: Exercise
    cell: int | None
    parts: frozenset[int] = frozenset()
    instead: str = ""
    missed: str = ""
    found: bool = False
    fingerprint: str = ""
    checks: dict[str, Observation] = field(default_factory=dict)
    error: StudentError | None = None
    stopped: str | None = None
    output: str = ""
    examined: bool = False
    settled: bool = False

    def observations(self) -> Observations:
        """What the judge reads."""
        blocked = not self.found and refused(self.error)
        return Observations(
            self.found,
            self.fingerprint,
            dict(self.checks),
            self.error,
            self.stopped or ("blocked" if blocked else None),
            self.output,
            self.instead,
            self.missed,
        )

    def stop(self, status: str, error: StudentError | None) -> None:
        """End the observation early: `status` is timeout, memory_limit, blocked or error."""
        self.settled = True
        self.error = error or self.error
        if status == "error":
            # The interpreter ended: the checks seen before that say nothing about the others.
            self.found, self.checks = False, {}
        else:
            self.stopped = status


def limit_told_by(error: StudentError | None) -> str | None:
    """The status that `error` stands for: memory_limit, blocked, or None for an ordinary error."""
    if error is None:
        return None
    if error.type in MEMORY_ERRORS or (error.type == "OSError" and NO_MEMORY in error.message):
        return "memory_limit"
    if asked_outside(error):
        return None
    told = error.type in REFUSING and any(text in error.message for text in REFUSALS)
    if told or error.type == "PermissionError":
        return "blocked"
    return None


def refused(error: StudentError | None) -> bool:
    """Whether `error` comes from a call that the isolation does not allow."""
    return asked_outside(error) or limit_told_by(error) == "blocked"


def asked_outside(error: StudentError | None) -> bool:
    """Whether `error` names a file outside the worker's own folders, whether or not it exists.

    `limit_told_by` treats it as an ordinary error: a student who has solved an exercise may still
    look for a file of their own.
    """
    return (
        error is not None and error.type in PATH_ERRORS and OUTSIDE.match(error.message) is not None
    )


def told_by_signal(number: int) -> tuple[str, StudentError | None]:
    """Status and error of an exercise whose process was ended by signal `number`, 0 for none."""
    if number:
        try:
            name = signal.Signals(number).name
        except ValueError:
            name = str(number)
        if name in SIGNALS:
            return SIGNALS[name], None
        return "error", ended(f"The code crashed the Python interpreter (signal {name}).")
    return "error", ended(NO_MORE)


def ended(message: str) -> StudentError:
    """The error of an exercise whose process cannot go on."""
    return StudentError(PROCESS_ENDED, message)
