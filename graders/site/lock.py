"""The lock file that lists packages for the kernel: pyodide's, ours and those that ours need.

With it the kernel finds a package by the name that a cell imports, without a package index.
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
"""The packages that JupyterLite's kernel starts with, by the names that it looks for."""

STAND_INS = (Wheel("sqlite3", "0", {}),)
"""An empty sqlite3: the kernel requires it for a history of inputs, but keeps none."""

WIDGETS = ("anywidget", "ipywidgets")
LATER = frozenset({"click", "rich"})
"""Packages that only the command line needs; they are loaded only if a cell imports them."""


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
    """The packages to load with the kernel, by the names that the kernel uses.

    Loading all at once, before the first cell, takes a fraction of the time of loading them one by
    one.
    """
    return [name.replace("-", "_") if name in KERNEL else name for name in (*KERNEL, *ours)]
