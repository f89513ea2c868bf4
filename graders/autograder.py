"""One submission on Gradescope: `python -m graders.autograder /autograder`.

Reads `submission/` and `source/settings.json` below that folder, writes `results/results.json`.
"""

from __future__ import annotations

import json
import secrets
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

from graders.export import write_gradescope
from graders.gradebook import Entry, Grading
from graders.isolation import IsolationUnavailable, choose
from graders.isolation.limits import Limits
from graders.reading.submissions import Submission, find_submissions
from graders.run.batch import Job, Settings, complete, grade_one
from graders.run.intake import entry_of
from graders.run.seeds import Seeds

SETTINGS = "settings.json"
STUDENT = "submission"
"""The name of the only student's folder; Gradescope itself knows who the student is."""


@dataclass(frozen=True)
class Assignment:
    """What is graded and how; without `lessons`, every lesson that is handed in."""

    lessons: tuple[str, ...] = ()
    isolation: str = "auto"
    limits: Limits = field(default_factory=Limits)

    def to_json(self) -> str:
        """The assignment as `from_json` reads it."""
        return json.dumps(asdict(self), indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The assignment that `to_json` wrote."""
        told: dict[str, Any] = json.loads(text)
        return cls(tuple(told["lessons"]), told["isolation"], Limits(**told["limits"]))


def main(root: Path) -> None:
    """Grade what is below `root`; exits with a message when this machine cannot isolate."""
    assignment = Assignment.from_json((root / "source" / SETTINGS).read_text("utf-8"))
    try:
        gradings = list(grade(root / "submission", assignment))
    except IsolationUnavailable as error:
        sys.exit(str(error))
    write_gradescope(root / "results" / "results.json", gradings)
    print(f"Graded {len(gradings)} file(s).")


def grade(folder: Path, assignment: Assignment) -> Iterator[Grading]:
    """Grade what one student has handed in, on inputs that nobody has seen.

    A lesson of the assignment that was not handed in has a row for each of its exercises, too.
    """
    seeds = Seeds(secrets.randbelow(2**31))
    settings = Settings(assignment.isolation, assignment.limits)
    missing = set(assignment.lessons)
    with tempfile.TemporaryDirectory() as made:
        top = Path(made)
        # Links are not followed: their targets do not belong to the student.
        shutil.copytree(folder, top / STUDENT, symlinks=True)
        for submission in find_submissions(top):
            if assignment.lessons and submission.lesson not in (*assignment.lessons, ""):
                continue
            missing.discard(submission.lesson)
            entry = entry_of(submission, top / STUDENT)
            if entry.problem:
                yield Grading(entry, complete(entry, ()), 0, 0.0, "")
            else:
                job = Job(entry, submission, seeds.seed_of(entry))
                yield grade_one(job, choose(assignment.isolation), settings)
    for lesson in sorted(missing):
        yield _not_handed_in(lesson)


def _not_handed_in(lesson: str) -> Grading:
    name = f"{lesson}.ipynb"
    absent = Submission(STUDENT, lesson, Path(name), problem="It was not handed in.")
    entry: Entry = entry_of(absent, Path(STUDENT))
    return Grading(entry, complete(entry, ()), 0, 0.0, "")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
