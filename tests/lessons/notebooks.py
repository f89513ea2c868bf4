"""The lessons' notebooks, opened and run as a learner would: untouched, or with right solutions."""

from __future__ import annotations

import copy
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from traitlets.config import Config

from graders.exercise import Exercise, source_of
from graders.exercise import load as load_exercise
from graders.live import STATIC
from graders.progress.kept import VARIABLE as PROGRESS
from tests.kernels import through_files

ROOT = Path(__file__).parents[2]
LESSONS = ROOT / "lessons"

Notebook = Any
Cell = Any


def lessons() -> list[str]:
    """Return the names of all lessons, in reading order."""
    return sorted(path.stem for path in LESSONS.glob("[0-9]*.ipynb"))


def load(lesson: str) -> Notebook:
    """Return the notebook of a lesson (`02_leaf_nodes`) as it is kept, with its outputs."""
    return nbformat.read(LESSONS / f"{lesson}.ipynb", as_version=4)


def run(notebook: Notebook) -> Notebook:
    """Return a copy of `notebook` with the outputs of a run from the top, in an empty folder.

    The kernel sees this tree's packages and neither the user's IPython settings nor their
    progress, and shows no widgets. Raises nbclient's CellExecutionError when a cell raises.
    """
    notebook = copy.deepcopy(notebook)
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(paths),
            "IPYTHONDIR": os.path.join(folder, ".ipython"),
            PROGRESS: os.path.join(folder, ".progress"),
            STATIC: "1",
        }
        client = NotebookClient(
            notebook,
            timeout=60,
            kernel_name="python3",
            resources={"metadata": {"path": folder}},
            config=Config(AsyncKernelManager=through_files(os.path.join(folder, ".kernel"))),
        )
        client.execute(env=environment)
    for cell in notebook.cells:
        if "outputs" in cell:
            cell.outputs = _joined(cell.outputs)
    return notebook


def _joined(outputs: list[Any]) -> list[Any]:
    """Return `outputs` with neighbouring pieces of a stream in one: where they part is chance."""
    joined: list[Any] = []
    for output in outputs:
        before = joined[-1] if joined else None
        if before is not None and output.get("name") and before.get("name") == output.name:
            before.text += output.text
        else:
            joined.append(output)
    return joined


def with_solutions(notebook: Notebook) -> Notebook:
    """Return a copy of `notebook` in which every exercise is solved by its reference."""
    notebook = copy.deepcopy(notebook)
    for id, cell in exercise_cells(notebook).items():
        exercise = load_exercise(id)
        cell.source = source_of(exercise.reference, exercise.symbol)
    return notebook


def exercise_cells(notebook: Notebook) -> dict[str, Cell]:
    """Return the cells in which learners write their solutions, by exercise, in order."""
    return {
        cell.metadata["exercise"]: cell
        for cell in notebook.cells
        if cell.cell_type == "code" and "exercise" in cell.metadata
    }


def check_cells(notebook: Notebook) -> dict[str, Cell]:
    """Return the cells that check a solution, by exercise, in order."""
    return {
        cell.metadata["nbgrader"]["grade_id"].removeprefix("check-"): cell
        for cell in notebook.cells
        if "check" in cell.metadata.get("tags", ())
    }


def cell_before(notebook: Notebook, cell: Cell) -> Cell:
    """Return the cell that stands directly above `cell`."""
    return notebook.cells[_position(notebook, cell) - 1]


def cell_after(notebook: Notebook, cell: Cell) -> Cell:
    """Return the cell that stands directly below `cell`."""
    return notebook.cells[_position(notebook, cell) + 1]


def _position(notebook: Notebook, cell: Cell) -> int:
    return next(place for place, each in enumerate(notebook.cells) if each is cell)


def introduction(exercise: Exercise) -> str:
    """Return what the cell above an exercise says: heading, task, and what it takes."""
    effort = (
        f"*Difficulty {exercise.difficulty} of 3 · about {exercise.minutes} minutes · "
        f"{exercise.points:g} points*"
    )
    return f"### Exercise: {exercise.title}\n\n{exercise.task}\n\n{effort}"


def headings(notebook: Notebook) -> list[tuple[int, str]]:
    """Return level and text of each heading, in order."""
    found = []
    for line in markdown_lines(notebook):
        match = re.match(r"(#{1,6}) +(.+?) *#* *$", line)
        if match:
            found.append((len(match[1]), match[2]))
    return found


def markdown_lines(notebook: Notebook) -> Iterator[str]:
    """Yield the lines of the prose, without the code in it."""
    for cell in notebook.cells:
        fenced = False
        for line in cell.source.splitlines() if cell.cell_type == "markdown" else ():
            if line.lstrip().startswith("```"):
                fenced = not fenced
            elif not fenced:
                yield line


def shown(cell: Cell) -> list[tuple[str, Any]]:
    """Return what a code cell shows: kind and content, neighbouring pieces of a stream joined.

    The kinds are "stdout", "stderr", "error" and the MIME types of displayed data.
    """
    found: list[tuple[str, Any]] = []
    for output in cell.get("outputs", ()):
        if output.output_type == "stream":
            if found and found[-1][0] == output.name:
                found[-1] = (output.name, found[-1][1] + output.text)
            else:
                found.append((output.name, output.text))
        elif output.output_type == "error":
            found.append(("error", f"{output.ename}: {output.evalue}"))
        else:
            found += sorted(output.data.items())
    return found


def plain_text(cell: Cell) -> str:
    """Return what a code cell shows, as text alone."""
    plain = ("stdout", "stderr", "error", "text/plain")
    return "\n".join(content for kind, content in shown(cell) if kind in plain)
