"""A notebook's code cells, searched for what they define and for what answers an exercise."""

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
"""Python 3.11 looks through a whole formatted text for each of its fields: signs times braces."""

DECLARED = re.compile(r"^(?:class|(?:async[ \t]+)?def)[ \t]+(\w+)", re.MULTILINE)


@dataclass(frozen=True)
class Cell:
    """A code cell: where it stands, what its student wrote, what is run, which exercise it is.

    `own` says that the student has certainly added it: it is none of those that the lesson has.
    """

    index: int
    source: str
    code: str
    exercise: str | None = None
    own: bool = False


@dataclass(frozen=True)
class Place:
    """Where an exercise is answered: its symbol is the answer once cell `at` has run.

    What happens while one of the `parts` runs, an error or a limit, is that exercise's.
    """

    at: int | None
    parts: frozenset[int] = frozenset()


def parse(source: str) -> ast.Module | None:
    """The syntax tree of `source`; None when there is none, or it is too much of one."""
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


def is_program(source: str) -> bool:
    """Whether `source` is Python that gives a name a value, as neither prose nor plain data do."""
    return parse(source) is not None and bool(bound_names(source))


def defines(source: str, symbol: str) -> bool:
    """Whether `source` gives `symbol` a value at its top level; a guess where it does not parse."""
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
    """The names that `source` gives a value at its top level; the declared ones if it is broken."""
    names = _names(source)
    return frozenset(DECLARED.findall(source)) if names is None else names.bound


def place_of(cells: Sequence[Cell], exercise: str, symbol: str, starter: str) -> Place:
    """Where the student's answer to `exercise`, called `symbol`, is to be found in `cells`.

    A cell that was split or copied stays marked in all its parts: the last part counts. Next come
    unmarked cells: below a marked one that still is the `starter`, or anywhere when the marks are
    lost or the student has added the cell. Then the cell of another exercise, if the two were
    merged; a plain value counts there only when its own cell was emptied. Helpers and additions to
    the class may come in later cells of their own.
    """
    parts = _answering(cells, exercise, symbol, starter)
    if not parts:
        return Place(None)
    last = parts[-1]
    at = _complete_at(cells, last, symbol)
    after = {cell.index for cell in cells if cell.index == at and cell.exercise in (None, exercise)}
    return Place(at, frozenset({cell.index for cell in parts} | after))


def name_instead(cells: Sequence[Cell], exercise: str, symbol: str, starter: str) -> str:
    """Which name the cells marked as `exercise` define that is much like `symbol`; "" for none."""
    marked = [cell for cell in cells if cell.exercise == exercise]
    names = {name for cell in marked for name in bound_names(cell.code)}
    return alike(symbol, names - bound_names(starter))


def alike(symbol: str, names: Iterable[str]) -> str:
    """Return which of `names` somebody may have written for `symbol`, "" for none."""
    spelled = {_spelling(name): name for name in sorted(names)}
    found = difflib.get_close_matches(_spelling(symbol), spelled, n=1, cutoff=0.8)
    return spelled[found[0]] if found else ""


def _spelling(name: str) -> str:
    return name.replace("_", "").casefold()


def redefined_at(cells: Sequence[Cell], symbol: str, after: int) -> Place | None:
    """Where a cell that the student has added gives `symbol` its last value below cell `after`.

    They may have mended their answer there, or tried out what goes wrong: nobody can tell.
    """
    added = [cell for cell in cells if cell.own and cell.exercise is None and cell.index > after]
    defining = [cell for cell in added if defines(cell.code, symbol)]
    if not defining:
        return None
    return Place(_complete_at(cells, defining[-1], symbol), frozenset({defining[-1].index}))


def _answering(cells: Sequence[Cell], exercise: str, symbol: str, starter: str) -> list[Cell]:
    """The cells that the answer consists of, in order."""
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
    """Whether there is more in `source` than comments."""
    tree = parse(source)
    return tree is None or bool(tree.body)


def _complete_at(cells: Sequence[Cell], last: Cell, symbol: str) -> int:
    """The first cell from `last` on after which the answer has all that it is made of.

    A cell further down may hold a class or function that it uses, or set an attribute of it.
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
    """Cells below `at` that declare what `users` use and nothing up to `at` defines."""
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
    """The names of `source`; None when it does not parse.

    What a class has in common is looked at once, and so is each cell of one notebook, though it be
    asked about every exercise and every helper.
    """
    return _names_in_short(source) if len(source) <= SHORT else _names_in_long(source)


def _declared(source: str) -> tuple[str, ...]:
    """The names of the functions and classes at the top level of `source`, parsed or not."""
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
    """Whether two syntax trees say the same, wherever they stand."""
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
