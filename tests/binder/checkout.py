"""A copy of the repository as somebody gets it who clones it, changes included."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BINDER = ROOT / "binder"


def copied(folder: Path) -> None:
    """Copy what belongs to the repository to `folder`, and nothing that git ignores."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others"]
    listed = subprocess.run([*command, "--exclude-standard"], capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("this is no git checkout")
    for name in filter(None, listed.stdout.split("\0")):
        # Tests are no part of what is installed or run.
        if (ROOT / name).is_file() and not name.startswith("tests/"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
