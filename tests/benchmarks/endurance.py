"""Whether the last of ten thousand submissions cost as much time and memory as the first."""

import tempfile
from pathlib import Path

from .bars import Bar, Row
from .classes import hand_in
from .watched_grading import Watched, watch

LESSON = "02_leaf_nodes"
COUNT = 10_000
PART = COUNT // 4
FLAT = 1.15
"""How much more than in the first quarter of the run a submission may take in the last."""

MOST_MEGABYTES = 500.0


def rows() -> list[Row]:
    """The last quarter against the first, in time and in memory, and the most memory of all."""
    with tempfile.TemporaryDirectory() as folder:
        hand_in(LESSON, COUNT, Path(folder) / "class")
        run = watch(Path(folder) / "class", Path(folder) / "graded")
    first, last = quarters(run)
    title = f"the last {PART:,} of {COUNT:,} submissions"
    memory_first, memory_last = memory_of_quarters(run)
    return [
        Row(f"a submission of {title}", last, f"the first {PART:,}", first, Bar(FLAT)),
        Row(f"memory in {title}", memory_last, "the first", memory_first, Bar(FLAT), "MB"),
        Row("the memory of all processes", run.megabytes, "at most", MOST_MEGABYTES, Bar(1), "MB"),
    ]


def quarters(run: Watched) -> tuple[float, float]:
    """Seconds for one submission in the first and in the last quarter, after the first result."""
    part = len(run.results) // 4
    first = run.results[part] - run.results[0]
    last = run.results[-1] - run.results[-1 - part]
    return first / part, last / part


def memory_of_quarters(run: Watched) -> tuple[float, float]:
    """The most memory while the first quarter was graded, and while the last was."""
    part = len(run.results) // 4
    spans = (run.results[0], run.results[part]), (run.results[-1 - part], run.results[-1])
    first, last = (
        max(megabytes for seconds, megabytes in run.samples if start <= seconds <= end)
        for start, end in spans
    )
    return first, last
