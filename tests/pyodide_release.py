"""The files of pyodide for tests: had with pip, once, and kept where caches are.

A package on PyPI brings the very files of the release, NumPy among them, for a program of its own.
That they are the release's is checked when a site is built, by their SHA-256.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from zipfile import ZipFile

import platformdirs
import pytest

from graders.site import SiteError
from graders.site.pyodide import CORE, VERSION, from_folder

BRINGS_IT = "gbdraw==0.14.2"
SECONDS = 300


def pyodide_folder():
    """The folder that `--pyodide` takes; the test is skipped where the files cannot be had."""
    folder = platformdirs.user_cache_path("autograd-lessons-tests") / f"pyodide-{VERSION}"
    try:
        from_folder(folder)
    except SiteError:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as scratch:
            _unpack(_downloaded(Path(scratch)), folder)
    return folder


def _downloaded(scratch):
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    try:
        done = subprocess.run(
            [*command, "--only-binary", ":all:", "--dest", str(scratch), BRINGS_IT],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        pytest.skip(f"pip could not download {BRINGS_IT}, which brings pyodide, in {SECONDS} s")
    found = list(scratch.glob("*.whl"))
    if not found:
        pytest.skip(f"pip cannot download {BRINGS_IT}, which brings pyodide: {done.stderr[-200:]}")
    return found[0]


def _unpack(path, folder):
    with ZipFile(path) as archive:
        for entry in archive.namelist():
            name = entry.rpartition("/")[2]
            if name in CORE or name.startswith(("micropip-", "numpy-")):
                (folder / name).write_bytes(archive.read(entry))
