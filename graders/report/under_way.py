"""The progress of grading, on the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress

    from graders.run.batch import Job
    from graders.run.intake import Intake


class GradingProgress:
    """A line that shows how many of an intake's submissions are graded; a context manager.

    It appears after the first job has been handed out. Only then are the modules imported that draw
    it, so that the import does not delay the first job.
    """

    def __init__(self, intake: Intake) -> None:
        """Nothing is drawn yet."""
        self._intake = intake
        self._progress: Progress | None = None
        self._done = 0
        self._where = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._progress is not None:
            self._progress.stop()

    def jobs(self) -> Iterator[Job]:
        """The jobs of the intake; the first one to be taken makes the line appear."""
        for job in self._intake.jobs():
            yield job
            if self._progress is None:
                self._progress = _drawn()
        self._show()

    def done(self, where: str) -> None:
        """Count one more submission as graded, and show `where` that was."""
        self._done += 1
        self._where = where
        self._show()

    def _show(self) -> None:
        if self._progress is None:
            return
        (task,) = self._progress.task_ids
        described = f"Grading ({self._where})" if self._where else "Grading"
        # The total is known only when everything has been read.
        total = self._intake.readable if self._intake.complete else None
        self._progress.update(task, completed=self._done, description=described, total=total)


def _drawn() -> Progress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("·"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )
    progress.add_task("Grading", total=None)
    progress.start()
    return progress
