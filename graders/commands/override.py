"""The command `override`: set points by hand, take them back, and list them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from graders.exercise import exercises_of, ids, load
from graders.filenames import printable
from graders.gradebook import Gradebook, GradebookError
from graders.gradebook.overrides import Override, OverrideError, check_points
from graders.report import summarize
from graders.run.found import FACT as IGNORED
from graders.run.found import IgnoredFiles
from graders.run.grading_run import WITH_ABSENT, write_results
from graders.run.regrading import nearest


@dataclass(frozen=True)
class Overriding:
    """The overrides in the gradebook of `out`; after each change all results there are rewritten.

    The methods raise OverrideError, which says what was wrong and what to do.
    """

    out: Path

    def set(self, override: Override, extra: bool = False) -> str:
        """Set points by hand and return a sentence that says so; `extra` allows any number."""
        override = _cleaned(override)
        if not override.reason:
            raise OverrideError("Say why with --reason: the student reads it, and so will you.")
        with self._gradebook() as gradebook:
            student, exercise = override.student, override.exercise
            most = _points_of(gradebook, student, exercise)
            check_points(override.points, most, extra)
            before = gradebook.overrides().get((student, exercise))
            gradebook.override(override)
            self._write(gradebook)
        instead = f" instead of {before.points:g}" if before else ""
        return f"{student} has {override.points:g} of {most:g} points in {exercise}{instead}."

    def remove(self, student: str, exercise: str) -> str:
        """Take back what was set and return a sentence that says so."""
        student = printable(student)
        with self._gradebook() as gradebook:
            made = gradebook.overrides()
            if (student, exercise) not in made:
                known = [" ".join(key) for key in made]
                raise OverrideError(
                    f"Nothing was set by hand for {student} in {exercise}"
                    f"{nearest(f'{student} {exercise}', known)}."
                )
            gradebook.remove_override(student, exercise)
            self._write(gradebook)
        return f"The graded points count again for {student} in {exercise}."

    def listed(self) -> list[Override]:
        """What is set by hand, in order of student and exercise."""
        with self._gradebook() as gradebook:
            return list(gradebook.overrides().values())

    @contextmanager
    def _gradebook(self) -> Iterator[Gradebook]:
        path = self.out / "gradebook.db"
        if not path.exists():
            raise OverrideError(
                f"There is no gradebook in {self.out}. Give --out the folder that"
                " `autograd-lessons grade` has written."
            )
        try:
            with Gradebook(path, written=True) as gradebook:
                yield gradebook
        except GradebookError as error:
            raise OverrideError(str(error)) from error
        except OSError as error:
            where = f" ({error.filename})" if error.filename else ""
            raise OverrideError(f"Cannot write: {error.strerror or error}{where}.") from error

    def _write(self, gradebook: Gradebook) -> None:
        results = gradebook.results(with_absent=bool(gradebook.noted(WITH_ABSENT)))
        ignored = IgnoredFiles.from_json(gradebook.noted(IGNORED))
        write_results(self.out, results, summarize(results, str(ignored)))


def _cleaned(override: Override) -> Override:
    reason = " ".join(printable(override.reason).split())
    return replace(override, student=printable(override.student), reason=reason)


def _points_of(gradebook: Gradebook, student: str, exercise: str) -> float:
    """What `exercise` is worth; OverrideError unless `student` has handed in its lesson."""
    lessons: dict[str, set[str]] = {}
    for entry in gradebook.roster(with_absent=True):
        lessons.setdefault(entry.student, set()).add(entry.lesson)
    if student not in lessons:
        raise OverrideError(f"There is no student {student!r}{nearest(student, lessons)}.")
    if exercise not in ids():
        raise OverrideError(f"There is no exercise {exercise!r}{nearest(exercise, ids())}.")
    wanted = load(exercise)
    if wanted.lesson not in lessons[student]:
        handed_in = sorted(each.id for name in lessons[student] for each in exercises_of(name))
        raise OverrideError(
            f"{student} has handed in nothing for {wanted.lesson}, which {exercise} belongs to."
            f" Points can be set for: {', '.join(handed_in) or 'nothing'}."
        )
    return wanted.points
