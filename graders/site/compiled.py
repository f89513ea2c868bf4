"""Code that is compiled in advance, so that the browser need not do it each time a kernel starts.

Possible where this Python is as the kernel's is. Only what every lesson imports is worth it: the
rest would make the first visit longer, and no visit shorter.
"""

from __future__ import annotations

import json
import marshal
import os
import subprocess
import sys
import warnings
from dataclasses import replace
from importlib.util import MAGIC_NUMBER, source_hash
from pathlib import Path

from graders.site.wheels import Wheel

KERNEL_PYTHON = (3, 13)
HASHED_AND_TRUSTED = 1
"""The flags of a compiled file that its source is not compared with: both come in one wheel."""

IMPORTED = """
import json, sys
import IPython, IPython.core.application, anywidget, ipywidgets, jedi
import autograd_core, autograd_core.nn, graders.judging.judge, lessons.widgets
from graders import progress
progress()._repr_mimebundle_()
print(json.dumps(sorted(sys.modules)))
"""
IMPORTED_THERE = frozenset({"ipykernel", "piplite", "pyodide_kernel"})
"""Packages of the kernel that can be imported in the browser alone."""


def can_compile() -> bool:
    """Whether code compiled here is code for the kernel."""
    return sys.version_info[:2] == KERNEL_PYTHON


def modules_of_a_lesson() -> frozenset[str]:
    """The modules that a lesson imports, and the kernel before it; none when that fails here."""
    root = str(Path(__file__).resolve().parents[2])
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED],
        env=dict(os.environ, PYTHONPATH=root),
        capture_output=True,
        text=True,
        check=False,
    )
    return frozenset(json.loads(done.stdout)) if done.returncode == 0 else frozenset()


def with_compiled(wheel: Wheel, modules: frozenset[str]) -> Wheel:
    """`wheel` with the compiled code of its `modules` beside their sources."""
    contents = dict(wheel.contents)
    for path, source in wheel.contents.items():
        if path.endswith(".py"):
            name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            if name in modules or name.partition(".")[0] in IMPORTED_THERE:
                contents |= _compiled(path, source)
    return replace(wheel, contents=contents)


def _compiled(path: str, source: bytes) -> dict[str, bytes]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code = compile(source, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return {}
    folder, _, name = path.rpartition("/")
    file = f"{name.removesuffix('.py')}.cpython-{KERNEL_PYTHON[0]}{KERNEL_PYTHON[1]}.pyc"
    head = MAGIC_NUMBER + HASHED_AND_TRUSTED.to_bytes(4, "little") + source_hash(source)
    return {f"{folder}/__pycache__/{file}".lstrip("/"): head + marshal.dumps(code)}
