"""The stepper's half for the browser: the modules and style sheets in `static/`, joined.

A widget can bring one module only. So the modules are joined here, without any build step: in the
order in which they need each other, without their `import` lines and `export` words. Names at the
top of a module are therefore unique over all of them.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

STATIC = Path(__file__).parent / "static"
# Each module stands after those which it imports.
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
