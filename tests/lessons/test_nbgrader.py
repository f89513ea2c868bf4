"""The lessons as nbgrader reads them; by nbgrader itself, where it can be had."""

import importlib.util
import json
import os
import re
import site
import subprocess
import sys
import venv
from pathlib import Path

import pytest

import lessons

LESSONS = sorted(Path(lessons.__path__[0]).glob("*.ipynb"))
GUIDE = Path(lessons.__path__[0]).parent / "graders" / "NBGRADER.md"

VERSION = "nbgrader==0.9.6"


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """An interpreter that has nbgrader: NBGRADER_PYTHON, this one, or one that is made.

    nbgrader wants packages of its own, which the tests' environment is not to get; all that it has
    already is lent.
    """
    if given := os.environ.get("NBGRADER_PYTHON"):
        return given
    if importlib.util.find_spec("nbgrader"):
        return sys.executable
    place = tmp_path_factory.mktemp("nbgrader")
    venv.create(place, symlinks=True)
    made = str(place / "bin" / "python")
    (here,) = place.glob("lib/python*/site-packages")
    (here / "lent.pth").write_text("\n".join(site.getsitepackages()), encoding="utf-8")
    # Compiling all that comes along takes longer than what is run of it.
    options = ["--quiet", "--disable-pip-version-check", "--no-compile"]
    install = ["-m", "pip", "install", *options, VERSION]
    try:
        subprocess.run([made, *install], check=True, capture_output=True, text=True, timeout=180)
    except subprocess.CalledProcessError as failure:
        pytest.skip(f"nbgrader cannot be installed here: {failure.stderr.strip()[-300:]}")
    except subprocess.TimeoutExpired:
        pytest.skip("nbgrader could not be installed in three minutes")
    return made


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


def test_nbgrader_reads_every_lesson(python):
    done = subprocess.run(
        [python, "-c", READ, *map(str, LESSONS)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert [json.loads(line) for line in done.stdout.splitlines()] == [*map(marks, LESSONS)]


def test_nbgrader_hands_the_lessons_out_as_they_are(python, tmp_path):
    source = tmp_path / "source" / "autograd"
    source.mkdir(parents=True)
    for path in LESSONS[:2]:
        (source / path.name).write_bytes(path.read_bytes())
    (config,) = re.findall(r"```python\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    (tmp_path / "nbgrader_config.py").write_text(config)
    folder = Path(python).parent
    done = subprocess.run(
        [python, "-m", "nbgrader", "generate_assignment", "autograd"],
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
