"""Modules that a student has written to a file, as `%%writefile` does, and imports further down."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from types import ModuleType


class OwnModules:
    """Finds `name.py` in the folder in which the code runs, where nothing else has that name.

    A path to search would be listed once and remembered: a file that is written in the same moment
    might be found or not.
    """

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The import system's question: where is `name`?"""
        file = f"{name}.py"
        return spec_from_file_location(name, file) if os.path.isfile(file) else None


def install() -> None:
    """Have `import` look there last."""
    sys.meta_path.append(OwnModules())
