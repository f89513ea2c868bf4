"""What is told of one submission is of no use for another, which is asked about other inputs.

Whoever has learned, at home, what a right solution is observed to do, and has found a way to have
it told, still has to find the right numbers for inputs that nobody has seen before.
"""

import json

import pytest

from graders.exercise import all_exercises
from graders.judging.judge import judge
from graders.observation import Observation, Observations
from graders.observe.lab import observe

WRITTEN = [each for each in all_exercises() if each.kind in ("implement", "repair")]


def told(exercise, seed):
    """What the reference is observed to do on the inputs of `seed`, as a worker would tell it."""
    seen = {
        check.name: observe(check.scenario, exercise.reference, exercise.inputs(check, seed))
        for check in exercise.checks
    }
    checks = {name: Observation.from_json(json.loads(json.dumps(seen[name]))) for name in seen}
    return Observations(True, "0" * 16, checks)


@pytest.mark.parametrize("exercise", WRITTEN, ids=lambda each: each.id)
def test_what_was_told_about_other_inputs_does_not_pass(exercise):
    before, now = told(exercise, 101), told(exercise, 102)

    assert judge(exercise, now, 102).status == "passed"
    assert judge(exercise, before, 102).status != "passed"
