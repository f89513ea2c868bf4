"""Kernels that tests reach through files: a port that is free when Jupyter chooses it may be taken,
by another process of the tests or by a browser, before the kernel has bound it.
"""

import itertools
import os
import tempfile
from typing import Any

import pytest
from jupyter_client.manager import KernelManager
from nbval import kernel as kernels_of_nbval

NAME = "kernels-through-files"


def through_files(path: str) -> dict[str, Any]:
    """Return the options of a kernel manager whose kernel has its sockets beside `path`.

    The path should be short, because systems allow sockets a hundred characters. Where sockets
    cannot be files, the kernel has ports.
    """
    if os.name == "nt":
        return {}
    return {"transport": "ipc", "connection_file": f"{path}.json"}


class KernelsThroughFiles:
    """A plugin that lets nbval's kernels, which have no options, be reached through files."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="kernels-")
        self.numbers = itertools.count()
        kernels_of_nbval.KernelManager = self._manager

    def _manager(self, **options: Any) -> KernelManager:
        path = os.path.join(self.folder.name, str(next(self.numbers)))
        return KernelManager(**through_files(path), **options)

    def pytest_unconfigure(self, config: pytest.Config) -> None:
        """Clean up."""
        kernels_of_nbval.KernelManager = KernelManager
        self.folder.cleanup()


def install(config: pytest.Config) -> None:
    """Register the plugin, once, whichever folder the run began with."""
    if not config.pluginmanager.has_plugin(NAME):
        config.pluginmanager.register(KernelsThroughFiles(), NAME)
