"""What Binder is told, as its own program reads it; no container is made."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys

import pytest

from tests.binder.checkout import BINDER, ROOT, copied

TESTED = ROOT / ".github" / "workflows" / "test.yml"


def repo2docker(folder):
    if importlib.util.find_spec("repo2docker") is None:
        pytest.skip("jupyter-repo2docker is not installed")
    return subprocess.run(
        [sys.executable, "-m", "repo2docker", "--no-build", "--debug", str(folder)],
        capture_output=True,
        text=True,
    )


def test_repo2docker_makes_an_image_of_it(tmp_path):
    copied(tmp_path)
    done = repo2docker(tmp_path)
    assert done.returncode == 0, done.stderr
    recipe = done.stdout + done.stderr
    steps = [
        "COPY --chown",
        'pip install --no-cache-dir -r "binder/requirements.txt"',
        "RUN ./binder/postBuild",
    ]
    places = [recipe.rindex(step) for step in steps]
    assert places == sorted(places)
    assert f"environment.py-{python()}" in recipe or f"python={python()}" in recipe


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [("runtime.txt", "python-99\n", "99"), ("apt.txt", "_unheard-of\n", "_unheard-of")],
)
def test_repo2docker_tells_what_it_cannot_make(tmp_path, name, content, complaint):
    copied(tmp_path)
    (tmp_path / "binder" / name).write_text(content)
    done = repo2docker(tmp_path)
    assert done.returncode != 0
    assert complaint in done.stdout + done.stderr


def python():
    name, version = (BINDER / "runtime.txt").read_text().strip().split("-")
    assert name == "python"
    return version


def test_python_is_one_that_the_tests_run_on():
    assert f'"{python()}"' in re.search(r"python: \[(.*)\]", TESTED.read_text())[1]


def test_packages_of_the_system_are_known_ones():
    lines = (BINDER / "apt.txt").read_text().splitlines()
    packages = [name for line in lines if (name := line.partition("#")[0].strip())]
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9.+-]+", name) for name in packages)
    if packages and shutil.which("apt-cache") is None:
        pytest.skip("no apt-cache knows packages here")
    for name in packages:
        known = subprocess.run(["apt-cache", "show", name], capture_output=True)
        assert known.returncode == 0, name


def test_the_last_step_can_be_run():
    assert os.access(BINDER / "postBuild", os.X_OK)
    assert (BINDER / "postBuild").read_text().startswith("#!/usr/bin/env bash\n")
