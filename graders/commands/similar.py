"""The command `similar`: list solutions that are more alike than by chance."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from graders.commands import Unusable, WholeNumber

if TYPE_CHECKING:
    from rich.console import Console

    from graders.reading.submissions import Submission
    from graders.similar import Pair

THRESHOLD = 70


@click.command(short_help="List suspiciously alike solutions.")
@click.argument(
    "folder",
    metavar="OUT|SUBMISSIONS",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
)
@click.option(
    "--threshold",
    type=WholeNumber(1, 100),
    default=THRESHOLD,
    show_default=True,
    metavar="PERCENT",
    help="How much of the smaller solution the other one has to contain.",
)
@click.option(
    "--exercise",
    "chosen",
    multiple=True,
    metavar="ID",
    help="Only this one (may be repeated).  [default: all]",
)
@click.option("--show", is_flag=True, help="Print the solutions of each pair side by side.")
def similar(folder: Path, threshold: int, chosen: tuple[str, ...], show: bool) -> None:
    """List pairs of suspiciously alike solutions, exercise by exercise.

    The folder is one that `grade` has written, or one with submissions. Changing names, layout,
    comments, prints or the order of methods does not hide a likeness. Code from the starter, from
    known solutions (right or wrong) or from many students does not count; predictions, explanations
    and solutions of a few lines are not compared. A pair is a reason to look, not a proof.
    """
    from rich.console import Console

    from graders.exercise import UnknownExercise, load
    from graders.similar import similar as pairs_among

    try:
        asked = [load(id).id for id in chosen]
    except UnknownExercise as error:
        raise Unusable(str(error)) from error
    found = _submissions(folder)
    if not found:
        raise Unusable(f"{folder} holds neither submissions nor what `grade` has written.")
    pairs = pairs_among(found, threshold / 100, asked)
    console = Console(highlight=False)
    if not pairs:
        console.print("No suspiciously alike solutions.")
        return
    console.print(_table(pairs))
    if show:
        for pair in pairs:
            _show(pair, console)
    console.print("A pair is a reason to look, not a proof.")


def _submissions(folder: Path) -> list[Submission]:
    """The submissions in `folder`, or those that the run which wrote `folder` has graded."""
    from graders.filenames import student_name
    from graders.gradebook import Gradebook, GradebookError
    from graders.reading.submissions import find_submissions
    from graders.run.intake import SUBMISSIONS

    path = folder / "gradebook.db"
    if not path.is_file():
        return find_submissions(folder)
    try:
        with Gradebook(path, written=True) as gradebook:
            top = gradebook.noted(SUBMISSIONS)
            students = {entry.student for entry in gradebook.roster()}
    except GradebookError as error:
        raise Unusable(str(error)) from error
    if not top or not Path(top).is_dir():
        raise Unusable(
            f"The submissions graded in {folder} are no longer at {top or 'a single place'}."
            " Name their folder instead."
        )
    found = find_submissions(Path(top))
    return [each for each in found if student_name(each.student) in students]


def _table(pairs: Sequence[Pair]) -> object:
    from rich.box import SIMPLE
    from rich.table import Table
    from rich.text import Text

    from graders.report.terminal import plain

    table = Table(title="Alike solutions", title_justify="left", title_style="bold", box=SIMPLE)
    table.add_column("alike", justify="right")
    table.add_column("exercise", no_wrap=True)
    table.add_column("students")
    table.add_column("in common", justify="right")
    for pair in pairs:
        alike = "verbatim" if pair.verbatim else f"{pair.share:.0%}"
        both = " and ".join(pair.students)
        table.add_row(alike, pair.exercise, Text(plain(both)), str(pair.shingles))
    return table


def _show(pair: Pair, console: Console) -> None:
    from rich.box import SIMPLE
    from rich.table import Table
    from rich.text import Text

    from graders.report.terminal import plain

    sheet = Table(title=pair.exercise, title_justify="left", box=SIMPLE, expand=True)
    for student in pair.students:
        sheet.add_column(Text(plain(student)), ratio=1)
    lines = [source.expandtabs().strip("\n").splitlines() for source in pair.sources]
    sheet.add_row(*(Text("\n".join(map(plain, each))) for each in lines))
    console.print(sheet)
