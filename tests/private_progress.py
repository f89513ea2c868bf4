"""Progress of their own for tests and lessons' cells: nobody's real progress is read or written.

Every file of tests and every notebook begins without any; kernels inherit the environment.
"""

import os
import tempfile

import pytest

VARIABLE = "AUTOGRAD_LESSONS_DATA"
NAME = "private-progress"


class PrivateProgress:
    """A plugin that gives each file a folder in the place of the user's."""

    def __init__(self) -> None:
        self.folders = tempfile.TemporaryDirectory(prefix="autograd-lessons-")
        os.environ[VARIABLE] = self.folders.name

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Set the stage of a file before its first fixture or its kernel comes up."""
        os.environ[VARIABLE] = os.path.join(self.folders.name, item.path.name)

    def pytest_unconfigure(self, config: pytest.Config) -> None:
        """Clean up."""
        self.folders.cleanup()


def install(config: pytest.Config) -> None:
    """Register the plugin, once, whichever folder the run began with."""
    if not config.pluginmanager.has_plugin(NAME):
        config.pluginmanager.register(PrivateProgress(), NAME)
