"""The first thing a worker runs: find the packages, lock the door, hand over to the observers.

python -I -S start.py '{"packages": {…}, "policy": {…}, "channel": 3, …}'
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from collections.abc import Mapping, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType


class Packages:
    """Finds the named packages in their folders, with no search path and no listing of folders.

    A package's parents come into being empty: `graders` holds nothing but `graders.observe`.
    """

    def __init__(self, folders: Mapping[str, str]) -> None:
        """`folders`: from dotted name to folder."""
        self.folders = dict(folders)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The import system's question: where is `name`?"""
        folder = self.folders.get(name)
        if folder is not None:
            return importlib.util.spec_from_file_location(
                name, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
            )
        if any(known.startswith(name + ".") for known in self.folders):
            return ModuleSpec(name, None, is_package=True)
        return None


def main(argument: str) -> None:
    """Start the worker that `argument`, a JSON object, describes."""
    task = json.loads(argument)
    sys.meta_path.insert(0, Packages(task["packages"]))
    sys.argv = [""]

    from graders.isolation.inner.confine import Policy, confine

    nowhere = os.open(os.devnull, os.O_RDWR)
    confine(Policy(**task["policy"]))

    from graders.observe import worker

    request = worker.read_request(0)
    # Errors up to here are the grader's and go to its error stream; the student's go nowhere.
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)
    worker.run(request, task["channel"], task["output_bytes"])


if __name__ == "__main__":
    main(sys.argv[1])
