"""Grading a class in isolation, beside nbgrader on the same notebooks.

How fast, how soon, with how much memory, and whether the last of many take as long as the first.
"""

import os
import subprocess
import tempfile
import venv
from pathlib import Path
from time import perf_counter

from .bars import Bar, Row
from .classes import hand_in
from .watched_grading import Watched, watch

ROOT = Path(__file__).parents[2]
LESSON = "07_custom_functions"
OTHERS = ("02_leaf_nodes", "08_mark_dirty")
COUNT = 400
FEW, MORE = 2, 8
"""Submissions for nbgrader: the difference leaves out what it takes to start."""

ENVIRONMENT = "AUTOGRAD_LESSONS_NBGRADER"
"""The folder of nbgrader's own environment, made there when it is missing."""

NBGRADER = "nbgrader==0.9.6"
PER_SECOND = 40
FIRST_RESULT_SECONDS = 1.0
MOST_MEGABYTES = 500.0
FLAT = 1.15
"""How much longer than in the first half of a run a submission may take in the second."""


def rows() -> list[Row]:
    """A class of each of three lessons, with all that starting takes, against the bars."""
    with tempfile.TemporaryDirectory() as folder:
        largest = _graded(LESSON, Path(folder))
        others = {lesson: _graded(lesson, Path(folder)) for lesson in OTHERS}
        theirs = _seconds_of_nbgrader(Path(folder))
    ours = largest.seconds / COUNT
    title = f"a submission of {LESSON}"
    first, second = _halves(largest)
    return [
        Row(title, ours, "nbgrader", theirs, Bar(1 / PER_SECOND)),
        Row(title, ours, f"{PER_SECOND} a second", 1 / PER_SECOND, Bar(1)),
        *(
            Row(
                f"a submission of {lesson}",
                run.seconds / COUNT,
                f"{PER_SECOND} a second",
                1 / PER_SECOND,
                Bar(1),
            )
            for lesson, run in others.items()
        ),
        Row("its first result", largest.results[0], "at most", FIRST_RESULT_SECONDS, Bar(1)),
        Row(
            "the memory of all processes",
            max(run.megabytes for run in (largest, *others.values())),
            "at most",
            MOST_MEGABYTES,
            Bar(1),
            "MB",
        ),
        Row(f"the second {COUNT // 2} submissions", second, "the first", first, Bar(FLAT)),
    ]


def _graded(lesson: str, folder: Path) -> Watched:
    hand_in(lesson, COUNT, folder / lesson)
    return watch(folder / lesson, folder / f"{lesson}-graded")


def _halves(run: Watched) -> tuple[float, float]:
    """Seconds for one submission in the first and the second half, after the first result."""
    start, middle, end = (run.results[place] for place in (0, COUNT // 2, COUNT - 1))
    return (middle - start) / (COUNT // 2), (end - middle) / (COUNT // 2 - 1)


def _seconds_of_nbgrader(folder: Path) -> float:
    kept = os.environ.get(ENVIRONMENT)
    program = _nbgrader(Path(kept) if kept else folder / "nbgrader")
    few, more = (_autograde(program, folder / f"course{count}", count) for count in (FEW, MORE))
    return (more - few) / (MORE - FEW)


def _nbgrader(environment: Path) -> Path:
    """The program, in an environment of its own that has what the notebooks import, too."""
    program = environment / "bin" / "nbgrader"
    if not program.exists():
        venv.create(environment, with_pip=True)
        pip = [str(environment / "bin" / "pip"), "install", "--quiet"]
        subprocess.run(
            [*pip, NBGRADER, "--editable", f"{ROOT}[lab]"], check=True, capture_output=True
        )
    return program


def _autograde(program: Path, course: Path, count: int) -> float:
    def run(command: str) -> float:
        start = perf_counter()
        subprocess.run(
            [str(program), command, LESSON, "--course-dir", str(course)],
            cwd=course,
            env={
                **os.environ,
                "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
                # Notebooks that stop at their first import are graded fast.
                "PYTHONPATH": str(ROOT),
            },
            check=True,
            capture_output=True,
        )
        return perf_counter() - start

    hand_in(LESSON, count, course / "handed_in")
    for notebook in sorted((course / "handed_in").glob("*/*.ipynb")):
        place = course / "submitted" / notebook.parent.name / LESSON
        place.mkdir(parents=True)
        notebook.rename(place / notebook.name)
    source = course / "source" / LESSON
    source.mkdir(parents=True)
    (source / f"{LESSON}.ipynb").write_bytes((ROOT / "lessons" / f"{LESSON}.ipynb").read_bytes())
    run("generate_assignment")
    return run("autograde")
