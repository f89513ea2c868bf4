"""The steps of the image, in an environment of its own, down to lessons that run in it."""

import json
import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from binder.badge import WELCOME
from graders.lab import BEFORE_SAVING, WIDGETS
from tests.binder.checkout import copied

# What teachers and maintainers have, and a learner's image has no use for.
NOT_FOR_LEARNERS = {
    *("torch", "autograd", "distributed", "dask", "hypothesis", "mypy", "nbval", "playwright"),
    *("pytest", "ruff", "jupyter-repo2docker"),
}


class Image:
    """An environment and a home, as repo2docker lays them out: the checkout is the home."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.environment = folder / "environment"
        self.home.mkdir()
        copied(self.home)
        venv.create(self.environment, with_pip=True)

    def run(self, *command: str, folder: str = ".", check: bool = True) -> str:
        """Run a command there and return what it said; it has to succeed, unless told otherwise."""
        kept = ("LANG", "TMPDIR", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE")
        inherited = {
            name: value
            for name, value in os.environ.items()
            if name in kept or name.startswith("PIP_") or name.lower().endswith("_proxy")
        }
        # The settings of the user's pip say where packages are to be had.
        pip = os.environ.get("PIP_CONFIG_FILE") or str(Path.home() / ".config/pip/pip.conf")
        done = subprocess.run(
            command,
            cwd=self.home / folder,
            env=inherited
            | {"HOME": str(self.home), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
            | ({"PIP_CONFIG_FILE": pip} if os.path.exists(pip) else {})
            | {"PATH": f"{self.environment / 'bin'}{os.pathsep}{os.environ['PATH']}"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert not check or done.returncode == 0, done.stdout
        return done.stdout if done.returncode == 0 else ""


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    if sys.platform == "win32":
        pytest.skip("Binder's images are no Windows")
    image = Image(tmp_path_factory.mktemp("binder"))
    # One small package, asked for and not installed: whether there is anybody to ask.
    if not image.run("pip", "download", "--no-deps", "-d", "probe", "click", check=False):
        pytest.skip("no package index can be reached")
    # Compiling all of JupyterLab takes longer than what is run of it.
    options = ("--no-cache-dir", "--no-compile")
    image.run("pip", "install", *options, "-r", "binder/requirements.txt")
    image.run("./binder/postBuild")
    return image


def test_lessons_lie_ready_without_outputs(image):
    lessons = sorted((image.home / "autograd-lessons").glob("*.ipynb"))
    assert [path.name for path in lessons] == sorted(
        path.name for path in (image.home / "lessons").glob("*.ipynb")
    )
    for path in lessons:
        assert not any(cell.get("outputs") for cell in json.loads(path.read_text())["cells"])


def test_the_badge_opens_the_welcome(image):
    assert (image.home / WELCOME.removeprefix("lab/tree/")).is_file()


def test_it_is_small(image):
    names = {
        re.sub(r"[-_.]+", "-", each["name"]).lower()
        for each in json.loads(image.run("pip", "list", "--format", "json"))
    }
    assert {"jupyterlab", "numpy"} <= names
    assert names & NOT_FOR_LEARNERS == set()


def test_nobody_is_asked_about_news(image):
    page = json.loads(
        (image.environment / "etc/jupyter/labconfig/page_config.json").read_text(encoding="utf-8")
    )
    assert page["disabledExtensions"]["@jupyterlab/apputils-extension:announcements"]


def test_a_saved_lesson_keeps_what_lives_without_its_kernel(image):
    said = image.run("sh", "-c", "jupyter server --show-config-json 2>/dev/null")
    config = json.loads(said)
    assert config["ContentsManager"]["pre_save_hook"] == BEFORE_SAVING
    settings = image.environment / "etc/jupyter/labconfig/default_setting_overrides.json"
    assert json.loads(settings.read_text(encoding="utf-8"))[WIDGETS]["saveState"] is True


@pytest.mark.parametrize("lesson", ["00_welcome", "02_leaf_nodes"])
def test_a_lesson_runs_there(image, lesson):
    command = ["jupyter", "nbconvert", "--to", "notebook", "--execute", "--output-dir", "../run"]
    image.run(*command, f"{lesson}.ipynb", folder="autograd-lessons")
    done = json.loads((image.home / "run" / f"{lesson}.ipynb").read_text(encoding="utf-8"))
    shown = [output for cell in done["cells"] for output in cell.get("outputs", ())]
    assert len(shown) > 3
    assert not any(output["output_type"] == "error" for output in shown)
