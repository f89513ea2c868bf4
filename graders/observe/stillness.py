"""What nobody has reason to touch while a check is made: the observers' own names and their tools'.

What was replaced for a moment, and put back by whoever did it, looks untouched. The versions of
dicts tell of it all the same.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
import warnings
from collections.abc import Callable

import numpy as np

import graders.observe
from graders.observe import dict_versions
from graders.observe.pristine import OBSERVERS, TOOLS

LATE = ("char", "core", "ctypeslib", "fft", "ma", "polynomial", "rec", "strings")
"""Parts of NumPy that come when they are asked for, and are then written down in NumPy."""


def import_all() -> None:
    """Import what would come late, and touch what it belongs to: observers, and parts of NumPy."""
    for found in pkgutil.iter_modules(graders.observe.__path__, f"{OBSERVERS[0]}."):
        importlib.import_module(found.name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in LATE:
            importlib.import_module(f"numpy.{name}")
            getattr(np, name)


def kept_still() -> Callable[[], list[int]]:
    """A question: numbers that are the same as before where nothing was touched since.

    Always the same where dicts have no versions.
    """
    names = [name for name in sys.modules if name.rpartition(".")[0] in OBSERVERS or name in TOOLS]
    places = [vars(sys.modules[name]) for name in names]
    for each in places:
        # Else the first warning that is told of a module would be noted there.
        each.setdefault("__warningregistry__", {})
    versions = dict_versions.versions_of(places) or []
    return lambda: [each.value for each in versions]
