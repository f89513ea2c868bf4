"""What to say about an undefined name: where it is defined, or what may have been meant."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Sequence

import autograd_core
from graders.reading.cells import Cell, alike, bound_names, defines, parse

UNKNOWN = re.compile(r"name '(\w{1,60})' is not defined")
"""The message of a NameError."""

MOST = 2_000
"""How many names are compared with the undefined one."""

DEFINED_BELOW = (
    "It uses `{}`, which is defined only in a cell further down. Cells run from top to bottom, so "
    "that cell has to come first."
)
INSIDE = "`{}` is known only inside the function, class or comprehension that defines it."
IN_TORCH = "`{}` is known only as a name in `torch`."
MODULE = "`{}` is a module that has not been imported."
OFTEN_IMPORTED = {
    "torch": "`torch` is imported in the lesson's first cell: is it missing, or was it not run?",
    "np": "`np` is short for `numpy`, which has not been imported.",
    "Function": "`Function` is found in `torch.autograd`, and has not been imported.",
}
CAPITALS = "In Python, `True`, `False` and `None` begin with a capital letter."
ALIKE = "Did you mean `{1}` instead of `{0}`?"
NOWHERE = "`{}` is known neither here nor in `torch`."


def about_missed(cells: Sequence[Cell], index: int, error: str) -> str:
    """A sentence about the undefined name in the `error` of cell `index`; "" for another error.

    Also "" if this cell or one above defines the name, because then only the definition was not
    reached.
    """
    told = UNKNOWN.match(error)
    if told is None:
        return ""
    name = told[1]
    found = [cell.index for cell in cells if defines(cell.code, name)]
    if found:
        return DEFINED_BELOW.format(name) if min(found) > index else ""
    at_hand = {each for cell in cells if cell.index <= index for each in bound_names(cell.code)}
    inside = {each for cell in cells if cell.index == index for each in _bound_in(cell.code)}
    return INSIDE.format(name) if name in inside else about_unknown(error, at_hand | inside)


def about_unknown(error: str, known: Collection[str]) -> str:
    """A sentence about the undefined name in an `error`; "" for another error or a `known` name."""
    told = UNKNOWN.match(error)
    name = told[1] if told is not None else ""
    if not name or name in known:
        return ""
    if name in OFTEN_IMPORTED:
        return OFTEN_IMPORTED[name]
    if name.capitalize() in ("True", "False", "None"):
        return CAPITALS
    if name in dir(autograd_core):
        return IN_TORCH.format(name)
    if name in sys.stdlib_module_names:
        return MODULE.format(name)
    # Not short names, of which any two are similar.
    near = alike(name, sorted(each for each in known if 2 < len(each) < 60)[:MOST])
    return ALIKE.format(name, near) if near else NOWHERE.format(name)


def _bound_in(source: str) -> set[str]:
    """The names that `source` binds anywhere, also inside its functions and classes."""
    names: set[str] = set()
    for node in ast.walk(parse(source) or ast.Module([], [])):
        if isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.alias):
            names.add(node.asname or node.name)
    return names
