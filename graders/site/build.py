"""Builds the site from JupyterLite's pages, the release of pyodide, our wheels and the lessons."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

from graders.export.own_package import NAME
from graders.lab import WIDGETS as SHOWN_WIDGETS
from graders.site import SiteError, comm_info
from graders.site.compiled import can_compile, modules_of_a_lesson, with_compiled
from graders.site.installed import page_extension
from graders.site.lock import STAND_INS, WIDGETS, lock, preloaded
from graders.site.pyodide import LOCK, Release
from graders.site.wheels import Wheel, installed_wheel, our_wheel, unpacked, with_requirements
from graders.working_folder import copy_lessons

KERNEL_EXTENSION = "@jupyterlite/pyodide-kernel-extension"
EXTENSIONS = {
    "anywidget": "anywidget",
    "jupyterlab_widgets": "@jupyter-widgets/jupyterlab-manager",
    "jupyterlite-pyodide-kernel": KERNEL_EXTENSION,
}
"""JupyterLab extensions of the page, by the distribution that contains each."""

STUBS = ("ipykernel", "piplite", "pyodide_kernel")
"""Wheels that come with the kernel's extension: the kernel, and a replacement for ipykernel."""

PYODIDE_FOLDER = "static/pyodide"
IN_THE_PAGE = frozenset({"jupyterlab-widgets", "widgetsnbextension"})
"""Requirements of ipywidgets that are extensions of the page and not Python."""

DATA_FOLDER = "/drive/.autograd-lessons"
"""The folder for progress: the browser stores `/drive` for the site."""

SETTINGS = {
    # Save often, because learners close a page more readily than a program.
    "@jupyterlab/docmanager-extension:plugin": {"autosaveInterval": 10},
    SHOWN_WIDGETS: {"saveState": True},
}
KERNEL_METADATA = {
    "kernelspec": {"display_name": "Python (Pyodide)", "language": "python", "name": "python"},
    "language_info": {
        "codemirror_mode": {"name": "python", "version": 3},
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "name": "python",
        "nbconvert_exporter": "python",
        "pygments_lexer": "ipython3",
        "version": "3.8",
    },
}
"""Metadata that the page would add to a notebook without them.

Then every lesson that is only opened would count as changed by the learner, and would hide the
lesson's newer version on an updated site. So the notebooks have them from the beginning.
"""

WELCOME = "00_welcome.ipynb"
LATEST_ERRORS = 2000


def build(folder: Path, release: Release, scratch: Path) -> None:
    """Build the site into the empty folder `folder`, with `scratch` for intermediate files.

    Raises SiteError when a part is not installed or JupyterLite fails.
    """
    copy_lessons(scratch / "lessons")
    for path in (scratch / "lessons").glob("*.ipynb"):
        _tell_kernel(path)
    _run_jupyterlite(scratch, folder)
    _add_pyodide(folder / PYODIDE_FOLDER, release)
    _configure(folder / "jupyter-lite.json")
    page = (files("graders.site") / "index.html").read_text(encoding="utf-8")
    (folder / "index.html").write_text(page.replace("WELCOME", WELCOME), encoding="utf-8")
    # Without this file GitHub Pages leaves out names that begin with an underscore.
    (folder / ".nojekyll").touch()


def _tell_kernel(path: Path) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    notebook["metadata"] |= KERNEL_METADATA
    text = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
    path.write_text(text, encoding="utf-8")


def _run_jupyterlite(scratch: Path, folder: Path) -> None:
    settings = {
        "apps": ["lab"],
        "contents": [str(scratch / "lessons")],
        "federated_extensions": [str(page_extension(*each)) for each in EXTENSIONS.items()],
        # Otherwise all extensions installed on this machine would be included.
        "ignore_sys_prefix": ["federated_extensions"],
        "no_sourcemaps": True,
        "no_unused_shared_packages": True,
        "output_dir": str(folder),
        "settings_overrides": [str(scratch / "overrides.json")],
    }
    (scratch / "overrides.json").write_text(json.dumps(SETTINGS), encoding="utf-8")
    config = {"LiteBuildConfig": settings}
    (scratch / "jupyter_lite_config.json").write_text(json.dumps(config), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "jupyterlite_core", "build", "--lite-dir", str(scratch)],
        cwd=scratch,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        told = (done.stdout + done.stderr).strip()[-LATEST_ERRORS:]
        raise SiteError(f"JupyterLite could not build the site. It says:\n{told}")
    comm_info.answer(folder)


def _add_pyodide(folder: Path, release: Release) -> None:
    folder.mkdir(parents=True)
    for name, content in release.files.items():
        (folder / name).write_bytes(content)
    wheels = _wheels(release)
    for wheel in wheels.values():
        (folder / wheel.file_name).write_bytes(wheel.content)
    text = json.dumps(lock(release, wheels), indent=1, sort_keys=True)
    (folder / LOCK).write_text(text + "\n", encoding="utf-8")


def _wheels(release: Release) -> dict[str, Wheel]:
    """Every wheel that does not come with `release`, by name."""

    def elsewhere(name: str) -> bool:
        return name in release.packages or name in IN_THE_PAGE

    stubs = page_extension("jupyterlite-pyodide-kernel", KERNEL_EXTENSION) / "static/pypi"
    brought = [unpacked(path) for name in STUBS for path in stubs.glob(f"{name}-*.whl")]
    named = [installed_wheel(name) for name in ("comm", "ipython", *WIDGETS)]
    wheels = with_requirements([our_wheel(), *STAND_INS, *brought, *named], elsewhere)
    if not can_compile():
        return wheels
    modules = modules_of_a_lesson()
    return {name: with_compiled(wheel, modules) for name, wheel in wheels.items()}


def _configure(path: Path) -> None:
    config: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    data = config["jupyter-config-data"]
    data["appName"] = "Autograd Lessons"
    plugins = data.setdefault("litePluginSettings", {})
    kernel = plugins.setdefault(f"{KERNEL_EXTENSION}:kernel", {})
    kernel["pyodideUrl"] = f"./{PYODIDE_FOLDER}/pyodide.js"
    kernel["disablePyPIFallback"] = True
    kernel["loadPyodideOptions"] = {
        "packages": preloaded((NAME, *WIDGETS)),
        "env": {"HOME": "/home/pyodide", "AUTOGRAD_LESSONS_DATA": DATA_FOLDER},
    }
    path.write_text(json.dumps(config, indent=2, sort_keys=True) + "\n", encoding="utf-8")
