"""The first script that runs in isolation: find the packages, and become a nursery.

python -I -S start.py '{"packages": {…}, "policy": {…}, "control": 3, …}'
"""

from __future__ import annotations

import importlib.util
import json
import os
import socket
import sys
from collections.abc import Mapping, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType


class Packages:
    """An import finder for the named packages alone, without a search path.

    Their parent packages are empty: `graders` contains nothing but the packages named here.
    """

    def __init__(self, folders: Mapping[str, str]) -> None:
        """`folders` maps dotted names to folders."""
        self.folders = dict(folders)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """See `importlib.abc.MetaPathFinder.find_spec`."""
        folder = self.folders.get(name)
        if folder is not None:
            return importlib.util.spec_from_file_location(
                name, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
            )
        if any(known.startswith(name + ".") for known in self.folders):
            return ModuleSpec(name, None, is_package=True)
        return None


def main(argument: str) -> None:
    """Start the nursery that `argument`, a JSON object, describes."""
    told = json.loads(argument)
    sys.meta_path.insert(0, Packages(told["packages"]))
    sys.argv = [""]

    from graders.isolation.inner import nursery
    from graders.isolation.inner.confine import Policy

    task = nursery.Task(Policy(**told["policy"]), **told["task"])
    nursery.serve(socket.socket(fileno=told["control"]), task)


if __name__ == "__main__":
    main(sys.argv[1])
