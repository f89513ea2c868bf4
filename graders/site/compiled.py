"""Compiles modules in advance, so that the browser need not do it each time a kernel starts.

This requires the kernel's version of Python. Only modules that every lesson imports are compiled:
others would make the first visit longer, and no visit shorter.
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
"""Flags of a .pyc file that Python does not check against its source: both are in one wheel."""

IMPORTED = """
import json, sys
import IPython, IPython.core.application, anywidget, ipywidgets, jedi
import autograd_core, autograd_core.nn, graders.judging.judge, lessons.widgets
from graders import progress
progress()._repr_mimebundle_()
print(json.dumps(sorted(sys.modules)))
"""
IMPORTED_THERE = frozenset({"ipykernel", "piplite", "pyodide_kernel"})
"""The kernel's packages, which can be imported only in the browser."""


def can_compile() -> bool:
    """Whether code compiled here runs in the kernel."""
    return sys.version_info[:2] == KERNEL_PYTHON


def modules_of_a_lesson() -> frozenset[str]:
    """The modules that the kernel and then a lesson import; none if importing them fails here."""
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
    """`wheel` with compiled code for those of its modules that are among `modules`."""
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
