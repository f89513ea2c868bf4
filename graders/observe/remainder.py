"""The definitions in a cell that an error has ended, if the cell holds more than one answer.

In a notebook the first error ends a cell. If a student has merged two exercises into one cell, a
slip in the first would cost them the second, although it is there and right. So statements that
only define something are run all the same, one by one.
"""

from __future__ import annotations

import ast
import re
from itertools import pairwise

DEFINING = (
    ast.AnnAssign,
    ast.Assign,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.FunctionDef,
    ast.Import,
    ast.ImportFrom,
)
GOING_ON = re.compile(r"[\s)\]}#]|(?:elif|else|except|finally)\b")


def after_error(source: str, line: int) -> list[str]:
    """The definitions in `source` below the statement on `line` (from 1), each as a source.

    Empty lines before a definition keep its line numbers.
    """
    lines = source.splitlines(keepends=True)
    return [
        _on_its_lines(lines, _first_line(each) - 1, each.end_lineno or each.lineno)
        for each in ast.parse(source).body
        if isinstance(each, DEFINING) and _first_line(each) > line
    ]


def despite_syntax_error(source: str) -> list[str]:
    """The definitions in `source`, which does not parse as a whole, each as a source that does.

    Empty lines before a definition keep its line numbers.
    """
    lines = source.splitlines(keepends=True)
    starts = [
        number
        for number, line in enumerate(lines)
        # A decorated definition begins with its first decorator.
        if not GOING_ON.match(line) and not (number and lines[number - 1].startswith("@"))
    ]
    pieces = [_on_its_lines(lines, start, end) for start, end in pairwise([*starts, len(lines)])]
    return [piece for piece in pieces if _only_defines(piece)]


def _only_defines(source: str) -> bool:
    try:
        return all(isinstance(each, DEFINING) for each in ast.parse(source).body)
    except (SyntaxError, ValueError, RecursionError):
        return False


def _first_line(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(each.lineno for each in decorators)])


def _on_its_lines(lines: list[str], start: int, end: int) -> str:
    return "\n" * start + "".join(lines[start:end])
