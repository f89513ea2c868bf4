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
LESSONS = ("02_leaf_nodes", "07_custom_functions", "08_mark_dirty")
COUNT = 400
FEW, MORE = 2, 8
"""Submissions for nbgrader: the difference leaves out what it takes to start."""

ENVIRONMENT = "AUTOGRAD_LESSONS_NBGRADER"
"""The folder of nbgrader's own environment, made there when it is missing."""

NBGRADER = "nbgrader==0.9.6"
AHEAD = 40
"""Submissions for each of nbgrader's."""

PER_SECOND = 40
FIRST_RESULT_SECONDS = 1.0
MOST_MEGABYTES = 500.0
FLAT = 1.15
"""How much longer than in the first half of a run a submission may take in the second."""


def rows() -> list[Row]:
    """A class of each of three lessons, with all that starting takes, against the bars."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        graded = {lesson: _graded(lesson, folder) for lesson in LESSONS}
        program = _nbgrader(folder)
        theirs = {lesson: _seconds_of_nbgrader(program, lesson, folder) for lesson in LESSONS}
    ours = {lesson: run.seconds / COUNT for lesson, run in graded.items()}
    second = 1 / PER_SECOND
    largest = max(graded.values(), key=lambda run: run.seconds)
    earlier, later = _halves(largest)
    first = max(run.results[0] for run in graded.values())
    most = max(run.megabytes for run in graded.values())
    return [
        *(
            Row(
                f"{AHEAD} of {lesson}",
                AHEAD * ours[lesson],
                "nbgrader's one",
                theirs[lesson],
                Bar(1),
            )
            for lesson in LESSONS
        ),
        *(
            Row(f"one of {lesson}", ours[lesson], f"{PER_SECOND} a second", second, Bar(1))
            for lesson in LESSONS
        ),
        Row("the first result", first, "at most", FIRST_RESULT_SECONDS, Bar(1)),
        Row("the memory of all processes", most, "at most", MOST_MEGABYTES, Bar(1), "MB"),
        Row(f"the second {COUNT // 2} submissions", later, "the first", earlier, Bar(FLAT)),
    ]


def _graded(lesson: str, folder: Path) -> Watched:
    hand_in(lesson, COUNT, folder / lesson)
    return watch(folder / lesson, folder / f"{lesson}-graded")


def _halves(run: Watched) -> tuple[float, float]:
    """Seconds for one submission in the first and the second half, after the first result."""
    start, middle, end = (run.results[place] for place in (0, COUNT // 2, COUNT - 1))
    return (middle - start) / (COUNT // 2), (end - middle) / (COUNT // 2 - 1)


def _seconds_of_nbgrader(program: Path, lesson: str, folder: Path) -> float:
    few, more = (
        _autograde(program, lesson, folder / f"{lesson}-course{count}", count)
        for count in (FEW, MORE)
    )
    return (more - few) / (MORE - FEW)


def _nbgrader(folder: Path) -> Path:
    """The program, in an environment of its own that has what the notebooks import, too."""
    environment = Path(os.environ.get(ENVIRONMENT) or folder / "nbgrader")
    program = environment / "bin" / "nbgrader"
    if not program.exists():
        venv.create(environment, with_pip=True)
        pip = [str(environment / "bin" / "pip"), "install", "--quiet"]
        subprocess.run(
            [*pip, NBGRADER, "--editable", f"{ROOT}[lab]"], check=True, capture_output=True
        )
    return program


def _autograde(program: Path, lesson: str, course: Path, count: int) -> float:
    def run(command: str) -> float:
        start = perf_counter()
        subprocess.run(
            [str(program), command, lesson, "--course-dir", str(course)],
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

    hand_in(lesson, count, course / "handed_in")
    for notebook in sorted((course / "handed_in").glob("*/*.ipynb")):
        place = course / "submitted" / notebook.parent.name / lesson
        place.mkdir(parents=True)
        notebook.rename(place / notebook.name)
    source = course / "source" / lesson
    source.mkdir(parents=True)
    (source / f"{lesson}.ipynb").write_bytes((ROOT / "lessons" / f"{lesson}.ipynb").read_bytes())
    run("generate_assignment")
    return run("autograde")
