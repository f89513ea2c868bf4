"""Whether the last of ten thousand submissions cost as much time and memory as the first."""

import tempfile
from pathlib import Path

from .bars import Bar, Row
from .classes import hand_in
from .grading import MOST_MEGABYTES, PER_SECOND
from .watched_grading import Watched, watch

LESSON = "02_leaf_nodes"
COUNT = 10_000
PART = COUNT // 4
FLAT = 1.15
"""How much more than in the first quarter of the run a submission may take in the last."""


def rows() -> list[Row]:
    """All that a run takes, the last quarter against the first, and the most memory of all."""
    with tempfile.TemporaryDirectory() as folder:
        hand_in(LESSON, COUNT, Path(folder) / "class")
        run = watch(Path(folder) / "class", Path(folder) / "graded")
    first, last = quarters(run)
    memory_first, memory_last = memory_of_quarters(run)
    return [
        Row(
            f"one of {COUNT:,} submissions of {LESSON}",
            run.seconds / COUNT,
            f"{PER_SECOND} a second",
            1 / PER_SECOND,
            Bar(1),
        ),
        Row(f"one of the last {PART:,}", last, f"of the first {PART:,}", first, Bar(FLAT)),
        Row(
            f"the memory in the last {PART:,}",
            memory_last,
            "in the first",
            memory_first,
            Bar(FLAT),
            "MB",
        ),
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
