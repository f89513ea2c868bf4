"""Grading a class in isolation, beside nbgrader on the same notebooks."""

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from time import perf_counter

from .bars import Bar, Row
from .classes import hand_in

ROOT = Path(__file__).parents[2]
LESSON = "07_custom_functions"
COUNT = 200
FEW, MORE = 2, 8
"""Submissions for nbgrader: the difference leaves out what it takes to start."""

ENVIRONMENT = "AUTOGRAD_LESSONS_NBGRADER"
"""The folder of nbgrader's own environment, made there when it is missing."""

NBGRADER = "nbgrader==0.9.6"
PER_SECOND = 40


def rows() -> list[Row]:
    """The time for one submission of a lesson, with all that starting takes, against both bars."""
    with tempfile.TemporaryDirectory() as folder:
        ours = _seconds_of_ours(Path(folder))
        theirs = _seconds_of_nbgrader(Path(folder))
    title = f"a submission of {LESSON}"
    return [
        Row(title, ours, "nbgrader", theirs, Bar(1 / PER_SECOND)),
        Row(title, ours, f"{PER_SECOND} a second", 1 / PER_SECOND, Bar(1)),
    ]


def _seconds_of_ours(folder: Path) -> float:
    submissions, out = folder / "submissions", folder / "graded"
    hand_in(LESSON, COUNT, submissions)
    command = [sys.executable, "-m", "graders", "grade", str(submissions), "--out", str(out)]
    start = perf_counter()
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return (perf_counter() - start) / COUNT


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
            env={**os.environ, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"},
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
