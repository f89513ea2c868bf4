"""One run of `autograd-lessons grade`: find, grade what is new, write everything out, sum up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from graders.batch import Job, Settings, complete
from graders.edition import edition, wording
from graders.executors import Executor, ExecutorError, executor
from graders.executors.local import Local
from graders.export import grades_csv, write_gradescope, write_whole
from graders.filenames import file_names, printable
from graders.found import FACT as IGNORED
from graders.found import IgnoredFiles, notes_of
from graders.gradebook import Entry, Gradebook, GradebookError, Grading
from graders.isolation import IsolationUnavailable, limitations
from graders.isolation.limits import MEBIBYTE, Limits
from graders.reading import Unreadable
from graders.regrading import Plan, Regrading, RegradingError, plan
from graders.report import feedback_page, report_page, summarize
from graders.report.summary import ClassSummary
from graders.report.terminal import tell
from graders.report.words import counted
from graders.seeds import Seeds
from graders.shard import Shard
from graders.submissions import Submission, find_hand_ins

WITH_ABSENT = "with absent"
"""Under which the gradebook notes whether the results that were written have absent students."""

SHARD = "shard"
SUBMISSIONS = "submissions"
"""Under which the gradebook notes which part of the class it has, and from which folder."""

DAMAGED = "damaged"
"""Under which it notes how many files could be read in parts only."""

EXERCISES_OF_FULL_LENGTH = 6
NAMED = 5


class RunError(Exception):
    """The run cannot be done as asked; the message says why and what to do."""


@dataclass(frozen=True)
class GradingRun:
    """What was asked for on the command line; calling it does it."""

    submissions: Path
    out: Path
    isolation: str = "auto"
    seed: int | None = None
    jobs: int = 1
    timeout: float | None = None
    memory: int | None = None
    regrade: Sequence[str] = ()
    with_absent: bool = False
    executor: str = "local"
    scheduler: str | None = None
    shard: Shard | None = None

    def __call__(self) -> int:
        """Grade, write and tell; the number of submissions not wholly read, or not graded.

        Raises RunError when there is nothing to grade, no isolation, or nowhere to write to.
        """
        try:
            return self._run()
        except (GradebookError, IsolationUnavailable, RegradingError, ExecutorError) as error:
            raise RunError(str(error)) from error
        except Unreadable as error:
            raise RunError(f"Cannot read {self.submissions}. {error}") from error
        except OSError as error:
            where = f" ({error.filename})" if error.filename else ""
            raise RunError(
                f"Cannot go on: {error.strerror or error}{where}. What was graded is kept; when"
                " this is put right, run the same command again."
            ) from error

    def _run(self) -> int:
        limits = self.limits()
        with ExitStack() as stack:
            place = executor(self.executor, self.jobs, self.scheduler)
            if isinstance(place, Local):
                # What takes a while to be ready gets ready while submissions are read.
                stack.enter_context(place).begin(Settings(self.isolation, limits))
            return self._graded(place, limits)

    def _graded(self, place: Executor, limits: Limits) -> int:
        hand_ins = find_hand_ins(self.submissions, leave_out=(self.out.resolve(),))
        submissions = hand_ins.submissions
        if not submissions:
            raise RunError(
                f"No submissions in {self.submissions}. Expected one folder for each student, with"
                " notebooks named as the lessons: SUBMISSIONS/<student>/<lesson>.ipynb"
            )
        found = {
            entry_of(each, self.submissions): each
            for each in submissions
            if self.shard is None or self.shard.has(each.student)
        }
        regrading = Regrading.asked(self.regrade, {printable(each.student) for each in submissions})
        with Gradebook(self.out / "gradebook.db") as gradebook:
            regrading = replace(regrading, since=gradebook.begin(str(regrading)))
            gradebook.enroll(found)
            gradebook.note(SHARD, str(self.shard or ""))
            gradebook.note(SUBMISSIONS, printable(str(self.submissions.absolute())))
            ignored = IgnoredFiles.of(hand_ins.ignored, self.submissions)
            gradebook.note(IGNORED, ignored.to_json())
            damaged = sum(each.damaged for each in found.values())
            gradebook.note(DAMAGED, str(damaged))
            asked = Seeds(self.seed) if self.seed is not None else None
            planned = plan(gradebook, found, regrading, asdict(limits), asked)
            seeds = asked or Seeds.fresh(gradebook.used_seeds())
            # One lesson after the other: the judge keeps what the reference does.
            to_run = sorted(planned.to_run, key=lambda entry: entry.lesson)
            jobs = [Job(entry, found[entry], seeds.seed_of(entry)) for entry in to_run]
            self._grade(place, jobs, limits, gradebook)
            gradebook.note("seed", str(seeds.run))
            gradebook.note(WITH_ABSENT, "yes" if self.with_absent else "")
            results = gradebook.results(self.with_absent)
            notes = self._notes(planned, gradebook)
            summary = summarize(results, str(ignored))
            notes += [*notes_of(found, len(summary.not_graded)), *filter(None, [str(ignored)])]
            write_results(self.out, results, summary)
            gradebook.finish()
        tell(
            summary,
            self.out,
            len(found) - len(jobs),
            [
                *notes,
                *limitation_notes(summary.isolations),
                f"Inputs drawn from: --seed {seeds.run}",
            ],
        )
        return len(summary.unreadable) + len(summary.not_graded) + damaged

    def _notes(self, planned: Plan, gradebook: Gradebook) -> list[str]:
        notes = []
        if planned.reworded:
            notes.append(
                f"{counted(planned.reworded, 'submission')} put in new points and words"
                " without being run again."
            )
        absent = gradebook.absent_students()
        if absent:
            named = ", ".join(absent[:NAMED]) + (", …" if len(absent) > NAMED else "")
            shown = "are shown as they were" if self.with_absent else "are kept, not shown"
            notes.append(
                f"{counted(len(absent), 'student')} of earlier runs not in {self.submissions}"
                f" ({named}): their results {shown} (--with-absent)."
            )
        return notes

    def limits(self) -> Limits:
        """The limits asked for; those that were not are the usual ones."""
        limits = Limits()
        if self.timeout is not None:
            # A generous limit for an exercise is of no use when the notebook's ends it first.
            whole = max(limits.submission_seconds, EXERCISES_OF_FULL_LENGTH * self.timeout)
            limits = replace(limits, seconds=self.timeout, submission_seconds=whole)
        if self.memory is not None:
            limits = replace(limits, memory_bytes=self.memory * MEBIBYTE)
        return limits

    def _grade(
        self, place: Executor, todo: Sequence[Job], limits: Limits, gradebook: Gradebook
    ) -> None:
        for job in todo:
            if job.entry.problem:
                rows = complete(job.entry, ())
                gradebook.record(Grading(job.entry, rows, job.seed, 0.0, ""))
        readable = [job for job in todo if not job.entry.problem]
        if not readable:
            return
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("·"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=Console(stderr=True)) as progress:
            task = progress.add_task("Grading", total=len(readable))
            # Whoever grades chooses the isolation; the machines of a cluster may differ in it.
            for grading in place.grade_all(readable, Settings(self.isolation, limits)):
                gradebook.record(grading)
                where = self.executor if self.executor != "local" else grading.isolation
                progress.update(task, advance=1, description=f"Grading ({where})")


def entry_of(submission: Submission, top: Path) -> Entry:
    """The roster's line for `submission`, its path told from `top`, so that the folder may move."""
    path = Path(submission.path)
    shown = path.relative_to(top) if path.is_relative_to(top) else path
    return Entry(
        student=printable(submission.student),
        lesson=printable(submission.lesson),
        path=printable(shown.as_posix()),
        digest=submission.digest,
        exercise_set=edition(submission.lesson),
        problem=printable(submission.problem or ""),
        wording=wording(submission.lesson),
        note=printable(submission.note),
    )


def limitation_notes(isolations: Iterable[str]) -> list[str]:
    """What the instructor is told of the kinds of isolation that were used."""
    lacking = {name: limitations(name) for name in isolations}
    return [
        f"Isolation {name} does not give here: {'; '.join(lacks)}."
        for name, lacks in lacking.items()
        if lacks
    ]


def write_results(out: Path, results: Sequence[Grading], summary: ClassSummary) -> None:
    """Write grades, report, feedback and Gradescope's files into `out`."""
    names = file_names(student.name for student in summary.students)
    for student in summary.students:
        name = names[student.name]
        page = feedback_page(student.name, student.gradings)
        write_whole(out / "feedback" / f"{name}.html", page)
        write_gradescope(out / "gradescope" / f"{name}.json", student.gradings)
    write_whole(out / "grades.csv", grades_csv(results))
    write_whole(out / "report.html", report_page(summary, names))
