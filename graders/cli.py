"""The command line: grade a class, open the lessons, examine the exercises."""

from __future__ import annotations

import math
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click

from graders.commands import Number, Unusable, WholeNumber, isolation_option
from graders.commands.export import export
from graders.commands.merge import merge
from graders.commands.scaling import scaling_options
from graders.commands.similar import similar
from graders.commands.site import site
from graders.isolation import IsolationUnavailable, Limits, check_system, head_start
from graders.run.shard import Shard
from graders.signals import ending_like_ctrl_c
from graders.working_folder import Copied


def _number(
    context: click.Context, parameter: click.Parameter, value: float | None
) -> float | None:
    if value is not None and math.isnan(value):
        raise click.BadParameter("nan is no number.", context, parameter)
    return value


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="autograd-lessons")
def main() -> None:
    """Lessons on automatic differentiation: learn them, grade them."""


@main.command(short_help="Grade a class: a folder of submissions.")
@click.argument("submissions", type=click.Path(exists=True, readable=True, path_type=Path))
@click.option(
    "--out",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for gradebook, grades, report and feedback; created if missing.",
)
@isolation_option()
@click.option(
    "--seed",
    type=WholeNumber(0, 2**31 - 1),
    metavar="N",
    help="Draw the same inputs for the checks as the earlier run that printed this number."
    "  [default: inputs that nobody has seen]",
)
@click.option(
    "--jobs",
    type=WholeNumber(1, 256),
    metavar="N",
    default=(os.cpu_count() or 1) + 1,
    help="Submissions graded at a time.  [default: one more than there are processors, because a"
    " submission may wait]",
)
@click.option(
    "--timeout",
    type=Number(0, 3600, min_open=True),
    callback=_number,
    metavar="S",
    help=f"Seconds that one exercise may take.  [default: {Limits.seconds:g}]",
)
@click.option(
    "--memory",
    type=WholeNumber(64, 1024 * 1024),
    metavar="MIB",
    help=f"Memory that a submission may take, in MiB.  [default: {Limits.memory_bytes // 2**20}]",
)
@click.option(
    "--regrade",
    multiple=True,
    metavar="all|changed|failed|STUDENT",
    help="Grade again: all submissions; those that have changed (always done); those that failed,"
    " that is, have an exercise that was attempted and not passed; or those of one student"
    " (student:NAME if the name is all, changed or failed). May be given several times.",
)
@click.option(
    "--with-absent",
    is_flag=True,
    help="Also show students of earlier runs whose folders are gone, with their last results. The"
    " gradebook keeps these results either way.",
)
@scaling_options
def grade(
    submissions: Path,
    out: Path,
    isolation: str,
    seed: int | None,
    jobs: int,
    timeout: float | None,
    memory: int | None,
    regrade: tuple[str, ...],
    with_absent: bool,
    executor: str,
    scheduler: str | None,
    shard: Shard | None,
) -> None:
    """Grade SUBMISSIONS, a folder (or a zip archive) with one folder for each student.

    Exports from Moodle, Canvas, Blackboard and Brightspace work as they come, packed or unpacked.

    A submission is not run again unless it or one of its exercises has changed. A run that was
    stopped goes on when you repeat the command. Where only the points or the wording of an exercise
    have changed, kept results are updated and nothing is run.

    Exit status: 0 when every submission was graded, 1 when some could not be read completely (the
    report names them), 2 when the arguments are invalid.
    """
    with _stopping(), ExitStack() as stack:
        if executor == "local":
            try:
                check_system()
            except IsolationUnavailable as error:
                raise Unusable(str(error)) from error
            # The worker gets ready during the imports below, which take about as long.
            stack.enter_context(head_start(isolation, Limits.asked(timeout, memory)))
        from graders.run.grading_run import GradingRun, RunError

        run = GradingRun(
            submissions,
            out,
            isolation=isolation,
            seed=seed,
            jobs=jobs,
            timeout=timeout,
            memory=memory,
            regrade=regrade,
            with_absent=with_absent,
            executor=executor,
            scheduler=scheduler,
            shard=shard,
        )
        try:
            missed = run()
        except RunError as error:
            raise Unusable(str(error)) from error
    sys.exit(1 if missed else 0)


@contextmanager
def _stopping() -> Iterator[None]:
    """Tell whoever presses Ctrl-C or ends a run otherwise, at any moment, what has become of it."""
    try:
        with ending_like_ctrl_c():
            yield
    except KeyboardInterrupt as stop:
        click.echo(
            "\nStopped. What was graded is kept; the same command goes on from there.", err=True
        )
        number = stop.args[0] if stop.args else signal.SIGINT
        sys.exit(128 + number)


