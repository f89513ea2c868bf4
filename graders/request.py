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
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from graders.installed_lessons import code_cells
from graders.observe import codec, scenarios
from graders.reading.magics import runnable

if TYPE_CHECKING:
    from graders.exercise import Exercise
    from graders.reading.cells import Cell


def packed(request: Mapping[str, Any]) -> bytes:
    """`request` in the form in which `graders.observe.worker.read_request` reads it.

    It has `cells`, the indices of those to `skip`, and `exercises` whose `checks` are those of
    `Exercise.requests` or what `packed_checks` made of them.
    """
    exercises = [
        each
        if isinstance(each["checks"], bytes)
        else {**each, "checks": _packed_checks(each["checks"])}
        for each in request["exercises"]
    ]
    return _packed({**request, "exercises": exercises})


@functools.lru_cache(maxsize=256)
def packed_checks(exercise: Exercise, seed: int) -> bytes:
    """The checks of `exercise` on the inputs that `seed` draws."""
    return _packed_checks(exercise.requests(seed))


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


def _packed_checks(checks: Sequence[Mapping[str, Any]]) -> bytes:
    return _packed(
        [
            {
                **check,
                "scenario": _compiled_scenario(check["scenario"]),
                "inputs": {name: codec.decode(value) for name, value in check["inputs"].items()},
            }
            for check in checks
        ]
    )


def _compiled_scenario(spec: Mapping[str, Any]) -> Mapping[str, Any]:
    if "source" not in spec:
        return spec
    return {"code": marshal.dumps(scenarios.compiled(spec["source"])), "entry": spec["entry"]}


def _packed(value: object) -> bytes:
    return pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
