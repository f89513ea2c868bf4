"""A notebook's code cells: made into plain Python, and searched for what they define."""

from __future__ import annotations

import ast
import functools
import re
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

# Magics that run the rest of their cell as the Python it is.
TRANSPARENT = frozenset({"time", "timeit", "capture", "prun"})
SPECIAL = r"[%!?]|^[ \t]*(?:[/;,]|>>>|In \[)"
MAX_SEARCHED = 256 * 1024
# IPython's transformer takes time in proportion to the square of the lines.
MAX_TRANSFORMED, MAX_TRANSFORMED_LINES = 32 * 1024, 400


@dataclass(frozen=True)
class Cell:
    """A code cell: where it stands, what its student wrote, what is run, which exercise it is."""

    index: int
    source: str
    code: str
    exercise: str | None = None


def runnable(source: str) -> str:
    """`source` as plain Python with the same lines; magics and shell lines become calls.

    The calls go to `get_ipython()`, which does nothing in a worker. The cell of a magic for another
    language becomes empty. What cannot be understood stays as it is, for its error to be told.
    """
    source = source.replace("\r\n", "\n").replace("\r", "\n")
    magic = re.match(r"\s*%%[ \t]*(\w+)[^\n]*", source)
    if magic is not None:
        lines = "\n" * magic.group().count("\n")
        source = lines + source[magic.end() :] if magic[1] in TRANSPARENT else ""
    if parse(source) is not None or not re.search(SPECIAL, source, re.MULTILINE):
        return source
    if len(source) > MAX_TRANSFORMED or source.count("\n") > MAX_TRANSFORMED_LINES:
        return source
    return _transformed(source)


def _transformed(source: str) -> str:
    from IPython.core.inputtransformer2 import TransformerManager

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return TransformerManager().transform_cell(source)
    except Exception:
        return source


def parse(source: str) -> ast.Module | None:
    """The syntax tree of `source`; None when there is none, or it is too much of one."""
    if len(source) > MAX_SEARCHED:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def defines(source: str, symbol: str) -> bool:
    """Whether `source` gives `symbol` a value at its top level; a guess where it does not parse."""
    if symbol not in source:
        return False
    tree = parse(source)
    if tree is None:
        named = re.escape(symbol)
        return bool(
            re.search(rf"^[ \t]*(?:class|def)\s+{named}\b", source, re.MULTILINE)
            or re.search(rf"^{named}\s*(?::[^=\n]*)?=(?!=)", source, re.MULTILINE)
        )
    return symbol in _bound(tree.body)


def _bound(statements: Iterable[ast.stmt]) -> set[str]:
    """The names that `statements` bind, also inside of `if`, `for`, `with` and `try`."""
    names: set[str] = set()
    waiting: list[ast.AST] = list(statements)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(node.name)
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.alias):
            names.add(node.asname or node.name)
        if not isinstance(node, ast.Lambda):
            waiting += ast.iter_child_nodes(node)
    return names


def cell_of(cells: Sequence[Cell], exercise: str, symbol: str, starter: str) -> int | None:
    """The index of the cell after which `symbol` is the student's answer to `exercise`.

    A cell that was split or copied stays marked in all its parts: the last part counts. Next come
    unmarked cells: below a marked one that still is the `starter`, or anywhere when the marks are
    lost. None when no cell has anything of the exercise.
    """
    marked = [cell for cell in cells if cell.exercise == exercise]
    touched = [cell for cell in marked if not _same_code(cell.code, starter)]
    if any(defines(cell.code, symbol) for cell in touched):
        return touched[-1].index
    first = marked[0].index if marked else -1
    unmarked = [cell for cell in cells if cell.exercise is None and cell.index > first]
    defining = [cell for cell in unmarked if defines(cell.code, symbol)]
    strangers = [cell for cell in cells if defines(cell.code, symbol)]
    candidates = defining or marked or strangers
    return candidates[-1].index if candidates else None


def _same_code(code: str, starter: str) -> bool:
    if code.split() == starter.split():
        return True
    tree = _tree(code)
    return tree is not None and tree == _tree_of_starter(starter)


def _tree(code: str) -> str | None:
    """The syntax tree of `code` in words; None when there is none, or it is too much of one."""
    tree = parse(code)
    try:
        return None if tree is None else ast.dump(tree)
    except RecursionError:
        return None


_tree_of_starter = functools.cache(_tree)
