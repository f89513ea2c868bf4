"""What the kernel is told of packages: pyodide's lock, with ours and what ours need in it.

The kernel then finds a package by the name that a cell imports, and no package index is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from graders.site.pyodide import Release
from graders.site.wheels import Wheel

KERNEL = (
    "comm",
    "ipykernel",
    "ipython",
    "jedi",
    "micropip",
    "piplite",
    "pyodide-kernel",
    "sqlite3",
)
"""What JupyterLite's kernel begins with; it looks for these names before it asks an index."""

STAND_INS = (Wheel("sqlite3", "0", {}),)
"""The kernel wants sqlite3 for a history of inputs, which it then keeps none of."""

WIDGETS = ("anywidget", "ipywidgets")
LATER = frozenset({"click", "rich"})
"""What only the command line needs: had when a cell imports it, and not before."""


def lock(release: Release, wheels: Mapping[str, Wheel]) -> dict[str, Any]:
    """The contents of pyodide-lock.json: the packages of `release` and `wheels`."""
    packages = {name: dict(package) for name, package in release.packages.items()}
    known = {*packages, *wheels}
    for name, wheel in wheels.items():
        packages[name] = {
            "depends": sorted(each for each in wheel.requires if each in known - LATER),
            "file_name": wheel.file_name,
            "imports": wheel.imports,
            "install_dir": "site",
            "name": name,
            "package_type": "package",
            "sha256": sha256(wheel.content).hexdigest(),
            "unvendored_tests": False,
            "version": wheel.version,
        }
    return {"info": release.info, "packages": packages}


def preloaded(ours: Iterable[str]) -> list[str]:
    """The packages to load with the kernel, by the names that it goes by itself.

    All at once and before the first cell, they come in a fraction of the time that they take one
    by one.
    """
    return [name.replace("-", "_") if name in KERNEL else name for name in (*KERNEL, *ours)]
