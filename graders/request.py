"""The request to a worker process, as the bytes that are sent to it.

What is the same for many workers is prepared once, here: inputs are pickled, the lesson's own cells
and the scenarios are compiled. Pickle and marshal are safe because requests go from the trusted
side to the worker only; nothing of the kind is ever read from a worker.
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
    """The bytes of a request, or of a check in it, as `graders.observe.worker` reads them.

    A request has the `cells`, the indices of those to `skip`, and the `exercises`. Their `checks`
    are what `checks_of` returns: each is packed by itself, so that it can be cached.
    """
    return pickle.dumps(request, protocol=pickle.HIGHEST_PROTOCOL)


def checks_of(exercise: Exercise, draws: Draws) -> list[bytes]:
    """What a worker needs for each check of `exercise` on the inputs of `draws`; no answers."""
    return [_check(exercise, check, draws[check.name].seed) for check in exercise.checks]


def published(lessons: Iterable[str]) -> frozenset[str]:
    """The sources of all cells of `lessons`, as published."""
    return frozenset().union(*map(_published, lessons))


def cells_of(cells: Iterable[Cell], published: Collection[str]) -> list[dict[str, Any]]:
    """`cells` as the worker gets them: those that are `published` are compiled already."""
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
    """The sources of a lesson's own cells: only these are compiled here, never a student's."""
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
