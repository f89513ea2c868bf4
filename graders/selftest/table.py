"""What a selftest prints: a line for each exercise, matrices of misconceptions, problems."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.box import SIMPLE
from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text

from graders.exercise import Exercise
from graders.report.words import counted
from graders.selftest import QUESTIONS, Examination, examine

HEADERS = {"misconceptions": "wrong ideas"}
FIRST, FURTHER = "●", "○"


def run_selftest(
    exercises: Iterable[Exercise], seeds: Sequence[int], matrix: bool = False
) -> list[Examination]:
    """Examine `exercises` on the inputs of `seeds`; print the results, and return them."""
    exercises = list(exercises)
    waiting = track(
        exercises, "Examining", console=Console(stderr=True), transient=True, auto_refresh=True
    )
    done = [examine(exercise, seeds) for exercise in waiting]
    console = Console(highlight=False)
    console.print(summary_table(done))
    if matrix:
        for each in done:
            console.print(confusion_table(each))
    tell_problems(console, done)
    return done


def summary_table(done: Iterable[Examination]) -> Table:
    """One line for each exercise: the answers, and how many ms its slowest check took."""
    table = Table(box=SIMPLE, pad_edge=False, collapse_padding=True)
    table.add_column("exercise", no_wrap=True)
    for name in QUESTIONS:
        table.add_column(HEADERS.get(name, name), justify="right", no_wrap=True)
    table.add_column("ms", justify="right", no_wrap=True)
    for each in done:
        cells = [_cell(each, name) for name in QUESTIONS]
        table.add_row(Text(each.exercise.id), *cells, f"{1000 * each.seconds:.0f}")
    return table


def confusion_table(done: Examination) -> Table:
    """What each misconception's solution is taken for: ● by the verdict, ○ as a further finding."""
    names = list(done.confusion)
    others = sorted({name for found in done.confusion.values() for name in found} - set(names))
    table = Table(
        title=f"{done.exercise.id}: what each solution is taken for (● first, ○ also)",
        title_justify="left",
        box=SIMPLE,
        pad_edge=False,
    )
    table.add_column("the solution of", no_wrap=True)
    for number, _ in enumerate(names, 1):
        table.add_column(str(number), justify="center")
    for other in others:
        table.add_column(other)
    for number, (name, found) in enumerate(done.confusion.items(), 1):
        signs = dict.fromkeys(found[1:], FURTHER) | dict.fromkeys(found[:1], FIRST)
        row = [signs.get(each, "·") for each in (*names, *others)]
        table.add_row(f"{number:>2} {name}", *row)
    return table


def tell_problems(console: Console, done: Sequence[Examination]) -> None:
    """Print the problems, exercise by exercise, and a summary."""
    amiss = [each for each in done if not each.passed]
    for each in amiss:
        console.print(Text(each.exercise.id, style="bold"))
        for question, answers in each.amiss.items():
            for answer in answers:
                console.print(Text(f"  ✗ {question}: {answer}"), soft_wrap=True)
    ideas = sum(len(each.exercise.misconceptions) for each in done)
    slowest = max(done, key=lambda each: each.seconds)
    console.print(
        f"{counted(len(done), 'exercise')}, {counted(ideas, 'misconception')}; slowest check: "
        f"{slowest.exercise.id}, {1000 * slowest.seconds:.0f} ms."
    )
    if amiss:
        console.print(Text(f"✗ {counted(len(amiss), 'exercise')} with problems.", style="bold red"))
    else:
        console.print(Text("✓ All is as it should be.", style="bold green"))


def _cell(done: Examination, question: str) -> Text:
    if done.amiss.get(question):
        return Text("✗", style="bold red")
    count = {
        "variants": len(done.exercise.variants),
        "misconceptions": len(done.exercise.misconceptions),
    }.get(question)
    return Text("✓" if count is None else f"{count} ✓")
