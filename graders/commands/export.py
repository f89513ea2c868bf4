"""The command `export`: a gradebook in the formats of other programs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graders.commands import Unusable, isolation_option

if TYPE_CHECKING:
    from graders.export.roster import Roster
    from graders.gradebook import Grading

out_option = click.option(
    "--out",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder that `autograd-lessons grade` has written; the export goes there, too.",
)
gradebook_option = click.option(
    "--gradebook",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Gradebook to read.  [default: gradebook.db in the folder --out]",
)
roster_option = click.option(
    "--roster",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="CSV that says which student each folder belongs to.",
)


@click.group()
def export() -> None:
    """Write grades for other programs, from the gradebook alone."""


def _from_gradebook(short_help: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def made(command: Callable[..., Any]) -> Callable[..., Any]:
        return export.command(short_help=short_help)(out_option(gradebook_option(command)))

    return made


@_from_gradebook("A row for each student and exercise.")
def csv(out: Path, gradebook: Path | None) -> None:
    """grades.csv: a row for each student and exercise."""
    from graders.export import grades_csv

    _write(out / "grades.csv", grades_csv(_gradings(out, gradebook)))


@_from_gradebook("What `nbgrader export` writes.")
@roster_option
def nbgrader(out: Path, gradebook: Path | None, roster: Path | None) -> None:
    """nbgrader.csv: what `nbgrader export` writes, with lessons as assignments.

    The roster adds names: columns student_id (or folder), last_name, first_name, email.
    """
    from graders.export.nbgrader import nbgrader_csv

    known = _roster(roster)
    _write(out / "nbgrader.csv", nbgrader_csv(_gradings(out, gradebook), known))


@_from_gradebook("For Canvas, a column for each lesson.")
@roster_option
@click.option(
    "--assignment",
    "assignments",
    multiple=True,
    metavar="LESSON=ID",
    help="Id of a lesson's assignment in Canvas (may be repeated).",
)
def canvas(
    out: Path, gradebook: Path | None, roster: Path | None, assignments: tuple[str, ...]
) -> None:
    """canvas.csv: to import into Canvas, a column for each lesson.

    The roster is the gradebook as Canvas exports it. Folders are matched by login, id or name; add
    a column `folder` if they have other names. Students who are not in the roster are left out and
    listed, with exit status 1.
    """
    from graders.export.canvas import canvas_csv

    ids = dict(_assignment(text) for text in assignments)
    known = _roster(roster)
    gradings = _gradings(out, gradebook)
    _write(out / "canvas.csv", canvas_csv(gradings, known, ids))
    if known is not None:
        unknown = known.unknown(dict.fromkeys(each.entry.student for each in gradings))
        if unknown:
            click.echo(
                "Left out, because the roster does not have exactly one line for each of them: "
                + ", ".join(map(repr, unknown)),
                err=True,
            )
            raise SystemExit(1)


@_from_gradebook("For Gradescope, a file for each student.")
def results(out: Path, gradebook: Path | None) -> None:
    """gradescope/<student>.json: results in Gradescope's format, a file for each student."""
    from graders.export import write_gradescope
    from graders.filenames import file_names

    own: dict[str, list[Grading]] = {}
    for grading in _gradings(out, gradebook):
        own.setdefault(grading.entry.student, []).append(grading)
    folder = out / "gradescope"
    try:
        for student, name in file_names(own).items():
            write_gradescope(folder / f"{name}.json", own[student])
    except OSError as error:
        raise Unusable(f"Cannot write to {folder}: {error.strerror or error}.") from error
    click.echo(f"{folder}: {len(own)} files")


@export.command(short_help="An autograder to upload to Gradescope.")
@click.option(
    "--out",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for autograder.zip; created if missing.",
)
@click.option(
    "--lesson",
    "lessons",
    multiple=True,
    metavar="LESSON",
    help="Lesson that has to be handed in (may be repeated).  [default: any lesson counts]",
)
@isolation_option(" there")
def gradescope(out: Path, lessons: tuple[str, ...], isolation: str) -> None:
    """autograder.zip: an autograder to upload to a programming assignment on Gradescope."""
    from graders.autograder import Assignment
    from graders.exercise import all_exercises, lesson_called
    from graders.export.bundle import bundle
    from graders.export.own_package import PackageError

    chosen = []
    for name in lessons:
        lesson = lesson_called(name)
        if lesson is None:
            known = dict.fromkeys(each.lesson for each in all_exercises())
            raise Unusable(f"There is no lesson {name!r}. There are: {', '.join(known)}.")
        chosen.append(lesson)
    try:
        archive = bundle(Assignment(tuple(chosen), isolation))
        out.mkdir(parents=True, exist_ok=True)
        (out / "autograder.zip").write_bytes(archive)
    except PackageError as error:
        raise Unusable(str(error)) from error
    except OSError as error:
        raise Unusable(f"Cannot write to {out}: {error.strerror or error}.") from error
    click.echo(out / "autograder.zip")


def _gradings(out: Path, gradebook: Path | None) -> list[Grading]:
    from graders.gradebook import Gradebook, GradebookError
    from graders.run.grading_run import WITH_ABSENT

    path = gradebook or out / "gradebook.db"
    if not path.is_file():
        raise Unusable(
            f"There is no gradebook in {out}. Give --out the folder that `autograd-lessons grade`"
            " has written, or name the file with --gradebook."
        )
    try:
        with Gradebook(path, written=True) as opened:
            return opened.results(with_absent=bool(opened.noted(WITH_ABSENT)))
    except GradebookError as error:
        raise Unusable(str(error)) from error


def _roster(path: Path | None) -> Roster | None:
    from graders.export.roster import RosterError, read_roster

    try:
        return read_roster(path) if path is not None else None
    except RosterError as error:
        raise Unusable(str(error)) from error


def _assignment(text: str) -> tuple[str, str]:
    from graders.exercise import lesson_called

    name, _, id = text.partition("=")
    lesson = lesson_called(name)
    if not id.isdigit() or lesson is None:
        raise Unusable(
            f"--assignment {text!r} is not of the form 07_custom_functions=4711: a lesson and the"
            " number of its assignment."
        )
    return lesson, id


def _write(path: Path, text: str) -> None:
    from graders.export import write_whole

    try:
        write_whole(path, text)
    except OSError as error:
        raise Unusable(f"Cannot write {path}: {error.strerror or error}.") from error
    click.echo(path)
