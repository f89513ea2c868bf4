"""The part of the stepper that runs in the browser: the files in `static/`, joined.

A widget can have one module only. So the modules are joined here, without a build step: in the
order of their dependencies, without `import` lines and `export` keywords. Top-level names therefore
have to be unique across all modules.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

STATIC = Path(__file__).parent / "static"
# Each module comes after those that it imports.
MODULES = (
    "dom",
    "story",
    "theme",
    "camera",
    "node",
    "edge",
    "graph",
    "memory",
    "gate",
    "telling",
    "heading",
    "aside",
    "transport",
    "room",
    "stepper",
    "standalone",
)
STYLES = ("stepper", "transport", "graph", "telling", "aside", "memory")


@cache
def joined_module() -> str:
    """All modules as one, whose default export is `{ render }`."""
    return "\n".join(_bare(_read(f"{name}.js")) for name in MODULES)


@cache
def joined_style() -> str:
    """All style sheets as one."""
    return "\n".join(_read(f"{name}.css") for name in STYLES)


def _read(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def _bare(text: str) -> str:
    """A module's text without what only separate files need."""
    text = re.sub(r"^import [^;]*;\n", "", text, flags=re.MULTILINE)
    return re.sub(r"^export (?!default)", "", text, flags=re.MULTILINE)
