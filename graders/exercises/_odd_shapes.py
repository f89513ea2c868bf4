"""The check of shapes that are easily forgotten, for the exercises that have one."""

from __future__ import annotations

from graders.exercise import Check
from graders.inputs import odd_shapes
from graders.observe import scenarios
from graders.observe.lab import Scenario


def for_odd_shapes(after: str, scenario: Scenario = scenarios.function_gradients) -> Check:
    """Return the check that sees a lone number and an empty vector in `scenario`.

    `after` is the one that sees other shapes in it: who has not thought of these loses no more.
    """
    return Check(
        "odd shapes",
        1,
        scenario,
        odd_shapes,
        passes="The gradient is also right for a single number and for an empty vector.",
        fails="The gradient is not right for a single number or for an empty vector.",
        after=(after,),
    )
