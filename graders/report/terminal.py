"""What the command line prints after grading: counts, common misconceptions, where files are."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from graders.report.summary import ClassSummary
from graders.report.words import counted, duration, label, percent, symbol

MOST_COMMON = 5
NAMED = 12
"""How many unreadable submissions are named; the report names all of them."""


def tell(summary: ClassSummary, out: Path, kept: int = 0, notes: Iterable[str] = ()) -> None:
    """Print the results: counts, the most common misconceptions, and where the files are."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Names may have characters that the terminal's encoding lacks; do not crash on them.
        sys.stdout.reconfigure(errors="replace")
    console = Console(highlight=False)
    say = _Speaker(console)
    _tell_counts(say, summary, kept)
    for note in notes:
        say(plain(note))
    _tell_problems(say, summary)
    console.print(_statuses(summary.statuses))
    if summary.misconceptions:
        console.print(_misconceptions(summary))
    for what, where in (
        ("Report", "report.html"),
        ("Grades", "grades.csv"),
        ("Feedback", "feedback"),
        ("Gradescope", "gradescope"),
        ("Gradebook", "gradebook.db"),
    ):
        say(f"{what + ':':<12}{plain(str(out / where))}")


def plain(text: str) -> str:
    """`text` without characters that a terminal would obey: students choose their file names."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


class _Speaker:
    """Prints lines without breaking them, so that paths can be copied."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def __call__(self, line: str, style: str = "") -> None:
        self._console.print(Text(line, style=style), soft_wrap=True)


def _tell_counts(say: _Speaker, summary: ClassSummary, kept: int) -> None:
    submissions = counted(len(summary.gradings), "submission")
    line = f"{submissions} by {counted(len(summary.students), 'student')}"
    if kept:
        line += f" ({kept} unchanged, not graded again)"
    say(line)
    say(f"Mean score {percent(summary.mean_share)}, median {percent(summary.median_share)}")
    if summary.slowest:
        slowest = summary.slowest[0]
        say(
            f"Median time {duration(summary.median_seconds)}, longest"
            f" {duration(slowest.seconds)} ({plain(slowest.entry.path)})"
        )


def _tell_problems(say: _Speaker, summary: ClassSummary) -> None:
    if summary.unreadable:
        say(f"{len(summary.unreadable)} could not be read:", "bold red")
        for grading in summary.unreadable[:NAMED]:
            say(f"  {plain(grading.entry.path)}: {plain(grading.entry.problem)}")
        if len(summary.unreadable) > NAMED:
            say(f"  and {len(summary.unreadable) - NAMED} more, which the report names")
    if summary.not_graded:
        count = len(summary.not_graded)
        say(f"The grader failed on {count}; the same command tries them again.", "bold red")


def _statuses(statuses: Mapping[str, int]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("Status")
    table.add_column("exercises", justify="right")
    table.add_column("part", justify="right")
    total = sum(statuses.values())
    for status, count in sorted(statuses.items(), key=lambda item: -item[1]):
        table.add_row(f"{symbol(status)} {label(status)}", str(count), percent(count / total))
    return table


def _misconceptions(summary: ClassSummary) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("students", justify="right")
    table.add_column("Most common misconceptions", overflow="fold")
    for finding in summary.misconceptions[:MOST_COMMON]:
        what = Text(f"{plain(finding.id)}  ", style="bold")
        what.append(plain(finding.exercise), style="not bold cyan")
        what.append(f"\n{plain(finding.says).replace('`', '')}", style="not bold dim")
        table.add_row(str(len(finding.students)), what)
    return table
