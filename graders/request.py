"""What a worker is asked to do, in the form in which it is handed over.

What is the same for many workers is made ready once, here: inputs as the values they are, published
cells and scenarios compiled. It travels in one direction only, from the trusted side to the other;
nothing of the kind is ever read from a worker.
"""

from __future__ import annotations

import ast
import functools
import marshal
import pickle
import warnings
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from graders.installed_lessons import code_cells
from graders.observe import scenarios
from graders.reading.magics import runnable

if TYPE_CHECKING:
    from graders.draws import Draws
    from graders.exercise import Check, Exercise
    from graders.reading.cells import Cell


def packed(request: Mapping[str, Any]) -> bytes:
    """`request`, or a check in it, in the form in which `graders.observe.worker` reads it.

    It has `cells`, the indices of those to `skip`, and `exercises` whose `checks` are what
    `checks_of` returns, packed each by itself.
    """
    return pickle.dumps(request, protocol=pickle.HIGHEST_PROTOCOL)


def checks_of(exercise: Exercise, draws: Draws) -> list[bytes]:
    """What a worker needs for each check of `exercise`, on the inputs of `draws`: no answers."""
    return [_check(exercise, check, draws[check.name].seed) for check in exercise.checks]


def published(lessons: Iterable[str]) -> frozenset[str]:
    """The sources of the cells of `lessons`, as they stand there."""
    return frozenset().union(*map(_published, lessons))


def cells_of(cells: Iterable[Cell], published: Collection[str]) -> list[dict[str, Any]]:
    """`cells` to be run: those whose source is one of the `published` come compiled."""
    return [
        {
            "index": cell.index,
            "source": cell.code,
            "code": _compiled(cell.index, cell.code) if cell.code in published else None,
        }
        for cell in cells
    ]


@functools.cache
def _published(lesson: str) -> frozenset[str]:
    """The sources of a lesson's cells, which are ours: no student's text is compiled here."""
    return frozenset(runnable("".join(cell["source"])) for cell in code_cells(lesson))


@functools.lru_cache(maxsize=2_000)
def _compiled(index: int, source: str) -> bytes | None:
    """The cell's code as `graders.observe.worker` would compile it; None for an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
            code = compile(source, f"<cell {index}>", "exec", flags, dont_inherit=True)
        except SyntaxError:
            return None
    return marshal.dumps(code)


@functools.lru_cache(maxsize=1_024)
def _check(exercise: Exercise, check: Check, seed: int) -> bytes:
    return packed(
        {
            "name": check.name,
            "scenario": _scenario(check),
            "inputs": exercise.drawn(check, seed),
        }
    )


@functools.cache
def _scenario(check: Check) -> Mapping[str, Any]:
    spec = check.request()
    if "source" not in spec:
        return spec
    return {"code": marshal.dumps(scenarios.compiled(spec["source"])), "entry": spec["entry"]}
