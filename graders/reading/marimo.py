"""Reads marimo's notebooks: scripts with a function for each cell, whose body is the cell."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from graders.reading.cells import parse

APP = re.compile(r"^(\w+) = marimo\.App\(", re.MULTILINE)
WRAPPED = frozenset({"cell", "setup"})
"""Marks of blocks whose body is the cell. With other marks the function or class itself is."""


def marimo_cells(text: str) -> list[str] | None:
    """The cells of the script `text` with its line numbers; None if it is not marimo's."""
    app = APP.search(text)
    tree = parse(text) if app is not None else None
    if app is None or tree is None:
        return None
    lines = text.splitlines(keepends=True)
    return [
        _unindented(lines, own)
        for each in tree.body
        if (own := _own(each, app[1])) and not isinstance(own[-1], ast.Pass)
    ]


def _own(statement: ast.stmt, app: str) -> Sequence[ast.stmt]:
    """The statements of the cell that `statement` is; none when it is not a cell."""
    match statement:
        case ast.With():
            marks = [each.context_expr for each in statement.items]
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            marks = statement.decorator_list
        case _:
            return ()
    for mark in marks:
        called = mark.func if isinstance(mark, ast.Call) else mark
        if isinstance(called, ast.Attribute) and ast.unparse(called.value) == app:
            if called.attr not in WRAPPED or isinstance(statement, ast.ClassDef):
                return (statement,)
            # Without the return, which only passes names to other cells.
            return [each for each in statement.body if not isinstance(each, ast.Return)]
    return ()


def _unindented(lines: Sequence[str], own: Sequence[ast.stmt]) -> str:
    """The lines of `own` without their indentation, after empty lines that keep their numbers."""
    decorators: list[ast.expr] = getattr(own[0], "decorator_list", [])
    first = own[0].lineno
    if own[0].col_offset:
        first = min([first, *(each.lineno for each in decorators)])
    indented = " " * own[0].col_offset
    inside = {line for each in own for line in _inside_texts(each)}
    kept = [
        line if number in inside else line.removeprefix(indented)
        for number, line in enumerate(lines[first - 1 : own[-1].end_lineno], first)
    ]
    return "\n" * (first - 1) + "".join(kept)


def _inside_texts(statement: ast.stmt) -> Iterator[int]:
    """The lines that begin inside a string, whose indentation belongs to it."""
    for node in ast.walk(statement):
        if isinstance(node, ast.JoinedStr) or (
            isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
        ):
            yield from range(node.lineno + 1, (node.end_lineno or node.lineno) + 1)
