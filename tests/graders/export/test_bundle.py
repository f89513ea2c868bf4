import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from zipfile import ZipFile

import pytest
from click.testing import CliRunner

from graders.autograder import SETTINGS
from graders.cli import main
from graders.export.own_package import requirements
from tests.graders.export.gradescope_format import check_results
from tests.graders.test_cli import EXERCISES, LESSON, PRELUDE, notebook, right
from tests.graders.workers import ISOLATING


def made(folder, *options):
    result = CliRunner().invoke(main, ["export", "gradescope", "--out", str(folder), *options])
    assert result.exit_code == 0, result.output
    return folder / "autograder.zip"


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    isolation = ISOLATING[0] if ISOLATING else "none"
    out = tmp_path_factory.mktemp("bundle")
    return made(out, "--lesson", LESSON, "--isolation", isolation)


@pytest.fixture
def image(archive, tmp_path):
    """Gradescope's folders as they are when a submission has arrived, in another place."""
    root = tmp_path / "autograder"
    with ZipFile(archive) as packed:
        packed.extractall(root / "source")
    for name in ("submission", "results"):
        (root / name).mkdir()
    shutil.copy(root / "source" / "run_autograder", root / "run_autograder")
    return root


def interpreter(folder):
    """An interpreter that finds what was installed beside this project, but not the project."""
    program, installed = folder / "python", sysconfig.get_path("purelib")
    # Without `site` no file in there says where the project's checkout is.
    script = f'PYTHONPATH="$PYTHONPATH:{installed}" exec "{sys.executable}" -S "$@"'
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return program


def run(image):
    """What Gradescope finds in results.json."""
    done = subprocess.run(
        ["bash", str(image / "run_autograder")],
        cwd=image,
        env={
            "PATH": os.environ["PATH"],
            "AUTOGRADER_ROOT": str(image),
            "AUTOGRADER_PYTHON": str(interpreter(image)),
        },
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    results = json.loads((image / "results" / "results.json").read_text("utf-8"))
    check_results(results)
    return results


def test_the_archive_has_what_gradescope_needs_at_its_top(archive):
    with ZipFile(archive) as packed:
        modes = {entry.filename: entry.external_attr >> 16 for entry in packed.infolist()}
    assert {name for name in modes if "/" not in name} == {
        "setup.sh",
        "run_autograder",
        "settings.json",
        "requirements.txt",
    }
    assert modes["setup.sh"] & modes["run_autograder"] & 0o111 == 0o111
    assert "packages/graders/autograder.py" in modes
    assert "packages/autograd_core/__init__.py" in modes
    assert not [name for name in modes if "__pycache__" in name or name.endswith(".pyc")]


def test_nothing_of_ours_has_to_be_downloaded(archive):
    with ZipFile(archive) as packed:
        wanted = packed.read("requirements.txt").decode().splitlines()
    assert wanted == requirements()
    assert any(each.startswith("numpy") for each in wanted)
    assert not [each for each in wanted if "autograd" in each or "extra" in each]


def test_the_same_archive_is_made_every_time(archive, tmp_path):
    isolation = ISOLATING[0] if ISOLATING else "none"
    again = made(tmp_path, "--lesson", LESSON, "--isolation", isolation)
    assert again.read_bytes() == archive.read_bytes()


def test_the_scripts_are_bash(archive, tmp_path):
    with ZipFile(archive) as packed:
        packed.extractall(tmp_path)
    for name in ("setup.sh", "run_autograder"):
        assert (tmp_path / name).read_text().startswith("#!/usr/bin/env bash\n")
        subprocess.run(["bash", "-n", str(tmp_path / name)], check=True)


def test_setup_makes_an_environment_and_installs_what_is_required(image, tmp_path):
    tools = tmp_path / "tools"
    tools.mkdir()
    told = tmp_path / "told"
    for name in ("apt-get", "python3"):
        (tools / name).write_text(
            f'#!/bin/sh\necho "{name} $*" >> "{told}"\n'
            f'[ "$2" = venv ] && mkdir -p "$3/bin" && ln -s "$0" "$3/bin/python"\nexit 0\n'
        )
        (tools / name).chmod(0o755)
    subprocess.run(
        ["bash", str(image / "source" / "setup.sh")],
        env={"PATH": f"{tools}:{os.environ['PATH']}", "AUTOGRADER_ROOT": str(image)},
        check=True,
        capture_output=True,
    )
    calls = told.read_text().splitlines()
    assert "apt-get install -y bubblewrap python3-venv" in calls
    assert f"python3 -m venv {image}/source/venv" in calls
    assert calls[-1].endswith(f"-m pip install --no-cache-dir -r {image}/source/requirements.txt")


def test_a_right_submission_gets_full_marks(image):
    (image / "submission" / f"{LESSON}.ipynb").write_text(right(), encoding="utf-8")
    results = run(image)
    assert results["score"] == sum(each.points for each in EXERCISES)
    assert {test["status"] for test in results["tests"]} == {"passed"}
    assert [test["tags"][0] for test in results["tests"]] == [each.id for each in EXERCISES]


def test_what_was_not_handed_in_is_told(image):
    (image / "submission" / "notes.txt").write_text("see you")
    results = run(image)
    assert results["score"] == 0
    assert f"{LESSON}.ipynb: It was not handed in." in results["output"]
    assert [test["tags"][:2] for test in results["tests"] if test["max_score"]] == [
        [each.id, "error"] for each in EXERCISES
    ]


@pytest.mark.skipif(not ISOLATING, reason="no kind of isolation works on this machine")
def test_a_submission_cannot_read_the_solutions_nor_write_its_results(image):
    solutions = image / "source" / "packages" / "graders" / "exercises" / "fn_square.py"
    results = image / "results" / "results.json"
    source = (
        f"print('read', open({str(solutions)!r}).read()[:9])\n"
        f"open({str(results)!r}, 'w').write('{{\"score\": 1000}}')\n"
    )
    first = EXERCISES[0]
    text = notebook({first.id: PRELUDE + source})
    (image / "submission" / f"{LESSON}.ipynb").write_text(text, encoding="utf-8")
    found = run(image)
    assert found["score"] == 0
    assert "read" not in json.dumps(found["tests"][0]["output"]).split()


def test_another_lesson_does_not_count(image):
    (image / "submission" / f"{LESSON}.ipynb").write_text(right(), encoding="utf-8")
    (image / "submission" / "08_mark_dirty.ipynb").write_text(notebook({}), encoding="utf-8")
    assert {test["name"].split(" · ")[0] for test in run(image)["tests"]} == {LESSON}


def test_a_lesson_may_be_told_by_its_number(tmp_path):
    with ZipFile(made(tmp_path, "--lesson", "07")) as archive:
        assert json.loads(archive.read(SETTINGS))["lessons"] == [LESSON]


def test_a_lesson_that_is_none_is_told(tmp_path):
    arguments = ["export", "gradescope", "--out", str(tmp_path), "--lesson", "07_functions"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert "There is no lesson '07_functions'" in result.output
    assert not list(Path(tmp_path).iterdir())
