"""Right and wrong solutions do in PyTorch what the exercises see them do in `autograd_core`."""

from collections.abc import Iterator
from typing import Any

import pytest

from graders.exercise import PRELUDE, Exercise, all_exercises, source_of
from graders.judging.closeness import MISSING, same
from graders.observe import codec
from graders.observe.lab import observe

from . import pytorch

try:
    torch = pytorch.load()
except ImportError as reason:
    pytest.skip(str(reason), allow_module_level=True)


def in_torch(source: str) -> str:
    return source.replace("autograd_core", "torch")


def solutions() -> Iterator[Any]:
    for exercise in all_exercises():
        if exercise.kind in ("implement", "repair"):
            named = {each.id: each.solution for each in exercise.misconceptions}
            for name, solution in {"reference": exercise.reference, **named}.items():
                yield pytest.param(exercise, solution, id=f"{exercise.id}: {name}")


@pytest.mark.parametrize(("exercise", "solution"), list(solutions()))
def test_a_solution_behaves_in_pytorch_as_it_does_here(exercise: Exercise, solution: object):
    namespace: dict[str, Any] = {}
    exec(in_torch(PRELUDE + source_of(solution, exercise.symbol)), namespace)

    for check in exercise.checks:
        # An exercise's own scenario may look at what only `autograd_core` shows.
        if "name" in check.request():
            inputs = exercise.inputs(check, seed=1)
            here = observe(check.scenario, solution, inputs)
            there = observe(check.scenario, namespace[exercise.symbol], inputs, torch)

            assert kind_of_error(here) == kind_of_error(there), check.name
            assert differences(here["records"], there["records"]) == {}, check.name


def kind_of_error(seen: dict[str, Any]) -> str | None:
    return None if seen["error"] is None else seen["error"]["type"]


def differences(here: dict[str, Any], there: dict[str, Any]) -> dict[str, Any]:
    """Return the records in which the two engines part, with what each of them gave."""
    values = {
        name: [codec.decode(side[name]) if name in side else MISSING for side in (here, there)]
        for name in {**here, **there}
    }
    return {name: pair for name, pair in values.items() if not same(*pair)}
