"""What the tests and the lessons' cells stand on alike: progress of their own.

Every file of tests and every notebook begins without any, and nobody's real progress is read or
written: kernels inherit the environment.
"""

import os
import tempfile
from pathlib import Path

import pytest

VARIABLE = "AUTOGRAD_LESSONS_DATA"


class Folders(tempfile.TemporaryDirectory):
    """A folder that holds one for each file."""

    def of(self, file: Path) -> str:
        """Return the folder for the tests of `file`."""
        return os.path.join(self.name, file.name)


FOLDERS = pytest.StashKey[Folders]()


def pytest_configure(config: pytest.Config) -> None:
    """Point away from the user's own progress before anything is imported or started."""
    config.stash[FOLDERS] = Folders(prefix="autograd-lessons-")
    os.environ[VARIABLE] = config.stash[FOLDERS].name


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Set the stage of a file before its first fixture or its kernel comes up."""
    os.environ[VARIABLE] = item.config.stash[FOLDERS].of(item.path)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Clean up."""
    config.stash[FOLDERS].cleanup()
