"""Imports of modules that a student's notebook has written to a file, as `%%writefile` does."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from types import ModuleType


class OwnModules:
    """Finds `name.py` in the current folder, if no other finder knows the module.

    An entry in `sys.path` would not do: Python caches the folder's listing, and might not find a
    file that has just been written.
    """

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """See `importlib.abc.MetaPathFinder.find_spec`."""
        file = f"{name}.py"
        return spec_from_file_location(name, file) if os.path.isfile(file) else None


def install() -> None:
    """Have `import` try this finder last."""
    sys.meta_path.append(OwnModules())
