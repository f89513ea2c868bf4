"""What `check` takes in a notebook, on the right solution of every exercise and on wrong ones."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time

from graders import check
from graders.exercise import Exercise, all_exercises
from graders.progress.kept import VARIABLE

from .bars import Bar, Row

LIMIT = 0.100  # seconds
ROUNDS = 3


def rows() -> list[Row]:
    """Two rows for each exercise, the reference and the slowest misconception; then the slowest."""
    with _nobodys_progress():
        found = [row for exercise in all_exercises() for row in rows_of(exercise)]
    slowest = max(found, key=lambda row: row.seconds)
    return [*found, slowest._replace(workload=f"slowest: {slowest.workload}")]


def rows_of(exercise: Exercise) -> Iterator[Row]:
    """The reference's row, and that of the misconception that takes longest."""
    reference = seconds(exercise, exercise.reference)
    taken = {each.id: seconds(exercise, each.solution) for each in exercise.misconceptions}
    slowest = max(taken, key=taken.__getitem__)
    for solution, its_seconds in (("reference", reference), (slowest, taken[slowest])):
        yield Row(f"{exercise.id}: {solution}", its_seconds, "the bar", LIMIT, Bar(1))


def seconds(exercise: Exercise, solution: object) -> float:
    """The best of a few checks, the first of which warms up.

    Processor time: a check waits for nothing, and neighbours on the machine are not its fault.
    """
    check(exercise.id, solution)
    best = float("inf")
    for _ in range(ROUNDS):
        start = process_time()
        check(exercise.id, solution)
        best = min(best, process_time() - start)
    return best


@contextmanager
def _nobodys_progress() -> Iterator[None]:
    with tempfile.TemporaryDirectory() as folder:
        before = os.environ.get(VARIABLE)
        os.environ[VARIABLE] = folder
        try:
            yield
        finally:
            if before is None:
                del os.environ[VARIABLE]
            else:
                os.environ[VARIABLE] = before
