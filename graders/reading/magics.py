"""Turns a cell with IPython's magics and shell lines into plain Python with the same lines."""

from __future__ import annotations

import ast
import functools
import re
import warnings

from graders.reading.cells import SHORT, parse

OTHER_LANGUAGES = re.compile(
    "!|bash|bigquery|cmd|cython|html|javascript|js|julia|latex|markdown|perl|pypy|python2|r"
    "|ruby|script|sh|sql|svg|sx|system",
    re.IGNORECASE,
)
WRITING = frozenset({"file", "writefile"})
MEASURING = re.compile(r"^([ \t]*)%(?:time|prun)[ \t]+(?=[^-\s])", re.MULTILINE)
SPECIAL = re.compile(
    r"^[ \t]*(?:[%!?/;,]|>>>|In \[|\.\.\. )|=[ \t]*[%!](?!=)|\?[ \t]*$", re.MULTILINE
)
# Bounds on a cell, because IPython's transformer goes through all its lines for each magic.
MAX_TRANSFORMED, MAX_TRANSFORMED_LINES = 32 * 1024, 400
MAX_EFFORT = 100_000
"""The most lines times magics in a notebook's cells together, which take about three seconds."""
LONG = 200
"""Characters of a long line: a line n times as long counts as n * n lines more."""
MAX_MAGICS = 10
CELL_MAGIC = re.compile(r"\s*%%[ \t]*([\w!]+)([^\n]*)")
CONVERTED = "get_ipython().run_cell_magic("


class Patience:
    """How much of a notebook IPython's transformer may still process."""

    def __init__(self, effort: int = MAX_EFFORT) -> None:
        self._left = effort

    def allows(self, source: str) -> bool:
        """Whether `source` may be transformed; if so, it is counted."""
        lines = source.split("\n")
        if len(source) > MAX_TRANSFORMED or len(lines) > MAX_TRANSFORMED_LINES:
            return False
        longest = max(map(len, lines))
        effort = (len(lines) + (longest // LONG) ** 2) * len(SPECIAL.findall(source))
        if effort > self._left:
            return False
        self._left -= effort
        return True


def runnable(source: str, patience: Patience | None = None) -> str:
    """`source` as plain Python with the same lines; magics and shell lines become calls.

    These are calls of `get_ipython()`, which does nothing in a worker. A cell in another language
    becomes empty; a cell that is to be written to a file becomes code that writes it. What is not
    understood, or exceeds the `patience` that all cells of a notebook share, stays as it is; it
    ends in a syntax error, which is reported.
    """
    if _is_plain_in_short(source) if len(source) <= SHORT else _is_plain(source):
        return source
    source = source.replace("\r\n", "\n").replace("\r", "\n")
    if CONVERTED in source:
        source = _as_it_was(source)
    if "%%" in source:
        source = _without_cell_magics(source)
    if not SPECIAL.search(source) or parse(source) is not None:
        return source
    if not (patience or Patience()).allows(source):
        return source
    return _transformed(MEASURING.sub(r"\1", source))


def _is_plain(source: str) -> bool:
    """Whether `source` has nothing to transform, as is usual."""
    added = ("\r", CONVERTED, "%%")
    return not any(each in source for each in added) and not SPECIAL.search(source)


# Cached, because a class has many cells in common.
_is_plain_in_short = functools.lru_cache(maxsize=6_000)(_is_plain)


def _without_cell_magics(source: str) -> str:
    """`source` below its cell magics; empty when one of them is for another language."""
    for _ in range(MAX_MAGICS):
        magic = CELL_MAGIC.match(source)
        if magic is None:
            break
        body = source[magic.end() :]
        if OTHER_LANGUAGES.fullmatch(magic[1]):
            return ""
        if magic[1] in WRITING:
            return _writing(magic[2], body.removeprefix("\n"))
        source = "\n" * magic.group().count("\n") + body
    return source


def _writing(line: str, body: str) -> str:
    """A line of Python that writes `body` to the file that a magic's `line` names."""
    *options, name = line.split() or [""]
    name, mode = name.strip("\"'"), "a" if options else "w"
    # Not the builtin `open`, which students may shadow, for example by `from os import *`.
    return f"__import__('io').open({name!r}, {mode!r}, encoding='utf-8').write({body!r})\n"


def _as_it_was(source: str) -> str:
    """The cell that nbconvert has turned into a call of `run_cell_magic`, else `source`."""
    tree = parse(source)
    if tree is None or len(tree.body) != 1:
        return source
    match tree.body[0]:
        case ast.Expr(
            ast.Call(
                args=[
                    ast.Constant(str() as name),
                    ast.Constant(str() as line),
                    ast.Constant(str() as body),
                ]
            )
        ):
            return f"%%{name} {line}\n{body}"
    return source


def _transformed(source: str) -> str:
    from IPython.core.inputtransformer2 import TransformerManager

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return TransformerManager().transform_cell(source)
    except Exception:
        return source
