"""Takes in the submissions of a run: reads them, enters them in the roster, and passes on jobs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from graders.filenames import printable, student_name
from graders.gradebook import Entry, Grading
from graders.gradebook.edition import edition, wording
from graders.reading.submissions import Found, Submission
from graders.run.batch import Job, complete
from graders.run.found import FACT as IGNORED
from graders.run.found import IgnoredFiles
from graders.run.regrading import Planning
from graders.run.seeds import Seeds
from graders.run.shard import Shard

SHARD = "shard"
SUBMISSIONS = "submissions"
"""The gradebook's notes of which part of the class it has, and from which folder."""

DAMAGED = "damaged"
"""The gradebook's note of how many files could be read in parts only."""


class Intake:
    """The submissions of one run, read one student after another while others are graded.

    The gradebook's roster is written when all have been read; gradings are recorded even before.
    `to_run` counts the submissions that are new or have to be graded again, `readable` those of
    them that can be read, `damaged` all that were read in parts only.
    """

    def __init__(
        self, found: Found, top: Path, shard: Shard | None, planning: Planning, seeds: Seeds
    ) -> None:
        """Nothing is read before `jobs` is iterated."""
        self._found = found
        self._top = top
        self._shard = shard
        self._planning = planning
        self._seeds = seeds
        self._places: dict[Entry, tuple[str, ...]] = {}
        self.complete = False
        self.to_run = 0
        self.readable = 0
        self.damaged = 0

    def jobs(self) -> Iterator[Job]:
        """The submissions to run, as they are read; unreadable ones are recorded on the way."""
        gradebook = self._planning.gradebook
        for submission in self._found:
            if self._shard is not None and not self._shard.has(submission.student):
                continue
            entry = entry_of(submission, self._top)
            if entry in self._places:
                continue
            self._places[entry] = submission.path.parts
            self.damaged += submission.damaged
            if not self._planning.has_to_run(entry):
                continue
            self.to_run += 1
            seed = self._seeds.seed_of(entry)
            if entry.problem:
                gradebook.record(Grading(entry, complete(entry, ()), seed, 0.0, ""))
            else:
                self.readable += 1
                yield Job(entry, submission, seed)
        gradebook.enroll(self._places)
        gradebook.note(SHARD, str(self._shard or ""))
        gradebook.note(SUBMISSIONS, printable(str(self._top.absolute())))
        gradebook.note(IGNORED, self.ignored.to_json())
        gradebook.note(DAMAGED, str(self.damaged))
        self.complete = True

    @property
    def entries(self) -> list[Entry]:
        """All entries of this run, in order of path."""
        return sorted(self._places, key=lambda entry: self._places[entry])

    @property
    def ignored(self) -> IgnoredFiles:
        """The files that are not submissions."""
        return IgnoredFiles.of(self._found.ignored, self._top)


def entry_of(submission: Submission, top: Path) -> Entry:
    """The roster's line for `submission`; its path is relative to `top`, which may be moved."""
    path = Path(submission.path)
    shown = path.relative_to(top) if path.is_relative_to(top) else path
    return Entry(
        student=student_name(submission.student),
        lesson=printable(submission.lesson),
        path=printable(shown.as_posix()),
        digest=submission.digest,
        exercise_set=edition(submission.lesson),
        problem=printable(submission.problem or ""),
        wording=wording(submission.lesson),
        note=printable(submission.note),
    )
