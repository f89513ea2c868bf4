"""The lessons as nbgrader reads them; by nbgrader itself, where there is one."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import lessons

LESSONS = sorted(Path(lessons.__path__[0]).glob("*.ipynb"))
GUIDE = Path(lessons.__path__[0]).parent / "graders" / "NBGRADER.md"

PYTHON = os.environ.get("NBGRADER_PYTHON") or (
    sys.executable if importlib.util.find_spec("nbgrader") else None
)
"""An interpreter that has nbgrader, which wants many packages, and so an environment of its own."""

needs_nbgrader = pytest.mark.skipif(
    PYTHON is None,
    reason="nbgrader is not installed; NBGRADER_PYTHON may name an interpreter that has it",
)

READ = """
import json, sys
from nbgrader.nbgraderformat import read
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as lesson:
        cells = read(lesson, as_version=4).cells
    print(json.dumps([cell.metadata.nbgrader for cell in cells if "nbgrader" in cell.metadata]))
"""


def marks(path):
    """nbgrader's metadata in each of a lesson's cells that has it."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return [cell["metadata"]["nbgrader"] for cell in cells if "nbgrader" in cell["metadata"]]


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_the_marks_are_of_the_schema(path):
    assert marks(path)
    for mark in marks(path):
        assert sorted(mark) == ["grade", "grade_id", "locked", "schema_version", "solution", "task"]
        assert mark["schema_version"] == 3
        assert re.fullmatch(r"[a-zA-Z0-9_\-]+", mark["grade_id"])
        assert {type(mark[name]) for name in ("grade", "locked", "solution", "task")} == {bool}
        assert not mark["grade"], "a cell with points has to have tests, which students would read"


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_no_two_cells_share_an_id(path):
    ids = [mark["grade_id"] for mark in marks(path)]
    assert len(ids) == len(set(ids))


@needs_nbgrader
def test_nbgrader_reads_every_lesson():
    done = subprocess.run(
        [PYTHON, "-c", READ, *map(str, LESSONS)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert [json.loads(line) for line in done.stdout.splitlines()] == [*map(marks, LESSONS)]


@needs_nbgrader
def test_nbgrader_hands_the_lessons_out_as_they_are(tmp_path):
    source = tmp_path / "source" / "autograd"
    source.mkdir(parents=True)
    for path in LESSONS[:2]:
        (source / path.name).write_bytes(path.read_bytes())
    (config,) = re.findall(r"```python\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    (tmp_path / "nbgrader_config.py").write_text(config)
    folder = Path(PYTHON).parent
    done = subprocess.run(
        [PYTHON, "-m", "nbgrader", "generate_assignment", "autograd"],
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=180,
    )
    assert done.returncode == 0, done.stderr
    for path in LESSONS[:2]:
        released = tmp_path / "release" / "autograd" / path.name
        before, after = (json.loads(each.read_text("utf-8"))["cells"] for each in (path, released))
        told = [("".join(cell["source"]), cell["metadata"].get("exercise")) for cell in before]
        assert [("".join(c["source"]), c["metadata"].get("exercise")) for c in after] == told
