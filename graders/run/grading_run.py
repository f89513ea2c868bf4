"""One run of `autograd-lessons grade`: find, grade what is new, write the results, sum up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from graders.executors import Executor, ExecutorError, executor
from graders.executors.local import Local
from graders.export import grades_csv, write_gradescope, write_whole
from graders.filenames import file_names, student_name
from graders.gradebook import Gradebook, GradebookError, Grading
from graders.isolation import IsolationUnavailable, limitations
from graders.isolation.limits import Limits
from graders.reading import Unreadable
from graders.reading.archives import is_archive
from graders.reading.submissions import Found
from graders.report.under_way import GradingProgress
from graders.report.words import counted
from graders.run.batch import Settings
from graders.run.found import notes_of
from graders.run.intake import Intake
from graders.run.regrading import WORDS, Planning, Regrading, RegradingError
from graders.run.seeds import Seeds
from graders.run.shard import Shard

if TYPE_CHECKING:
    from graders.report.summary import ClassSummary

WITH_ABSENT = "with absent"
"""The gradebook's note of whether the results that were written include absent students."""

EXPECTED = (
    "Expected a folder with one folder for each student, with notebooks named as the lessons:"
    " SUBMISSIONS/<student>/<lesson>.ipynb"
)

NAMED = 5


class RunError(Exception):
    """The run cannot be done as asked; the message says why and what to do."""


@dataclass(frozen=True)
class GradingRun:
    """The arguments of the command line; calling this object carries the run out."""

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
        """Grade, write and print the results.

        Returns how many submissions could not be read completely or were not graded. Raises
        RunError when there is nothing to grade, no isolation, or nowhere to write.
        """
        try:
            return self._run()
        except (GradebookError, IsolationUnavailable, RegradingError, ExecutorError) as error:
            raise RunError(str(error)) from error
        except Unreadable as error:
            why = str(error) if is_archive(self.submissions.name) else f"It is one file. {EXPECTED}"
            raise RunError(f"Cannot read {self.submissions}. {why}") from error
        except OSError as error:
            where = f" ({error.filename})" if error.filename else ""
            raise RunError(
                f"Cannot go on: {error.strerror or error}{where}. What was graded is kept; when"
                " this is put right, run the same command again."
            ) from error

    def _run(self) -> int:
        if self._out_is_handed_in():
            raise RunError(
                f"{self.out} holds submissions. Choose another folder with --out, such as"
                f" {self.submissions / 'graded'}."
            )
        limits = Limits.asked(self.timeout, self.memory)
        with ExitStack() as stack:
            place = executor(self.executor, self.jobs, self.scheduler)
            if isinstance(place, Local):
                # The processes take a while to start, and do so while submissions are read.
                stack.enter_context(place).begin(Settings(self.isolation, limits))
            return self._graded(place, limits)

    def _out_is_handed_in(self) -> bool:
        """Whether --out is SUBMISSIONS, or a folder in it that no run has written.

        Folders that a run writes there would be mistaken for students' folders by the next, and a
        student's folder is not looked into while it is the place to write to.
        """
        out, top = self.out.resolve(), self.submissions.resolve()
        if not out.is_relative_to(top) or not out.is_dir():
            return False
        return out == top or (any(out.iterdir()) and not (out / "gradebook.db").exists())

    def _graded(self, place: Executor, limits: Limits) -> int:
        found, regrading = self._found()
        with Gradebook(self.out / "gradebook.db") as gradebook:
            regrading = replace(regrading, since=gradebook.begin(str(regrading)))
            asked = Seeds(self.seed) if self.seed is not None else None
            planning = Planning(gradebook, regrading, asdict(limits), asked)
            seeds = asked or Seeds.fresh(gradebook.used_seeds())
            intake = Intake(found, self.submissions, self.shard, planning, seeds)
            self._grade(place, intake, limits, gradebook)
            gradebook.note(WITH_ABSENT, "yes" if self.with_absent else "")
            results = gradebook.results(self.with_absent)
            notes = self._notes(planning.reworded, gradebook)
            # Imported late, because importing Jinja and its like would delay the first result.
            from graders.report import summarize
            from graders.report.terminal import tell

            ignored = str(intake.ignored)
            summary = summarize(results, ignored)
            notes += [*notes_of(intake.entries, len(summary.not_graded)), *filter(None, [ignored])]
            notes += limitation_notes(summary.isolations)
            if intake.readable:
                notes.append(f"Inputs drawn from: --seed {seeds.run}")
            write_results(self.out, results, summary)
            gradebook.finish()
        tell(summary, self.out, len(intake.entries) - intake.to_run, notes)
        return len(summary.unreadable) + len(summary.not_graded) + intake.damaged

    def _found(self) -> tuple[Found, Regrading]:
        """The submissions, of which there is at least one, and which of them to grade again."""
        found = Found(self.submissions, leave_out=(self.out.resolve(),))
        if not found.any():
            raise RunError(f"No submissions in {self.submissions}. {EXPECTED}")
        names = set(self.regrade) - set(WORDS)
        students = {student_name(each.student) for each in found.all()} if names else set()
        return found, Regrading.asked(self.regrade, students)

    def _notes(self, reworded: int, gradebook: Gradebook) -> list[str]:
        notes = []
        if reworded:
            notes.append(
                f"{counted(reworded, 'submission')} updated to new points and words"
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

    def _grade(self, place: Executor, intake: Intake, limits: Limits, gradebook: Gradebook) -> None:
        with GradingProgress(intake) as progress:
            # The isolation is chosen where it is used: the machines of a cluster may differ in it.
            for grading in place.grade_all(progress.jobs(), Settings(self.isolation, limits)):
                gradebook.record(grading)
                progress.done(self.executor if self.executor != "local" else grading.isolation)


def limitation_notes(isolations: Iterable[str]) -> list[str]:
    """What to tell the instructor about the kinds of isolation that were used."""
    lacking = {name: limitations(name) for name in isolations}
    return [
        f"Limits of the isolation {name} on this machine: {'; '.join(lacks)}."
        for name, lacks in lacking.items()
        if lacks
    ]


def write_results(out: Path, results: Sequence[Grading], summary: ClassSummary) -> None:
    """Write grades, report, feedback and Gradescope's files into `out`."""
    from graders.report import feedback_page, report_page

    names = file_names(student.name for student in summary.students)
    for student in summary.students:
        name = names[student.name]
        page = feedback_page(student.name, student.gradings)
        write_whole(out / "feedback" / f"{name}.html", page)
        write_gradescope(out / "gradescope" / f"{name}.json", student.gradings)
    write_whole(out / "grades.csv", grades_csv(results))
    write_whole(out / "report.html", report_page(summary, names))
