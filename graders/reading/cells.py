"""Finds what a notebook's code cells define, and which of them answer an exercise."""

from __future__ import annotations

import ast
import builtins
import difflib
import functools
import re
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

MAX_SEARCHED = 256 * 1024
SHORT = 4 * 1024
MAX_STEPS = 5
FORMATTED = re.compile(r"""[fF][rR]?["']""")
MAX_FORMATTING = 10**9
"""The most characters times braces: Python 3.11 scans a whole f-string for each of its fields."""

DECLARED = re.compile(r"^(?:class|(?:async[ \t]+)?def)[ \t]+(\w+)", re.MULTILINE)


@dataclass(frozen=True)
class Cell:
    """A code cell: its place, what the student wrote, the `code` that is run, and its exercise.

    `own`: the student has certainly added it, because its id is not that of a lesson's cell.
    """

    index: int
    source: str
    code: str
    exercise: str | None = None
    own: bool = False


@dataclass(frozen=True)
class Place:
    """Where an exercise is answered: its symbol is the answer after cell `at` has run.

    An error or a limit in any of the cells `parts` counts for the exercise.
    """

    at: int | None
    parts: frozenset[int] = frozenset()


def parse(source: str) -> ast.Module | None:
    """The syntax tree of `source`; None when it does not parse or would take too long to.

    Whoever asks may get the same tree, so it must not be changed: a cell is parsed to compare it
    with its starter, to find its names, and to find out what it depends on.
    """
    return _parsed_lately(source) if len(source) <= SHORT else _parsed(source)


def _parsed(source: str) -> ast.Module | None:
    if len(source) > MAX_SEARCHED:
        return None
    if len(source) * source.count("{") > MAX_FORMATTING and FORMATTED.search(source):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


_parsed_lately = functools.lru_cache(maxsize=32)(_parsed)


def is_program(source: str) -> bool:
    """Whether `source` is Python and binds a name, which neither prose nor plain data do."""
    return parse(source) is not None and bool(bound_names(source))


def defines(source: str, symbol: str) -> bool:
    """Whether `source` binds `symbol` at its top level; a guess if `source` does not parse."""
    if symbol not in source:
        return False
    names = _names(source)
    if names is None:
        named = re.escape(symbol)
        return bool(
            re.search(rf"^[ \t]*(?:class|def)\s+{named}\b", source, re.MULTILINE)
            or re.search(rf"^{named}\s*(?::[^=\n]*)?=(?!=)", source, re.MULTILINE)
        )
    return symbol in names.bound


def bound_names(source: str) -> frozenset[str]:
    """The names that `source` binds at its top level; only `def` and `class` if it is broken."""
    names = _names(source)
    return frozenset(DECLARED.findall(source)) if names is None else names.bound


def place_of(cells: Sequence[Cell], exercise: str, symbol: str, starter: str) -> Place:
    """Where the student's answer to `exercise`, called `symbol`, is in `cells`.

    Marked cells come first. A cell that was split or copied is marked in all its parts; the last
    one counts. Next come unmarked cells: those below a marked one that still is the `starter`, or
    anywhere if the marks are lost or the student has added the cell. Then comes the cell of another
    exercise, if the student has merged the two; a plain value counts there only if the exercise's
    own cell was emptied. Helpers and additions to the class may be in later cells.
    """
    parts = _answering(cells, exercise, symbol, starter)
    if not parts:
        return Place(None)
    last = parts[-1]
    at = _complete_at(cells, last, symbol)
    after = {cell.index for cell in cells if cell.index == at and cell.exercise in (None, exercise)}
    return Place(at, frozenset({cell.index for cell in parts} | after))


def name_instead(cells: Sequence[Cell], exercise: str, symbol: str, starter: str) -> str:
    """A name similar to `symbol` that the cells marked as `exercise` define; "" for none."""
    marked = [cell for cell in cells if cell.exercise == exercise]
    names = {name for cell in marked for name in bound_names(cell.code)}
    return alike(symbol, names - bound_names(starter))


def alike(symbol: str, names: Iterable[str]) -> str:
    """Return which of `names` may be a misspelling of `symbol`, "" for none."""
    spelled = {_spelling(name): name for name in sorted(names)}
    found = difflib.get_close_matches(_spelling(symbol), spelled, n=1, cutoff=0.8)
    return spelled[found[0]] if found else ""


def _spelling(name: str) -> str:
    return name.replace("_", "").casefold()


def redefined_at(cells: Sequence[Cell], symbol: str, after: int) -> Place | None:
    """The place of the last cell below `after` that the student has added and that binds `symbol`.

    The student may have corrected the answer there, or tried out what goes wrong: nobody can tell.
    """
    added = [cell for cell in cells if cell.own and cell.exercise is None and cell.index > after]
    defining = [cell for cell in added if defines(cell.code, symbol)]
    if not defining:
        return None
    return Place(_complete_at(cells, defining[-1], symbol), frozenset({defining[-1].index}))