# Options that are unknown pass as arguments, because points may be less than none.
@main.command(
    short_help="Set points by hand, or list those that are set.",
    context_settings={"ignore_unknown_options": True},
)
@click.argument("student", required=False)
@click.argument("exercise", required=False)
@click.argument("points", type=float, required=False)
@click.option(
    "--out",
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder that `autograd-lessons grade` has written.",
)
@click.option("--reason", default="", help="Why. The student reads it.")
@click.option(
    "--extra", is_flag=True, help="Allow more points than the exercise is worth, or less than none."
)
@click.option("--remove", is_flag=True, help="Take the points back: the graded ones count again.")
def override(
    student: str | None,
    exercise: str | None,
    points: float | None,
    out: Path,
    reason: str,
    extra: bool,
    remove: bool,
) -> None:
    """Set a STUDENT's POINTS in an EXERCISE by hand; with --out alone, list what is set.

    Points set by hand survive every regrading, until they are removed or set again. They show in
    the grades, in the report and, with the reason, in the student's feedback.
    """
    from graders.commands.override import Overriding
    from graders.gradebook.overrides import Override, OverrideError

    overriding = Overriding(out)
    try:
        if student is None:
            listed = overriding.listed()
            for each in listed:
                click.echo(
                    f"{each.student}  {each.exercise}  {each.points:g}  {each.reason}"
                    f"  ({each.made_at[:10]})"
                )
            if not listed:
                click.echo("No points are set by hand.")
        elif exercise is None:
            raise click.UsageError("Missing argument 'EXERCISE'.")
        elif remove:
            click.echo(overriding.remove(student, exercise))
        elif points is None:
            raise click.UsageError("Missing argument 'POINTS' (or --remove).")
        else:
            click.echo(overriding.set(Override(student, exercise, points, reason), extra))
    except OverrideError as error:
        raise Unusable(str(error)) from error


@main.command(short_help="Open the lessons in JupyterLab.")
@click.option(
    "--dir",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("autograd-lessons"),
    show_default=True,
    help="Working folder; what is in it is never overwritten.",
)
@click.option(
    "--port",
    type=WholeNumber(1, 65535),
    metavar="N",
    help="Port to listen at.  [default: the first free one from 8888]",
)
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@click.option(
    "--copy-only", is_flag=True, help="Only copy, for a JupyterLab that runs already, as on a hub."
)
def lab(folder: Path, port: int | None, no_browser: bool, copy_only: bool) -> None:
    """Copy the lessons to a working folder and open them in JupyterLab."""
    from graders.lab import check_lab, free_port, run_lab
    from graders.working_folder import LabError, copy_lessons

    def tell(address: str) -> None:
        click.echo(f"\nJupyterLab is at  {address}\n\nCtrl-C ends it.")

    try:
        if copy_only:
            _tell_copied(folder, copy_lessons(folder))
            return
        check_lab()
        port = free_port(port)
        _tell_copied(folder, copy_lessons(folder))
        status = run_lab(folder, port, not no_browser, tell)
    except LabError as error:
        raise Unusable(str(error)) from error
    except KeyboardInterrupt:
        status = 0
    click.echo("JupyterLab has ended. Your work is in " + str(folder.absolute()))
    sys.exit(status)


@main.command()
@click.option(
    "--exercise",
    "chosen",
    multiple=True,
    metavar="ID",
    help="Only this one (may be repeated).  [default: all]",
)
@click.option(
    "--seed",
    "seeds",
    type=WholeNumber(0, 2**31 - 1),
    metavar="N",
    multiple=True,
    help="Draw the inputs from this seed (may be repeated).  [default: 1, 2, 3]",
)
@click.option(
    "--matrix", is_flag=True, help="Show which misconceptions each wrong solution is taken for."
)
def selftest(chosen: tuple[str, ...], seeds: tuple[int, ...], matrix: bool) -> None:
    """Test the exercises with their own solutions.

    The reference and its variants have to pass, each misconception has to fail and be recognised
    by name, hints must not give the solution away, and the lesson has to contain the starter.

    Exit status: 0 when all is well, 1 when something is wrong (it is listed), 2 when the arguments
    are invalid.
    """
    from graders.exercise import UnknownExercise, all_exercises, load
    from graders.selftest import SEEDS
    from graders.selftest.table import run_selftest

    try:
        exercises = tuple(load(id) for id in chosen) or all_exercises()
    except UnknownExercise as error:
        raise Unusable(str(error)) from error
    done = run_selftest(exercises, seeds or SEEDS, matrix)
    sys.exit(0 if all(each.passed for each in done) else 1)


main.add_command(export)
main.add_command(merge)
main.add_command(similar)
main.add_command(site)


def _tell_copied(folder: Path, copied: Copied) -> None:
    click.echo(f"Working folder: {folder.absolute()}")
    if copied.added:
        click.echo(f"Added: {', '.join(copied.added)}")
    if copied.kept:
        click.echo(f"Kept as you left them: {', '.join(copied.kept)}")
        click.echo("For a fresh copy of a lesson, rename yours and run this command again.")