def _answering(cells: Sequence[Cell], exercise: str, symbol: str, starter: str) -> list[Cell]:
    """The cells that make up the answer, in order."""
    marked = [cell for cell in cells if cell.exercise == exercise]
    touched = [cell for cell in marked if not _same_code(cell.code, starter)]
    if any(defines(cell.code, symbol) for cell in touched):
        return touched
    first = marked[0].index if marked else -1
    defining = [cell for cell in cells if defines(cell.code, symbol) and cell not in marked]
    below = [cell for cell in defining if cell.exercise is None and cell.index > first]
    declaring = [cell for cell in defining if symbol in _declared(cell.code)]
    added = [cell for cell in declaring if cell.exercise is None and cell.own]
    emptied = not any(_says_something(cell.code) for cell in marked)
    others = defining if marked and emptied else declaring
    merged = [cell for cell in others if cell.exercise is not None]
    for candidates in (below, added, merged):
        if candidates:
            return candidates[-1:]
    return marked or defining[-1:]


def _says_something(source: str) -> bool:
    """Whether `source` has more than comments."""
    tree = parse(source)
    return tree is None or bool(tree.body)


def _complete_at(cells: Sequence[Cell], last: Cell, symbol: str) -> int:
    """The first cell from `last` on after which the answer is complete.

    A later cell may define a class or function that the answer uses, or set an attribute of it.
    """
    later = [cell for cell in cells if cell.index > last.index]
    named = re.escape(symbol)
    patch = re.compile(
        rf"^(?:{named}\.\w+[ \t]*=(?!=)|setattr\([ \t]*{named}[ \t]*,)", re.MULTILINE
    )
    patches = [
        cell
        for cell in later
        if cell.exercise is None and symbol in cell.code and patch.search(cell.code)
    ]
    at = patches[-1].index if patches else last.index
    looking = [last]
    for _ in range(MAX_STEPS):
        helping = _helpers(cells, looking, at)
        if not helping:
            break
        at, looking = max(cell.index for cell in helping), helping
    between = [cell for cell in later if cell.index <= at]
    return last.index if any(defines(cell.code, symbol) for cell in between) else at


def _helpers(cells: Sequence[Cell], users: Iterable[Cell], at: int) -> list[Cell]:
    """The cells below `at` that declare a name which `users` use and no cell up to `at` defines."""
    declared: dict[str, Cell] = {}
    for cell in cells:
        if cell.index > at:
            declared.update((name, cell) for name in _declared(cell.code))
    found = []
    for user in users:
        names = _names(user.code)
        for name in declared.keys() & (names.used if names else frozenset()):
            if not any(defines(cell.code, name) for cell in cells if cell.index <= at):
                found.append(declared[name])
    return found


@dataclass(frozen=True)
class _Names:
    bound: frozenset[str]
    used: frozenset[str]


def _names(source: str) -> _Names | None:
    """The names in `source`; None when it does not parse.

    Cached, because a class has many cells in common, and because each cell of a notebook is
    searched for every exercise and every helper.
    """
    return _names_in_short(source) if len(source) <= SHORT else _names_in_long(source)


def _declared(source: str) -> tuple[str, ...]:
    """The functions and classes at the top level of `source`, which need not parse."""
    return _declared_in_short(source) if len(source) <= SHORT else _find_declared(source)


def _find_declared(source: str) -> tuple[str, ...]:
    return tuple(DECLARED.findall(source))


_declared_in_short = functools.lru_cache(maxsize=6_000)(_find_declared)


def _names_in(source: str) -> _Names | None:
    tree = parse(source)
    if tree is None:
        return None
    used = {node.id for node in _nodes(tree) if isinstance(node, ast.Name)}
    return _Names(frozenset(_bound(tree.body)), frozenset(used - _BUILT_IN))


_BUILT_IN = frozenset(dir(builtins))
# A notebook has at most MAX_CODE of code and MAX_CELLS of cells (in graders.reading.written).
_names_in_short = functools.lru_cache(maxsize=6_000)(_names_in)
_names_in_long = functools.lru_cache(maxsize=256)(_names_in)


def _nodes(tree: ast.AST) -> Iterable[ast.AST]:
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += ast.iter_child_nodes(node)


def _bound(statements: Iterable[ast.stmt]) -> set[str]:
    """The names that `statements` bind, also inside `if`, `for`, `with` and `try`."""
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


def _same_code(code: str, starter: str) -> bool:
    compare = _compared if len(code) <= SHORT else _compare
    return compare(code, starter)


def _compare(code: str, starter: str) -> bool:
    if code.split() == starter.split():
        return True
    tree = parse(code)
    return tree is not None and _equal(tree, _tree_of_starter(starter))


_compared = functools.lru_cache(maxsize=1024)(_compare)
_tree_of_starter = functools.cache(parse)


def _equal(one: object, other: object) -> bool:
    """Whether two syntax trees are equal, apart from positions."""
    waiting: list[tuple[object, object]] = [(one, other)]
    while waiting:
        here, there = waiting.pop()
        if type(here) is not type(there):
            return False
        if isinstance(here, ast.AST):
            waiting += [
                (getattr(here, name, None), getattr(there, name, None)) for name in here._fields
            ]
        elif isinstance(here, list) and isinstance(there, list):
            if len(here) != len(there):
                return False
            waiting += zip(here, there, strict=True)
        elif here != there:
            return False
    return True
